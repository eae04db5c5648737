"""The evaluations of the five reports that twofold grew from, one module per report."""
