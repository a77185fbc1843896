"""Tagging and parsing: the parser of the package, and installed ones behind the same interface."""
