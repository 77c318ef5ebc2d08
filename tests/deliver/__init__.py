"""Tests of `overtrick.deliver`."""
