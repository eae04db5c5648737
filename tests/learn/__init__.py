"""Tests of twofold.learn."""
