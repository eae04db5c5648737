"""Experiments: many seeded games kept in a database, with intervals, reports and the tables of the five reports."""
