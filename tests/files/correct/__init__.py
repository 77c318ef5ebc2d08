"""Corrections of an evening."""
