"""Fuzzers and killers; `python -m benchmarks.reliability` says which."""
