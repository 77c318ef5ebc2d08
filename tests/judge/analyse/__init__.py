"""Tests of analyse."""
