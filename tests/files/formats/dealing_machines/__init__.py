"""Tests of dealing_machines."""
