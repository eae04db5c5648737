"""Measurements that are kept: `run` appends to history.jsonl, `report` writes tables from it."""
