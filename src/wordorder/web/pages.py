"""The pages of the server and their scripts: all of them come with the package, and nothing else is sent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from wordorder._version import __version__
from wordorder.page.document import SCRIPTS, STYLES, asset, escape

TYPES = {"js": "text/javascript", "css": "text/css"}
VIEWS = ("api.js", "words.js", "scores.js", "explore.js", "reorder.js", "report_view.js", "main.js")
ANNOTATION = ("api.js", "link_editor.js", "annotate.js")
OWN_STYLES = ("app.css",)

SHORTCUTS = (
    ("1 2 3", "open a view"),
    ("/", "go to the input"),
    ("[ ]", "previous and next tree"),
    ("Alt ← →", "move the word that has the focus"),
    ("← →", "walk through the words of a picture or of a row"),
    ("?", "this help"),
)
ANNOTATION_SHORTCUTS = (
    ("↑ ↓", "walk through the words of a sentence"),
    ("← →", "go to the other sentence"),
    ("Enter", "choose a word; then, in the other sentence: no link, sure, possible"),
    ("s p Del", "make a link sure or possible, remove it"),
    ("Ctrl Z", "undo; with Shift: redo"),
    ("n b", "next and previous sentence"),
    ("d", "done, and on to the next open sentence"),
    ("?", "this help"),
)


def assets() -> dict[str, bytes]:
    """Return all scripts and style sheets by name; they are read once, so that no request names a file."""
    shared = {name: asset(name) for name in (*SCRIPTS, *STYLES)}
    own = {name: asset(name, "wordorder.web") for name in (*VIEWS, *ANNOTATION, *OWN_STYLES)}
    return {name: text.encode("utf-8") for name, text in {**shared, **own}.items()}


def page_routes(*, annotation: bool = False) -> APIRouter:
    """Return the addresses of the pages and their assets; the page of annotation only if it is wanted."""
    router = APIRouter(include_in_schema=False)
    files = assets()
    pages = {"/": page("wordorder", '<main id="view"></main>', VIEWS, SHORTCUTS, annotation=annotation)}
    if annotation:
        body = asset("annotate.html", "wordorder.web")
        pages["/annotate"] = page("Annotate", body, ANNOTATION, ANNOTATION_SHORTCUTS, annotation=True)

    @router.get("/assets/{name}")
    async def file(name: str) -> Response:
        if name not in files:
            raise HTTPException(404, "there is no such file")
        return Response(files[name], media_type=TYPES[name.rpartition(".")[2]])

    for path, text in pages.items():
        router.add_route(path, partial(_shown, text=text))
    return router


async def _shown(request: Request, text: str) -> Response:
    return Response(text, media_type="text/html")


def page(
    title: str, body: str, scripts: Sequence[str], keys: Sequence[tuple[str, str]], *, annotation: bool
) -> str:
    """Return a page; its scripts and styles are those of the server, as its policy demands."""
    links = "\n".join(f'<link rel="stylesheet" href="/assets/{name}">' for name in (*STYLES, *OWN_STYLES))
    loads = "\n".join(f'<script src="/assets/{name}"></script>' for name in (*SCRIPTS, *scripts))
    listed = "".join(f"<dt><kbd>{escape(key)}</kbd></dt><dd>{escape(what)}</dd>" for key, what in keys)
    entries = {
        "explore": "/#explore",
        "reorder": "/#reorder",
        "report": "/#report",
        **({"annotate": "/annotate"} if annotation else {}),
    }
    views = "".join(f'<a href="{a}" data-view="{v}">{v.capitalize()}</a>' for v, a in entries.items())
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
<a class="skip" href="#view">Skip to the content</a>
<header>
<h1><a href="/">wordorder</a></h1>
<nav aria-label="Views">{views}</nav>
<button type="button" id="show-help">Keys</button>
</header>
{body}
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl>{listed}</dl>
<form method="dialog"><button>Close</button></form>
</dialog>
<footer>wordorder {escape(__version__)} · everything stays on this machine</footer>
<div id="said" class="hidden" role="status"></div>
{loads}
</body>
</html>
"""
