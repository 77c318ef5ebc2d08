"""Tests of score."""
