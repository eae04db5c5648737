"""The evaluations of the five student reports that twofold grew from (S0 to S4), one module per report."""
