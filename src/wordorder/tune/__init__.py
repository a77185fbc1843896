"""Tuning of systems towards a metric, and the choice among candidate translations."""
