"""Folders in the layout of mt-metrics-eval, and submissions to the WMT metrics task."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.files import written
from wordorder.errors import BadFile, BadSetting
from wordorder.io.numbers import LARGEST
from wordorder.judge import submission
from wordorder.judge.formats.mt_metrics_eval import (
    MtMetricsEval,
    read_documents,
    read_domain_scores,
    read_metric_scores,
    read_system_metric_scores,
)
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_judgments
from wordorder.judge.submission import SegmentScore, SystemScore

PAIR = "en-ko_KR"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three segments, two systems, two references, of which refB was rated like a system."""
    root = tmp_path / "wmt25"
    texts = {
        "sources": "s",
        "references:refA": "A",
        "references:refB": "B",
        "system-outputs:x": "x",
        "system-outputs:y.1": "y",
    }
    for where, letter in texts.items():
        place, _, name = where.partition(":")
        file = (
            f"{PAIR}.{name}.txt" if place == "references" else f"{PAIR}/{name}.txt" if name else f"{PAIR}.txt"
        )
        written(root, f"{place}/{file}", *(f"{letter}{k}" for k in (1, 2, 3)))
    written(root, f"documents/{PAIR}.docs", "news\td1", "news\td1", "social\td2")
    seg = ["x\t-1", "x\tNone", "x\t-3", "refA\t0", "refA\t0", "refA\t0", "refB 0", "refB 0", "refB -5"]
    written(root, f"human-scores/{PAIR}.esa.seg.score", *seg)
    written(root, f"human-scores/{PAIR}.esa.sys.score", "x\t-2", "y.1\tNone", "refA\t0")
    written(root, f"human-scores/{PAIR}.esa.domain.score", "news\tx\t-1", "social\tx\t-3", "news\trefA\tNone")
    metric = [f"{system}\t0.{k}" for system in ("y.1", "x", "refB") for k in (1, 2, 3)]
    written(root, f"metric-scores/{PAIR}/COMET-22-refA.seg.score", *metric)
    written(root, f"metric-scores/{PAIR}/COMET-22-refA.sys.score", "x\t0.25", "y.1\t0.5", "refB\t1")
    written(root, f"metric-scores/{PAIR}/QE-src.seg.score", "x\t1", "x\t2", "x\t3")
    return root


def test_a_folder_of_mt_metrics_eval(folder: Path) -> None:
    (one,) = read_judgments(str(folder))
    assert (one.pair, one.testset, one.collection, one.year) == (PAIR, "wmt25", "esa", 2025)
    assert one.systems == ["refB", "x", "y.1"] and one.human == {"refB"}
    assert one.sources == ["s1", "s2", "s3"] and one.references == [["A1", "A2", "A3"]]
    assert len(one) == 9 and not one.missing.any(), "the text of refB is that of the reference"
    assert one.odd["references that are not used"] == 1
    assert one.odd["ratings that say None"] == 1 and one.odd["ratings of the reference itself"] == 3
    assert one.ratings is not None and sorted(one.ratings.score.tolist()) == [-5, -3, -1, 0, 0]
    assert one.system_scores == {"esa": {"x": -2.0}}
    assert read_documents(str(folder), PAIR) == [("news", "d1"), ("news", "d1"), ("social", "d2")]
    assert read_domain_scores(str(folder), PAIR, "esa") == {("news", "x"): -1, ("social", "x"): -3}


def test_references_are_chosen(folder: Path) -> None:
    (one,) = read_judgments(str(folder), reference_name={PAIR: "refB"})
    assert one.references == [["B1", "B2", "B3"]] and "refA" in one.human and "refB" not in one.systems
    (one,) = read_judgments(str(folder), reference_name="all")
    assert len(one.references) == 2 and one.systems == ["x", "y.1"]
    with pytest.raises(BadSetting, match="no reference 'refC', only refA, refB"):
        read_judgments(str(folder), reference_name="refC")


def test_gold_scores_are_chosen(folder: Path) -> None:
    gold = folder / "human-scores" / f"{PAIR}.esa.seg.score"
    other = gold.with_name(f"{PAIR}.da-sqm.seg.score")
    gold.rename(other)
    with pytest.raises(BadFile, match=r"named mqm, wmt-z, wmt, esa, only da-sqm. Try gold=da-sqm"):
        read_judgments(str(folder))
    with pytest.raises(BadSetting, match="no human scores 'mqm'; there are: da-sqm, esa"):
        read_judgments(str(folder), gold="mqm")
    (one,) = read_judgments(str(folder), gold="da-sqm", pairs=[PAIR])
    assert one.collection == "da-sqm" and one.ratings is not None
    other.unlink()
    (one,) = read_judgments(str(folder))
    assert one.ratings is None and one.system_scores == {"esa": {"x": -2.0}}
    with pytest.raises(BadSetting, match=f"has no de-en, only {PAIR}"):
        read_judgments(str(folder), pairs=["de-en"])


def test_scores_of_metrics_go_to_their_items(folder: Path) -> None:
    (one,) = read_judgments(str(folder))
    found = read_metric_scores(str(folder), one)
    assert list(found) == ["COMET-22-refA", "QE-src"]
    comet, qe = found.values()
    names = [one.systems[k] for k in one.item_system.tolist()]
    assert comet.known.all() and comet.score.tolist() == [(k + 1) / 10 for k in one.item_segment.tolist()]
    assert not qe.known.all() and qe.known.tolist() == [name == "x" for name in names]
    assert np.isfinite(qe.score).all(), "what is not known is masked, not NaN"
    assert read_system_metric_scores(str(folder), one) == {
        "COMET-22-refA": {"x": 0.25, "y.1": 0.5, "refB": 1}
    }


@pytest.mark.parametrize(
    ("file", "lines", "message"),
    [
        (f"human-scores/{PAIR}.esa.seg.score", ["x\t1", "x\t2"], "x has 2 lines; expected 3"),
        (f"human-scores/{PAIR}.esa.seg.score", ["x\t1"] * 4, ":4: x has more than 3 lines"),
        (f"human-scores/{PAIR}.esa.seg.score", ["z\t1"], ":1: 'z' is not a system with an output file"),
        (f"human-scores/{PAIR}.esa.seg.score", ["x\tgood"], ":1: score is 'good'; expected a number"),
        (f"human-scores/{PAIR}.esa.seg.score", ["x\tnan"], ":1: score is 'nan'; expected a finite number"),
        (
            f"human-scores/{PAIR}.esa.seg.score",
            ["x\t-1e308"],
            ":1: score is '-1e308'; expected a number from",
        ),
        (f"human-scores/{PAIR}.esa.seg.score", ["x"], ":1: has 1 columns; expected system and score"),
        (f"human-scores/{PAIR}.esa.sys.score", ["x\t1", "x\t1"], ":2: x occurs twice"),
        (f"system-outputs/{PAIR}/x.txt", ["x1"], "x.txt: has 1 lines, but the source has 3"),
        (f"references/{PAIR}.refA.txt", ["r"] * 4, "refA.txt: has 4 lines, but the source has 3"),
    ],
)
def test_wrong_folders_are_refused_with_their_place(
    folder: Path, file: str, lines: list[str], message: str
) -> None:
    written(folder, file, *lines)
    with pytest.raises(BadFile) as caught:
        read_judgments(str(folder))
    assert message in str(caught.value)


def test_other_wrong_files(folder: Path, tmp_path: Path) -> None:
    written(folder, f"documents/{PAIR}.docs", "news")
    with pytest.raises(BadFile, match=":1: has 1 columns; expected domain and document"):
        read_documents(str(folder), PAIR)
    written(folder, f"human-scores/{PAIR}.esa.domain.score", "news\tx\t1", "news\tx\t1")
    with pytest.raises(BadFile, match=":2: news x occurs twice"):
        read_domain_scores(str(folder), PAIR, "esa")
    with pytest.raises(BadFile, match="has no folders sources, system-outputs and human-scores"):
        MtMetricsEval().read(str(tmp_path))


# Submissions

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zs"]), min_size=1).filter(
    lambda text: text == text.strip() and "\ufeff" not in text
)
FLOATS = st.floats(-LARGEST, LARGEST)
SYSTEM_ROWS = st.builds(SystemScore, st.just("m"), NAMES, NAMES, NAMES, NAMES, NAMES, FLOATS)
SEGMENT_ROWS = st.builds(
    SegmentScore, st.just("m"), NAMES, NAMES, NAMES, NAMES, NAMES, NAMES, st.integers(1, 9999), FLOATS
)


@given(
    systems=st.lists(SYSTEM_ROWS, unique_by=lambda row: row[:-1]),
    segments=st.lists(SEGMENT_ROWS, unique_by=lambda row: row[:-1]),
    ending=st.sampled_from(["", ".gz", ".zst"]),
)
def test_submissions_are_read_as_written(
    tmp_path_factory: pytest.TempPathFactory,
    systems: list[SystemScore],
    segments: list[SegmentScore],
    ending: str,
) -> None:
    folder = tmp_path_factory.mktemp("submission")
    path = str(folder / f"m.sys.score{ending}")
    submission.write_scores(path, systems)
    assert submission.read_system_scores(path) == systems
    path = str(folder / f"m.seg.score{ending}")
    submission.write_scores(path, segments)
    assert submission.read_segment_scores(path) == segments


def test_the_columns_of_a_submission(folder: Path, tmp_path: Path) -> None:
    (one,) = read_judgments(str(folder), reference_name="all")
    rows = submission.segment_scores(
        one, "recpef", np.arange(6) / 4, reference="all", documents=read_documents(str(folder), PAIR)
    )
    path = tmp_path / "recpef.seg.score.gz"
    submission.write_scores(str(path), rows)
    written_lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    assert written_lines[0] == f"recpef\t{PAIR}\twmt25\tnews\td1\tall\tx\t1\t0.0"
    assert written_lines[-1] == f"recpef\t{PAIR}\twmt25\tsocial\td2\tall\ty.1\t3\t1.25"
    plain = next(submission.segment_scores(one, "m", np.ones(6), reference="refA"))
    assert plain[3:8] == ("all", "-", "refA", "x", 1)
    with pytest.raises(BadSetting, match="2 scores for 6 items"):
        list(submission.segment_scores(one, "m", [1, 2], reference="refA"))


def test_items_without_a_text_have_no_row(folder: Path) -> None:
    (one,) = read_judgments(str(folder), reference_name="all")
    outputs = [None, *one.outputs[1:]]
    holes = Judgments(**{**{k: getattr(one, k) for k in one.__dataclass_fields__}, "outputs": outputs})
    rows = list(submission.segment_scores(holes, "m", np.ones(6), reference="refA"))
    assert len(rows) == 5 and ("x", 1) not in {(row.system, row.segment) for row in rows}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": math.nan}, ":2: score is 'nan'; expected a finite number"),
        ({"score": math.inf}, ":2: score is 'inf'; expected a finite number"),
        ({"segment": 0}, ":2: segment is 0; segments are counted from 1"),
        ({"metric": "n"}, ":2: metric is 'n' after 'm'; a file holds one metric"),
        ({"system": "a\tb"}, ":2: system is 'a\\tb'"),
        ({"domain": ""}, ":2: domain is ''"),
        ({}, ":2: m p t d e r s 1 has two scores"),
    ],
)
def test_nothing_wrong_is_written(tmp_path: Path, change: dict[str, object], message: str) -> None:
    row = SegmentScore("m", "p", "t", "d", "e", "r", "s", 1, 0.5)
    path = tmp_path / "m.seg.score"
    with pytest.raises(BadFile) as caught:
        submission.write_scores(str(path), [row, row._replace(**change)])  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("m\tp\tt\td\te\tr\ts\t1", ":1: has 8 columns; expected 9"),
        ("m\tp\tt\td\te\tr\ts\t0\t1", ":1: segment is 0"),
        ("m\tp\tt\td\te\tr\ts\t1\tx", ":1: score is 'x'"),
        ("m\tp\tt\td\te\tr\ts\t1\t1\nm\tp\tt\td\te\tr\ts\t1\t1", ":2: m p t d e r s 1 has two scores"),
    ],
)
def test_wrong_submissions_are_refused(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(BadFile) as caught:
        submission.read_segment_scores(written(tmp_path, "m.seg.score", line))
    assert message in str(caught.value)
