"""Tests of files that are mended."""
