"""Small files for tests."""

from __future__ import annotations

from pathlib import Path


def written(folder: Path, name: str, *lines: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)
