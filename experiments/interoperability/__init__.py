"""Comparisons with other programs, for docs/interoperability.md: one file ``with_NAME.py`` per program."""
