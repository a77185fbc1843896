"""What Python runs when it starts under a sanitizer; tools/sanitize.sh installs it as ``sitecustomize``.

The library of the sanitizer must be loaded first, but into Python only: other programs hang or run out of
memory with it. So each Python starts again with it, and does not pass it on.
"""

import os
import resource
import sys

set_limit = resource.setrlimit


def set_other_limit(which: int, limits: tuple[int, int]) -> None:
    """Set a limit, unless it is one of memory: the tables of the sanitizer take terabytes of addresses."""
    if which not in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        set_limit(which, limits)


if __name__ == "sitecustomize":
    library = os.environ["WO_SANITIZER"]
    if os.environ.pop("LD_PRELOAD", None) != library:
        os.execve(sys.executable, sys.orig_argv, {**os.environ, "LD_PRELOAD": library})
    resource.setrlimit = set_other_limit
