"""Formats of human judgments, one file per format."""
