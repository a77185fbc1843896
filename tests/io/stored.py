"""Models for tests of finding and installing them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wordorder.io.model_folder import save_folder
from wordorder.io.model_store import KINDS

CARD = "# mine: Dutch into English\n\nThe model is available under\nCC BY-SA 4.0; it has no text.\n"


def make_model(home: Path, label: str, *, card: str = CARD, weight: float = 1.0) -> Path:
    kind = label.partition("/")[0]
    save_folder(home / label, *KINDS[kind], {"method": "x"}, {"w": np.full(3, weight)}, card=card)
    return home / label
