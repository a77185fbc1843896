"""Data frames of several libraries, in and out: all give the numbers of plain lists and of the command."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordorder as wo
from tests.cli.calls import call
from wordorder.data import sample, sample_judgments
from wordorder.errors import BadSetting, WordOrderError
from wordorder.integrations.frames import LIBRARIES, column, frame_of, library_of
from wordorder.judge.agreement import agree
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.task import Task
from wordorder.metrics.registry import parse_metrics

TEXTS = {
    "system": ["a", "a", "b", "b"],
    "hypothesis": ["b a c", "d e", "a b c", "e d"],
    "reference": ["a b c", "d e", "a b c", "d e"],
}


def make(library: str, columns: dict[str, list[Any]]) -> Any:
    if library not in ("dict", "rows"):
        pytest.importorskip(library)
    return LIBRARIES[library].make(columns)


each_library = pytest.mark.parametrize("library", list(LIBRARIES))


@each_library
def test_the_result_is_a_frame_of_the_same_library(library: str) -> None:
    frame = make(library, TEXTS)
    assert library_of(frame) == library
    scores = wo.score(frame, "kendall,chrf", samples=50, paired="bootstrap")
    assert library_of(scores) == library
    plain = wo.score(TEXTS, "kendall,chrf", samples=50, paired="bootstrap")
    for name, expected in plain.items():
        found = column(scores, name)
        assert [None if isinstance(v, float) and math.isnan(v) else v for v in found] == expected


@each_library
def test_sentences_become_columns_beside_the_given_ones(library: str) -> None:
    frame = make(library, TEXTS)
    scored = wo.score(frame, "kendall", level="sentence")
    assert column(scored, "kendall") == [2 / 3, 1.0, 1.0, 0.0]
    assert column(scored, "matched") == [1.0] * 4
    assert "matched" not in LIBRARIES[library].names(wo.score(frame, "beer,chrf", level="sentence"))
    assert column(scored, "hypothesis") == TEXTS["hypothesis"]
    assert set(LIBRARIES[library].names(frame)) == set(TEXTS)  # the given frame is not changed
    with pytest.raises(WordOrderError, match="a column 'kendall' already"):
        wo.score(scored, "kendall", level="sentence")


@each_library
def test_several_references_in_columns_or_in_lists(library: str) -> None:
    first, second = ["a b c", "x y"], ["b a c", "d e"]
    hypotheses = ["b a c", "e d"]
    in_columns = {"hypothesis": hypotheses, "first": first, "second": second}
    in_lists = {
        "hypothesis": hypotheses,
        "reference": [list(pair) for pair in zip(first, second, strict=True)],
    }
    expected = wo.metric("kendall").corpus_score(hypotheses, [first, second])
    by_columns = wo.score(make(library, in_columns), "kendall", reference=["first", "second"], samples=0)
    by_lists = wo.score(make(library, in_lists), "kendall", samples=0)
    for scores in (by_columns, by_lists):
        assert column(scores, "score") == [expected.score]
        assert column(scores, "signature") == [expected.signature]


def test_pandas_keeps_its_index() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TEXTS, index=[7, 7, 3, 1])
    scored = wo.score(frame, "kendall", level="sentence")
    assert scored.index.tolist() == [7, 7, 3, 1] and scored["kendall"].tolist() == [2 / 3, 1.0, 1.0, 0.0]


def test_scores_are_those_of_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["system-a", "system-b"]
    systems = {name: sample(f"{name}.txt").read_text("utf-8").splitlines() for name in names}
    frame = {"reference": sample("reference.txt").read_text("utf-8").splitlines(), **systems}
    scores = wo.score(frame, "kendall,full", hypothesis=names, paired="bootstrap")
    files = [str(sample(f"{name}.txt")) for name in names]
    options = ["-m", "kendall,full", "--paired", "bootstrap", "-f", "tsv", "--names", "system-a,system-b"]
    done = call(capsys, monkeypatch, "score", "-r", str(sample("reference.txt")), *files, *options)
    head, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert list(scores) == head
    rows = zip(*scores.values(), strict=True)
    shown = [["" if cell is None else str(cell) for cell in row] for row in rows]
    assert shown == lines and len(lines) == 4
    both = wo.score(frame, "kendall", hypothesis=list(systems), level="sentence")
    assert list(both)[3:] == ["system-a kendall", "system-a matched", "system-b kendall", "system-b matched"]


def test_blocks_do_not_change_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = wo.score(TEXTS, "kendall,bleu", samples=20)
    monkeypatch.setattr("wordorder.integrations.score_frame.SEGMENTS", 1)
    assert wo.score(TEXTS, "kendall,bleu", samples=20) == whole


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text("xy ", max_size=6)), min_size=1, max_size=8))
def test_systems_are_separated_whatever_the_order_of_rows(rows: list[tuple[str, str]]) -> None:
    names = sorted({name for name, _ in rows})
    longest = max(sum(name == other for other, _ in rows) for name in names)
    full = [(name, text) for name in names for text in [t for n, t in rows if n == name] + ["x"] * longest]
    full = [row for name in names for row in [r for r in full if r[0] == name][:longest]]
    frame = {
        "system": [name for name, _ in full],
        "hypothesis": [text for _, text in full],
        "reference": ["x y x"] * len(full),
    }
    scores = wo.score(frame, "kendall", samples=0)
    for name, score in zip(scores["system"], scores["score"], strict=True):
        texts = [text for other, text in full if other == name]
        assert score == wo.metric("kendall").corpus_score(texts, [["x y x"] * len(texts)]).score


def bad(message: str, columns: dict[str, list[Any]] | None = None, **options: Any) -> Any:
    return pytest.param({**TEXTS, **(columns or {})}, {"metrics": "kendall", **options}, message, id=message)


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        bad(r"row 1 \(from 0\): 'hypothesis' is None; expected text", {"hypothesis": ["a", None, "b", "c"]}),
        bad(r"row 1 \(from 0\): 'hypothesis' holds a line break", {"hypothesis": ["a", "a\nb", "b", "c"]}),
        bad("segment 2 of system 'b' has another reference", {"reference": ["a", "b", "a", "c"]}),
        bad("system 'b' has 1 rows, 'a' has 3", {"system": ["a", "a", "a", "b"]}),
        bad("expected the name of a system", {"system": ["a", None, "a", "b"]}),
        bad(r"row 1 \(from 0\) has 0 references", {"reference": [["a"], [], ["b"], ["c"]]}),
        bad(r"row 1 \(from 0\): the reference is None", {"reference": [["a"], None, ["b"], "c"]}),
        bad("there is nothing to score", {"hypothesis": [], "reference": [], "system": []}),
        bad("Did you mean 'hypothesis'", hypothesis="hypotesis"),
        bad("name at least one column", hypothesis=[]),
        bad("set system=None", hypothesis=["hypothesis", "system"]),
        bad("unknown column 'name'", system="name"),
        bad("the systems are a, b", baseline="c"),
        bad("a test needs two systems", paired="bootstrap", system=None),
        bad("expected one of bootstrap", paired="coin"),
        bad("expected 'corpus' or 'sentence'", level="segment"),
        bad("sentences are not tested", level="sentence", paired="bootstrap"),
        bad("no metrics", metrics=[]),
        bad("Did you mean 'kendall'", metrics="kendal"),
    ],
)
def test_what_cannot_be_scored_is_explained(frame: Any, options: Any, message: str) -> None:
    with pytest.raises(WordOrderError, match=message):
        wo.score(frame, **options)


def test_what_is_not_a_frame_is_explained() -> None:
    with pytest.raises(WordOrderError, match="expected a data frame, found a list"):
        wo.score(["a b"], "kendall")
    with pytest.raises(WordOrderError, match="found a int"):
        wo.to_frame(3, "dict")
    with pytest.raises(WordOrderError, match="Did you mean 'pandas'"):
        wo.to_frame([], "panda")


def test_frames_that_are_not_there_yet_are_explained() -> None:
    polars = pytest.importorskip("polars")
    with pytest.raises(WordOrderError, match="LazyFrame: collect it first"):
        wo.score(polars.DataFrame(TEXTS).lazy(), "kendall")
    pandas = pytest.importorskip("pandas")
    twice = pandas.DataFrame([["a", "a", "a"]], columns=["hypothesis", "hypothesis", "reference"])
    with pytest.raises(WordOrderError, match="2 columns called 'hypothesis'"):
        wo.score(twice, "kendall")
    missing = pandas.DataFrame({"hypothesis": ["a", None], "reference": ["a", "b"]})
    with pytest.raises(WordOrderError, match="expected text"):
        wo.score(missing, "kendall")


def test_splits_of_datasets_are_scored_one_by_one() -> None:
    datasets = pytest.importorskip("datasets")
    splits = datasets.DatasetDict(test=datasets.Dataset.from_dict(TEXTS))
    with pytest.raises(WordOrderError, match="choose one of its splits"):
        wo.score(splits, "kendall")
    assert wo.score(splits["test"], "kendall", samples=0).num_rows == 2


def test_no_library_is_imported_for_frames_of_others() -> None:
    code = (
        "import sys, wordorder as wo\n"
        "wo.score({'hypothesis': ['a b'], 'reference': ['b a']}, 'kendall', samples=0)\n"
        "others = {'pandas', 'polars', 'pyarrow', 'datasets', 'spacy', 'evaluate'} & set(sys.modules)\n"
        "sys.exit(repr(others) if others else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_library_that_is_not_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(BadSetting, match="pip install pandas"):
        frame_of([{"a": 1}], "pandas")


@each_library
def test_evaluations_become_frames(library: str) -> None:
    make(library, {"a": [1]})
    gold = [wo.Alignment(2, 2, [(0, 1), (1, 0)])] * 3
    evaluation = wo.evaluate_orders(gold, {"swap": [wo.Permutation([1, 0])] * 3}, samples=50)
    frame = wo.to_frame(evaluation, library)
    names = ("variant", "metric", "system", "score")
    rows = list(zip(*(column(frame, name) for name in names), strict=True))
    assert ("nakagawa", "tau", "identity", 0.0) in rows and ("nakagawa", "tau", "swap", 1.0) in rows


def test_agreement_with_people_becomes_a_frame() -> None:
    judged = wo.read_judgments(str(sample_judgments()))
    scored = Scorer()(judged, parse_metrics(["kendall,chrf"]))
    frame = wo.to_frame(agree(Task(samples=0), judged, scored), "dict")
    assert frame["metric"] == ["kendall", "chrf"] * 2 and frame["collection"][2:] == ["mean", "mean"]
    assert all(-1 <= value <= 1 for value in frame["value"])
