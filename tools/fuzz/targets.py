"""All targets by name."""

from __future__ import annotations

from tools.fuzz.kernels import kernels
from tools.fuzz.loaders import loaders
from tools.fuzz.readers import readers
from tools.fuzz.target import Target


def targets() -> dict[str, Target]:
    """Return the targets: readers, loaders and kernels."""
    return {target.name: target for target in (*readers(), *loaders(), *kernels())}
