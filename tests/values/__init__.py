"""Tests of twofold.values."""
