"""The version, in one place for the package and for signatures."""

__version__ = "0.1.0"
