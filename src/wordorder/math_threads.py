"""The threads of numerical libraries, which start as many as there are cores unless they are told not to.

A library reads its variable when it is loaded: this module imports nothing that would load one.
"""

from __future__ import annotations

import os

VARIABLES = (
    "OPENBLAS_NUM_THREADS",  # numpy's own
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "OMP_NUM_THREADS",
)
_OURS = "WORDORDER_SET_THREADS"  # the variables that were set here, not by the user


def use_one_math_thread() -> None:
    """Let numerical libraries use one thread, also in started processes, unless the user chose a number."""
    ours = [name for name in VARIABLES if name not in os.environ]
    if ours:
        os.environ |= {**dict.fromkeys(ours, "1"), _OURS: " ".join(ours)}


def environment_of_user() -> dict[str, str]:
    """Return the environment as the user set it, for programs that are not ours."""
    ours = {_OURS, *os.environ.get(_OURS, "").split()}
    return {name: value for name, value in os.environ.items() if name not in ours}
