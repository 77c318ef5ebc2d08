"""Comparisons of speed, run by hand: `python -m tests.benchmarks.reading`."""
