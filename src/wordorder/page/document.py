"""Self-contained HTML documents: style, scripts and data in one file that asks the network for nothing.

Scripts run only if their hash is listed in the Content-Security-Policy of the document, so text that
looks like a script cannot run even if it reached the markup. Data is embedded as JSON, which the scripts
of the page read and show as text.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

# In the order in which they are loaded: later ones use earlier ones.
SCRIPTS = (
    "element.js", "tree.js", "forest.js", "link.js", "sentence.js", "picture_tree.js", "picture_forest.js",
    "picture_curves.js", "picture_matrix.js", "picture_anticipation.js", "table.js",
)  # fmt: skip
STYLES = ("page.css",)

_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_ESCAPES = {"<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def asset(name: str, package: str = "wordorder.page") -> str:
    """Return the text of a script or style sheet of the package.

    >>> "wo.tree" in asset("tree.js")
    True
    """
    return (files(package) / "assets" / name).read_text(encoding="utf-8")


def document(
    title: str,
    *,
    body: str = "",
    data: Mapping[str, Any] | None = None,
    scripts: Iterable[str] = (),
    styles: Iterable[str] = (),
    connect: bool = False,
) -> str:
    """Return an HTML document with the shared style and scripts, followed by those given.

    ``body`` is markup, and its writer escapes what is text in it. ``data`` maps names to values that are
    embedded as JSON: a script reads one with ``wo.data(name)``, which parses it when it is asked for.
    With ``connect``, scripts may talk to the server that sent the document, and to no other.

    >>> page = document("a < b", data={"words": ["</script>"]})
    >>> "<title>a &lt; b</title>" in page, "</script>" in page.split('id="data-words">')[1][:20]
    (True, False)
    """
    every_script = [*map(asset, SCRIPTS), *scripts]
    every_style = [*map(asset, STYLES), *styles]
    blocks = [
        f'<script type="application/json" id="data-{html.escape(name)}">{embedded(value)}</script>'
        for name, value in (data or {}).items()
    ]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(every_script, connect)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title>",
            *(f"<style>{style}</style>" for style in every_style),
            "</head>",
            "<body>",
            body,
            *blocks,
            *(f"<script>{script}</script>" for script in every_script),
            "</body>",
            "</html>",
            "",
        ]
    )


def escape(text: str) -> str:
    """Escape text for markup and for quoted attributes; what HTML cannot hold becomes U+FFFD.

    >>> escape('<img src="x">')
    '&lt;img src=&quot;x&quot;&gt;'
    """
    return html.escape(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def embedded(value: Any) -> str:
    """Write a value as JSON that can stand in a script element.

    Lone surrogates are written as JSON escapes, because UTF-8 has no bytes for them; NaN and infinite
    numbers become null.

    >>> embedded(["</script>", "\\ud800", float("nan")])
    '["\\\\u003c/script>","\\\\ud800",null]'
    """
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))
    for character, written in _ESCAPES.items():
        text = text.replace(character, written)
    # "backslashreplace" writes a surrogate as JSON does.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _plain(value: Any) -> Any:
    """Return the value in types that JSON has."""
    if isinstance(value, str | bool | int | None):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    return [_plain(item) for item in value]


def _policy(scripts: Sequence[str], connect: bool) -> str:
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        f"connect-src {chr(39)}{'self' if connect else 'none'}{chr(39)}; base-uri 'none'; form-action 'none'"
    )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
