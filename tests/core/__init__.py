"""Tests of `overtrick.core`."""
