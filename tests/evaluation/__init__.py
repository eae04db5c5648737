"""Tests of twofold.evaluation."""
