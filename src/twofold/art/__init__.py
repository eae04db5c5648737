"""Pictures made by playing, Conway's Life, stereograms, and paths over all cells."""
