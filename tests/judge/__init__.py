"""Tests of `overtrick.judge`."""
