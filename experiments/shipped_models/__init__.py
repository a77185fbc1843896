"""Training of the models that come with the package, and with wordorder-models."""

from __future__ import annotations

from tools.model_catalogue import MODELS
from tools.pages import ROOT

GRAMMARS = ROOT / "src" / "wordorder" / "data" / "preorder"
NETWORKS = MODELS / "preorder"
PARSERS = MODELS / "parse"
