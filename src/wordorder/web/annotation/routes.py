"""The addresses of annotation, below those of the API."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Query, Response
from pydantic import BaseModel, Field

from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile
from wordorder.web.annotation.agreement import annotator_agreement
from wordorder.web.annotation.project import (
    LinkedSentence,
    Project,
    StaleVersion,
    exported,
    link_formats,
)
from wordorder.web.api import BASE, REFUSALS
from wordorder.web.schemas import Pairs, Refusal, Strict

LARGEST = 2**31
# The project checks names, with a message for people; here the pattern is for programs.
Annotator = Annotated[
    str, Path(description="letters, digits, - and _", json_schema_extra={"pattern": r"^\w[\w-]{0,39}$"})
]
Sentence = Annotated[int, Path(ge=1, le=LARGEST)]


class LinksUpdate(Strict):
    """New links of a sentence, and the version that they change."""

    version: Annotated[int, Field(ge=0, le=LARGEST)]
    sure: Pairs
    possible: Pairs = Field(default_factory=list)
    done: bool = False


class SentenceState(BaseModel):
    """The links of a sentence by one annotator."""

    sentence: int
    version: int
    done: bool
    sure: list[list[int]]
    possible: list[list[int]]


class SentenceAnswer(SentenceState):
    """The same, with the words and the predicted links."""

    source: list[str]
    target: list[str]
    predicted: list[list[int]]


class ConflictAnswer(Refusal):
    """The sentence was changed elsewhere; its current state."""

    current: SentenceState


class AnnotatorEntry(BaseModel):
    """An annotator, and how many sentences are begun and done."""

    name: str
    begun: int
    done: int


class ProjectAnswer(BaseModel):
    """The project: its size, its annotators, and the formats of its links."""

    sentences: int
    annotators: list[AnnotatorEntry]
    formats: list[str]


class ProgressAnswer(BaseModel):
    """Sentences, by number from 1, that an annotator has begun or done."""

    sentences: int
    begun: list[int]
    done: list[int]


class AgreementEntry(BaseModel):
    """How far two annotators agree on the sentences that both have done."""

    annotators: list[str]
    sentences: int
    links: float | None
    sure: float | None
    orders: dict[str, float | None]
    disputed: list[tuple[int, float]]


class AgreementAnswer(BaseModel):
    """All pairs of annotators."""

    pairs: list[AgreementEntry]


def annotation_routes(project: Project) -> APIRouter:
    """Return the addresses of a project."""
    router = APIRouter(prefix=f"{BASE}/annotation", responses=REFUSALS, tags=["annotation"])

    @router.get("", response_model=ProjectAnswer)
    async def overview() -> Any:
        """Describe the project."""
        people = []
        for name in project.annotators:
            begun, done = progress_of(project.states(name))
            people.append({"name": name, "begun": len(begun), "done": len(done)})
        return {"sentences": len(project), "annotators": people, "formats": link_formats()}

    @router.get("/agreement", response_model=AgreementAnswer)
    async def agreement() -> Any:
        """Compare the annotators with each other."""
        found = await asyncio.to_thread(annotator_agreement, project)
        return {"pairs": [pair.as_dict() for pair in found]}

    @router.get("/by/{annotator}", response_model=ProgressAnswer)
    async def progress(annotator: Annotator) -> Any:
        """List what an annotator has done."""
        begun, done = progress_of(project.states(annotator))
        return {"sentences": len(project), "begun": begun, "done": done}

    @router.get("/by/{annotator}/links", response_class=Response)
    async def links(
        annotator: Annotator,
        format: Annotated[str, Query(max_length=100, pattern=r"^[a-z_]+(:[a-z0-9_=,]+)?$")] = "pharaoh",
        possible: Literal["keep", "sure", "drop"] = "keep",
        done: bool = False,
    ) -> Response:
        """Return the links of an annotator as a file."""
        data = await asyncio.to_thread(exported, project, annotator, format, possible=possible, done=done)
        name = f"links.{format.partition(':')[0]}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="text/plain; charset=utf-8", headers=headers)

    @router.get("/by/{annotator}/{sentence}", response_model=SentenceAnswer)
    async def sentence(annotator: Annotator, sentence: Sentence) -> Any:
        """Return the words and links of a sentence."""
        state = project.state(annotator, sentence)
        predicted: Alignment = project.predicted[sentence - 1]
        words = {"source": project.source[sentence - 1], "target": project.target[sentence - 1]}
        return {**plain(state), **words, "predicted": [list(link) for link in predicted.links]}

    @router.put(
        "/by/{annotator}/{sentence}",
        response_model=SentenceState,
        responses={
            409: {"model": ConflictAnswer},
            507: {"model": Refusal, "description": "The links cannot be written to the disk"},
        },
    )
    async def save(annotator: Annotator, sentence: Sentence, update: LinksUpdate) -> Any:
        """Save the links of a sentence; they are on the disk when this is answered."""
        pairs = [tuple((i, j) for i, j in side) for side in (update.sure, update.possible)]
        state = LinkedSentence(sentence, update.version, update.done, pairs[0], pairs[1])
        try:
            return plain(await asyncio.to_thread(project.save, annotator, state))
        except StaleVersion as stale:
            answer = ConflictAnswer(error=stale.message, current=SentenceState(**plain(stale.current)))
            return Response(answer.model_dump_json(), 409, media_type="application/json")
        except BadFile as error:  # a full disk, for example: nothing is wrong with the request
            why = error.message.removeprefix(f"{error.file}: ")
            raise HTTPException(507, f"the links are not saved: the file {why}") from None

    return router


def progress_of(states: list[LinkedSentence]) -> tuple[list[int], list[int]]:
    """Return the numbers of the sentences that are begun, and of those that are done."""
    begun = [state.sentence for state in states if state.version]
    return begun, [state.sentence for state in states if state.done]


def plain(state: LinkedSentence) -> dict[str, Any]:
    """Return plain data."""
    data = state.as_dict()
    return data | {kind: [list(link) for link in data[kind]] for kind in ("sure", "possible")}
