"""Bridgemate databases (BWS), which are Access files: `jet` extracts the tables, `reader` reads them."""
