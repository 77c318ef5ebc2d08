"""Tests of write."""
