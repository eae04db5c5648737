"""Exact solving: canonical boards, hash tables of a layer, and the passes over it."""
