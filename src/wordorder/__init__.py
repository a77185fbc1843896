"""Word order in translation: measure it, explain it, predict it."""

from wordorder._version import __version__

__all__ = ["__version__"]
