"""Tests of lin."""
