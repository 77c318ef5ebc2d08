"""Tests of problems."""
