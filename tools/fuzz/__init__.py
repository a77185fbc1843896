"""Fuzzing: every reader, model loader and kernel is given damaged input, and must answer with one clear line.

A *case* is a folder of files, made from a seed by a few random changes; the same number always makes the
same case. A *target* is a function that reads such a folder. It may succeed, or raise a ``WordOrderError``
whose message is one line that names the file. Anything else is a finding: another exception, a warning, a
crash, too much time or memory. Run ``python -m tools.fuzz --help``.
"""
