"""The application: API, pages and checks together."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from wordorder._version import __version__
from wordorder.errors import WordOrderError
from wordorder.web import limits
from wordorder.web.annotation.project import Project
from wordorder.web.annotation.routes import annotation_routes
from wordorder.web.api import BASE, api_routes
from wordorder.web.guard import Access, Guard
from wordorder.web.pages import page_routes
from wordorder.web.pool import Pool
from wordorder.web.reports import ReportJobs, report_routes
from wordorder.web.schemas import first_problem

ABOUT = """\
Word order in translation: scores, permutation trees, predicted orders, links and choices among candidates.
The numbers are those of the command line and of Python. A refused request is answered by `{"error": "..."}`.
"""


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """What a server offers, and to whom."""

    access: Access = field(default_factory=lambda: Access("127.0.0.1"))
    workers: int = 2
    seconds: float = limits.SECONDS
    aligner: str | None = None
    project: Project | None = None  # of annotation


def make_app(settings: ServerSettings) -> ASGIApp:
    """Build the application."""
    pool = Pool(settings.workers, {"aligner": settings.aligner}, seconds=settings.seconds)

    folder = tempfile.TemporaryDirectory(prefix="wordorder-")
    jobs = ReportJobs(Path(folder.name))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        try:
            yield
        finally:
            await jobs.stop()
            await pool.stop()
            folder.cleanup()

    app = FastAPI(
        title="wordorder", version=__version__, description=ABOUT, openapi_url=f"{BASE}/openapi.json",
        docs_url=None, redoc_url=None, lifespan=lifespan, redirect_slashes=False,
    )  # fmt: skip
    app.include_router(api_routes(pool))
    app.include_router(report_routes(jobs))
    app.include_router(page_routes(annotation=settings.project is not None))
    if settings.project is not None:
        app.include_router(annotation_routes(settings.project))

    @app.exception_handler(WordOrderError)
    async def wrong(request: Request, error: WordOrderError) -> Response:
        return refusal(422, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return refusal(422, first_problem(error.errors()))

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        return refusal(error.status_code, str(error.detail), error.headers)

    return Guard(app, settings.access)


def refusal(status: int, why: str, headers: Any = None) -> Response:
    """Answer with an error in one line."""
    body = orjson.dumps({"error": why.encode("utf-8", "replace").decode()})
    return Response(body, status, media_type="application/json", headers=headers)
