"""The device on which a network is trained; needs torch, the extra ``neural``."""

from __future__ import annotations

import torch

from wordorder.errors import BadSetting


def training_device(name: str) -> str:
    """Return a device that works; ``auto`` is a GPU if there is one, else the CPU."""
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError) as error:
        raise BadSetting(f"training: device is {name!r}: {str(error).splitlines()[0]}") from None
    return name
