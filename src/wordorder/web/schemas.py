"""Requests and answers of the API, version 1: their fields, limits and documentation."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from wordorder.web import limits

# Text without "/" and "\": no setting of a metric can name a file of this machine.
SETTING = r"[a-z_]{1,40}=[A-Za-z0-9_.+@()-]{1,80}"
METRIC = rf"^[a-z_0-9]{{1,40}}(:{SETTING}(,{SETTING}){{0,20}})?$"
NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$"
DIGITS = r"^[0-9]{1,2000}$"  # numbers of trees may have hundreds of digits

LINE = r"^[^\r\n]*$"  # the kernels separate sentences by line breaks
Text = Annotated[str, Field(max_length=limits.CHARACTERS, pattern=LINE)]
Texts = Annotated[list[Text], Field(max_length=limits.SENTENCES)]
MetricSpec = Annotated[str, Field(pattern=METRIC, examples=["kendall", "recpef:beta=0.6"])]
Place = Annotated[int, Field(ge=0, le=limits.WORDS)]
Places = Annotated[list[Place], Field(max_length=limits.WORDS)]
PermutationLike = Places | Text
Size = Annotated[int, Field(ge=0, le=limits.WORDS)]
LinkPair = Annotated[list[Place], Field(min_length=2, max_length=2)]
Pairs = Annotated[list[LinkPair], Field(max_length=20 * limits.WORDS)]
Number = Annotated[float, Field(allow_inf_nan=False)]


def first_problem(errors: Any) -> str:
    """Write the first problem of a request in one line, with the field that it is about."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body" and not _is_branch(part))[:200]
    message = first["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _is_branch(part: object) -> bool:
    """Whether part of a place names a type that a field may have, such as ``list[constrained-int]``."""
    return isinstance(part, str) and ("[" in part or part.startswith("constrained-"))


class Strict(BaseModel):
    """A request: unknown fields are errors, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


class Refusal(BaseModel):
    """Why a request was refused, in one line."""

    error: str


class LinksRequest(Strict):
    """The links of two sentences: pairs of positions from 0, or text such as ``0-0 1-2 2p2``."""

    source: Text = Field(description="words, separated by spaces")
    target: Text = Field(description="words, separated by spaces")
    sure: Pairs | None = None
    possible: Pairs | None = None
    text: Text | None = Field(None, description="Pharaoh format, instead of `sure` and `possible`")
    base: Literal[0, 1] = Field(0, description="smallest number in `text`")

    @model_validator(mode="after")
    def _given_once(self) -> Self:
        if self.text is not None and (self.sure is not None or self.possible is not None):
            raise ValueError("give the links as text, or as sure and possible pairs, not as both")
        return self


class ScoreRequest(Strict):
    """Score permutations, or hypotheses against references."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"metrics": ["kendall", "recpef"], "permutations": ["2 4 5 6 1 3"]},
                {"metrics": ["full"], "hypotheses": ["a b"], "references": [["b a"]]},
            ]
        },
    )
    metrics: Annotated[list[MetricSpec], Field(min_length=1, max_length=limits.METRICS)] = ["kendall"]
    permutations: Annotated[list[PermutationLike], Field(max_length=limits.SENTENCES)] | None = Field(
        None, description="the place of each word; numbers from 0 or from 1, as text or as lists"
    )
    order: bool = Field(False, description="numbers say which word is read next, not the places of words")
    hypotheses: Texts | None = None
    references: Annotated[list[Texts], Field(min_length=1, max_length=limits.REFERENCES)] | None = Field(
        None, description="streams of references: `[references]` for one"
    )
    bootstrap: Annotated[int, Field(ge=0, le=limits.BOOTSTRAP)] = Field(
        0, description="resamples for 95 % intervals"
    )
    seed: Annotated[int, Field(ge=0, le=2**31)] = 12345
    segments: bool = Field(False, description="also return the score of every segment")

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        texts = self.hypotheses is not None and self.references is not None
        if (self.hypotheses is None) != (self.references is None) or texts == (self.permutations is not None):
            raise ValueError("give permutations, or hypotheses and references")
        return self


class MetricScore(BaseModel):
    """The score of one metric; of a single segment also its equation, and the numbers that stand in it."""

    metric: str
    score: float | None
    low: float | None
    high: float | None
    signature: str
    range: list[float | None]
    higher_is_better: bool
    words: int
    matched: float | None
    equation: str | None = Field(None, description="with {names} for the terms; empty if there is none")
    terms: dict[str, float | None] | None = None
    segments: list[float | None] | None = None


class ScoreAnswer(BaseModel):
    """Scores in the order of the metrics."""

    scores: list[MetricScore]


class TreeRequest(Strict):
    """The tree of a permutation, or of the order that links give to the words of a source sentence."""

    permutation: PermutationLike | None = Field(None, examples=["2 4 5 6 1 3"])
    order: bool = False
    links: LinksRequest | None = None
    policy: Annotated[str, Field(pattern=METRIC)] = Field(
        "talbot", description="how links become an order, as for `wordorder orders --policy`"
    )
    words: (
        Annotated[list[Annotated[str, Field(max_length=1000, pattern=LINE)]], Field(max_length=limits.WORDS)]
        | None
    ) = None
    number: Annotated[str, Field(pattern=DIGITS)] | None = Field(
        None, description="which of the trees, from 0; without it, the flat tree of all of them"
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.permutation is None) == (self.links is None):
            raise ValueError("give a permutation or links")
        return self


class TreeNode(BaseModel):
    """An inner node: a span of words, ``begin`` to ``end`` - 1, with its operator (places from 1)."""

    begin: int
    end: int
    kind: Literal["monotone", "inverted", "prime"]
    operator: list[int]
    children: list[list[int]]


class ReferenceOrder(BaseModel):
    """The order that links give to the source words, and how far it can be relied on."""

    text: str = Field(description="words in reference order, with {{ }} around those in any order")
    groups: list[list[int]]
    unlinked: list[int]
    coverage: float
    target_coverage: float | None
    warnings: list[str]


class TreeAnswer(BaseModel):
    """A tree: nodes in preorder. ``count`` is the number of trees, as text because it may be very large."""

    ranks: list[int]
    words: list[str] | None
    count: str
    number: str | None
    nodes: list[TreeNode]
    brackets: str
    sure: list[list[int]] | None = None
    possible: list[list[int]] | None = None
    reference: ReferenceOrder | None = None


class DrawRequest(TreeRequest):
    """A picture of a permutation or of links, as `wordorder draw` draws it."""

    picture: Literal["tree", "forest", "curves", "matrix", "anticipation"] = "tree"
    format: Literal["svg", "tikz", "latex"] = "svg"
    width: Annotated[int, Field(ge=300, le=10_000)] = 1200
    title: Text | None = None


class DrawAnswer(BaseModel):
    """A picture as text."""

    content: str
    media_type: str


class ReorderRequest(Strict):
    """Put sentences into the word order of another language, by an installed model."""

    model: Annotated[str, Field(pattern=NAME, examples=["en-ja-crf"])]
    sentences: Annotated[list[Text], Field(min_length=1, max_length=limits.SENTENCES)]
    language: Annotated[str, Field(pattern=r"^[a-z]{2,8}$")] | None = Field(
        None, description="target language, for models that know several"
    )
    nbest: Annotated[int, Field(ge=1, le=limits.NBEST)] = 1
    tree: bool = Field(True, description="return the tree behind the best order, which is another search")
    precedence: bool = Field(False, description="return probabilities that word i comes before word j")
    explain: bool = Field(False, description="hide each word in turn, and return which of them matter")


class ReorderedCandidate(BaseModel):
    """One order of a sentence: source positions as they are read."""

    order: list[int]
    text: str
    loss: float | None
    log_probability: float | None


class ReorderedSentence(BaseModel):
    """A sentence, its orders from the best on, and the tree behind the best."""

    words: list[str]
    ranks: list[int]
    candidates: list[ReorderedCandidate]
    tree: str = Field(description="in Penn brackets; empty if it was not asked for")
    precedence: list[list[float]] | None = None
    explanation: dict[str, Any] | None = None


class ReorderAnswer(BaseModel):
    """Sentences in the order in which they were asked about."""

    model: str
    signature: str
    sentences: list[ReorderedSentence]


class AlignRequest(Strict):
    """Link the words of sentence pairs.

    ``match`` links equal words of one language, as metrics of text do. The other methods link two languages.
    They are trained on the pairs of the request, unless the server was started with a trained aligner.
    """

    method: Literal["match", "hmm", "ibm1"] = "hmm"
    source: Annotated[list[Text], Field(min_length=1, max_length=limits.SENTENCES)]
    target: Annotated[list[Text], Field(min_length=1, max_length=limits.SENTENCES)]
    symmetrise: Literal[
        "grow-diag-final-and",
        "grow-diag-final",
        "grow-diag",
        "intersection",
        "union",
        "forward",
        "reverse",
        "posterior",
    ] = "grow-diag-final-and"
    metric: MetricSpec = Field("kendall", description="for `match`: the metric whose matching is used")


class AlignedPair(BaseModel):
    """Two sentences as words, and links between them; ``scores`` are probabilities of links."""

    source: list[str]
    target: list[str]
    links: list[list[int]]
    scores: list[float] | None
    ranks: list[int] | None = Field(None, description="for `match`: places of the matched words")


class AlignAnswer(BaseModel):
    """Links, and what they were computed from."""

    pairs: list[AlignedPair]
    trained_on: str
    notes: list[str]


class ChooseRequest(Strict):
    """Choose among the candidates for each sentence by minimum Bayes risk."""

    metric: MetricSpec = "chrf"
    candidates: Annotated[
        list[Annotated[list[Text], Field(min_length=1, max_length=limits.CANDIDATES)]],
        Field(min_length=1, max_length=limits.SENTENCES),
    ]
    scores: (
        Annotated[
            list[Annotated[list[Number], Field(max_length=limits.CANDIDATES)]],
            Field(max_length=limits.SENTENCES),
        ]
        | None
    ) = Field(None, description="model scores, one per candidate; they count with a temperature")
    temperature: Annotated[float, Field(gt=0, le=1e6)] | None = None
    method: Literal["exact", "pruned", "aggregate"] = "exact"
    top: Annotated[int, Field(ge=1, le=limits.CANDIDATES)] = 1


class ChosenCandidate(BaseModel):
    """A candidate and its expected score."""

    text: str
    value: float


class ChooseAnswer(BaseModel):
    """The best candidates of each sentence, the best first."""

    signature: str
    choices: list[list[ChosenCandidate]]


class ModelEntry(BaseModel):
    """An installed model."""

    name: str
    title: str
    method: str
    languages: list[str]


class ModelsAnswer(BaseModel):
    """The models for `reorder`, and the aligner that the server was started with."""

    models: list[ModelEntry]
    aligner: str | None


class MetricEntry(BaseModel):
    """A metric: what it measures, its range, and whether it can score permutations."""

    name: str
    about: str
    range: list[float | None]
    higher_is_better: bool
    permutations: bool
    settings: dict[str, Any]
    signature: str


class MetricsAnswer(BaseModel):
    """All metrics by name."""

    metrics: list[MetricEntry]
