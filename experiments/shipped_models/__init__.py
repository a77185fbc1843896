"""Training of the preordering models that come with the package."""

from __future__ import annotations

from tools.pages import ROOT

HOME = ROOT / "src" / "wordorder" / "data" / "preorder"
