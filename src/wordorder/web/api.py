"""The addresses of the API, version 1."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from wordorder.web.pool import Pool, Unavailable
from wordorder.web.schemas import (
    AlignAnswer,
    AlignRequest,
    ChooseAnswer,
    ChooseRequest,
    DrawAnswer,
    DrawRequest,
    MetricsAnswer,
    ModelsAnswer,
    Refusal,
    ReorderAnswer,
    ReorderRequest,
    ScoreAnswer,
    ScoreRequest,
    TreeAnswer,
    TreeRequest,
)

BASE = "/api/v1"
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Refusal, "description": "Not a request of this API"},
    401: {"model": Refusal, "description": "The token is missing"},
    403: {"model": Refusal, "description": "Sent by a page of another server"},
    404: {"model": Refusal, "description": "There is nothing of this name"},
    408: {"model": Refusal, "description": "The request arrived too slowly"},
    413: {"model": Refusal, "description": "Too large"},
    415: {"model": Refusal, "description": "Not JSON"},
    421: {"model": Refusal, "description": "The Host is not a name of this server"},
    422: {"model": Refusal, "description": "The request cannot be understood"},
    429: {"model": Refusal, "description": "Too many reports are being made"},
    503: {"model": Refusal, "description": "The request took too long, or too many others wait"},
}


def api_routes(pool: Pool) -> APIRouter:
    """Return the addresses, whose work is done by a pool."""
    router = APIRouter(prefix=BASE, responses=REFUSALS)

    async def answered(operation: str, request: Request) -> Response:
        try:
            status, body = await pool.run(operation, await request.body())
        except Unavailable as reason:
            status, body = 503, Refusal(error=str(reason)).model_dump_json().encode()
        return Response(body, status, media_type="application/json")

    @router.post("/score", response_model=ScoreAnswer, tags=["measure"])
    async def score(body: ScoreRequest, request: Request) -> Response:
        """Score permutations, or hypotheses against references, with any metrics."""
        return await answered("score", request)

    @router.post("/tree", response_model=TreeAnswer, tags=["measure"])
    async def tree(body: TreeRequest, request: Request) -> Response:
        """Return the tree of a permutation or of links, or one of the trees of its forest by number."""
        return await answered("tree", request)

    @router.post("/draw", response_model=DrawAnswer, tags=["measure"])
    async def draw(body: DrawRequest, request: Request) -> Response:
        """Draw a permutation or links as SVG, TikZ or LaTeX."""
        return await answered("draw", request)

    @router.post("/align", response_model=AlignAnswer, tags=["measure"])
    async def align(body: AlignRequest, request: Request) -> Response:
        """Link words: of one language by matching, of two languages by a statistical aligner."""
        return await answered("align", request)

    @router.post("/reorder", response_model=ReorderAnswer, tags=["predict"])
    async def reorder(body: ReorderRequest, request: Request) -> Response:
        """Put sentences into the word order of another language."""
        return await answered("reorder", request)

    @router.post("/choose", response_model=ChooseAnswer, tags=["predict"])
    async def choose(body: ChooseRequest, request: Request) -> Response:
        """Choose among candidate translations by minimum Bayes risk."""
        return await answered("choose", request)

    lists: dict[str, Response] = {}  # which do not change while the server runs

    async def listed(name: str, request: Request) -> Response:
        found = lists.get(name) or await answered(name, request)
        if found.status_code == 200:
            lists[name] = found
        return found

    @router.get("/metrics", response_model=MetricsAnswer, tags=["lists"])
    async def metrics(request: Request) -> Response:
        """List the metrics."""
        return await listed("metrics", request)

    @router.get("/models", response_model=ModelsAnswer, tags=["lists"])
    async def models(request: Request) -> Response:
        """List the models for reordering."""
        return await listed("models", request)

    return router
