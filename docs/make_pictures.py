"""Write the pictures of README.md: ``python docs/make_pictures.py`` (``--check``: are they up to date?)."""

from __future__ import annotations

import sys
from pathlib import Path

from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree
from wordorder.draw import tree_svg

FOLDER = Path(__file__).parent / "pictures"


def pictures() -> dict[str, str]:
    """The content of each file."""
    words = ["I", "will", "wait", "for", "you", "tomorrow"]
    return {"tree.svg": tree_svg(tree(Permutation.parse("2 4 5 6 1 3"), words))}


def main() -> None:
    """Write, or check."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in pictures().items():
        path = FOLDER / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != content:
                sys.exit(f"{path} is out of date: run python {Path(__file__).name}")
        else:
            path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
