"""Tests of `overtrick.apps`."""
