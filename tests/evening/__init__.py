"""Tests of evening."""
