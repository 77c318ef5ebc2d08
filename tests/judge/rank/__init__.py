"""Tests of rank."""
