"""The version: the only place that it is written by hand; builds and signatures read it here."""

__version__ = "0.1.0"
