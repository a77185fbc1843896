"""The pages of the server and their scripts: all of them come with the package, and nothing else is sent."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from wordorder._version import __version__
from wordorder.page.document import SCRIPTS, STYLES, asset, escape

TYPES = {"js": "text/javascript", "css": "text/css"}
OWN_SCRIPTS = ("api.js", "words.js", "scores.js", "explore.js", "reorder.js", "main.js")
OWN_STYLES = ("app.css",)

SHORTCUTS = (
    ("1 2 3", "open a view"),
    ("/", "go to the input"),
    ("[ ]", "previous and next tree"),
    ("Alt ← →", "move the word that has the focus"),
    ("← →", "walk through the words of a picture or of a row"),
    ("?", "this help"),
)


def assets() -> dict[str, bytes]:
    """Return all scripts and style sheets by name; they are read once, so that no request names a file."""
    shared = {name: asset(name) for name in (*SCRIPTS, *STYLES)}
    own = {name: asset(name, "wordorder.web") for name in (*OWN_SCRIPTS, *OWN_STYLES)}
    return {name: text.encode("utf-8") for name, text in {**shared, **own}.items()}


def page_routes() -> APIRouter:
    """Return the addresses of the pages and their assets."""
    router = APIRouter(include_in_schema=False)
    files = assets()

    @router.get("/")
    async def index() -> Response:
        return Response(page("wordorder", INDEX, OWN_SCRIPTS), media_type="text/html")

    @router.get("/assets/{name}")
    async def file(name: str) -> Response:
        if name not in files:
            raise HTTPException(404, "there is no such file")
        return Response(files[name], media_type=TYPES[name.rpartition(".")[2]])

    return router


def page(title: str, body: str, scripts: Sequence[str]) -> str:
    """Return a page; its scripts and styles are those of the server, as its policy demands."""
    links = "\n".join(f'<link rel="stylesheet" href="/assets/{name}">' for name in (*STYLES, *OWN_STYLES))
    loads = "\n".join(f'<script src="/assets/{name}"></script>' for name in (*SCRIPTS, *scripts))
    keys = "".join(f"<dt><kbd>{escape(key)}</kbd></dt><dd>{escape(what)}</dd>" for key, what in SHORTCUTS)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
{links}
</head>
<body>
{body}
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl>{keys}</dl>
<form method="dialog"><button>Close</button></form>
</dialog>
<footer>wordorder {escape(__version__)} · everything stays on this machine</footer>
<div id="said" class="hidden" role="status"></div>
{loads}
</body>
</html>
"""


INDEX = """<a class="skip" href="#view">Skip to the content</a>
<header>
<h1><a href="/">wordorder</a></h1>
<nav aria-label="Views">
<a href="#explore" data-view="explore">Explore</a>
<a href="#reorder" data-view="reorder">Reorder</a>
</nav>
<button type="button" id="show-help">Keys</button>
</header>
<main id="view"></main>"""
