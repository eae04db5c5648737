"""Learning: networks that improve by playing."""
