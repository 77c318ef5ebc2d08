"""Bridgemate databases (BWS), which are Access files: `jet` gets the tables out, `reader` reads them."""
