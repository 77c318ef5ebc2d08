"""Tests of evening.terminals."""
