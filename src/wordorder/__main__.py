"""Run the command line as ``python -m wordorder``."""

from wordorder.cli.main import program

program()
