"""What mt-metrics-eval computes: its own figures, and slow twins of its averages on made-up folders."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from experiments.interoperability.with_mt_metrics_eval import agreements, figures
from tests.cli.calls import Done, run_here
from tests.judge.files import written
from tests.judge.simulated import judgments, scored
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.agreement import agree
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_judgments
from wordorder.judge.segment_measures import values_and_samples
from wordorder.judge.soft_accuracy import exchanges, pairwise_p_values
from wordorder.judge.task import Task

stats = pytest.importorskip("scipy.stats")


@pytest.mark.shared
@pytest.mark.parametrize("layout", ["text", "jsonl"])
def test_all_figures_come_out(shared: Path, layout: str) -> None:
    folder = shared / "data" / "mme-sample"
    if not folder.is_dir():
        pytest.skip("no sample of mt-metrics-eval")
    printed = figures(folder / "README.md")
    found = agreements(folder / layout / "wmt21.tedt")
    assert set(found) == set(printed) and len(printed) == 11
    for name, values in found.items():
        assert values == pytest.approx(printed[name], abs=1e-9), name


# Averages: over segments, over pairs, and none

RNG = np.random.default_rng(5)
RATED = judgments(12, 5, ratings=RNG.integers(-3, 1, 60).astype(float), missing=(7, 41))
SCORES = (RATED.ratings.score if RATED.ratings else 0) + RNG.integers(-2, 3, 60) / 2


def value(name: str, one: Judgments = RATED, scores: np.ndarray = SCORES) -> float:
    return float(values_and_samples(name, one, scores[None, :], np.zeros((0, len(one.segments))))[0][0])


def by_segment() -> list[tuple[np.ndarray, np.ndarray]]:
    assert RATED.ratings is not None
    parts = []
    for segment in range(12):
        item = [k for k in range(60) if RATED.item_segment[k] == segment and RATED.outputs[k] is not None]
        parts.append((SCORES[item], RATED.ratings.score[item]))
    return parts


def alike(x: np.ndarray, y: np.ndarray, tie: float = 0.0) -> list[bool]:
    """Whether each pair is ordered, or tied, in the same way."""
    pairs = itertools.combinations(range(len(x)), 2)
    return [
        (0 if abs(x[i] - x[j]) <= tie else np.sign(x[i] - x[j])) == np.sign(y[i] - y[j]) for i, j in pairs
    ]


def mean(function: Callable[[np.ndarray, np.ndarray], float]) -> float:
    with np.errstate(all="ignore"):
        values = [function(x, y) for x, y in by_segment() if np.ptp(x) > 0 and np.ptp(y) > 0]
    return float(np.mean(values))


def test_averages_by_brute_force() -> None:
    assert value("pearson:average=segments") == pytest.approx(mean(lambda x, y: stats.pearsonr(x, y)[0]))
    assert value("spearman:ties=average,average=segments") == pytest.approx(
        mean(lambda x, y: stats.spearmanr(x, y)[0])
    )
    assert value("kendall:ties=b,average=segments") == pytest.approx(
        mean(lambda x, y: stats.kendalltau(x, y)[0])
    )
    parts = by_segment()
    assert value("accuracy:ties=exact,average=segments") == pytest.approx(
        np.mean([np.mean(alike(x, y)) for x, y in parts])
    )
    assert value("accuracy:ties=exact,average=pairs") == pytest.approx(
        np.mean([same for x, y in parts for same in alike(x, y)])
    )
    assert value("accuracy:ties=exact,average=none") == pytest.approx(
        np.mean(alike(*(np.concatenate(side) for side in zip(*parts, strict=True))))
    )
    thresholds = np.arange(0, 6, 0.25)
    assert value("accuracy:ties=calibrated,average=segments") == pytest.approx(
        max(np.mean([np.mean(alike(x, y, tie)) for x, y in parts]) for tie in thresholds)
    )
    assert value("accuracy:ties=calibrated,average=pairs") == pytest.approx(
        max(np.mean([same for x, y in parts for same in alike(x, y, tie)]) for tie in thresholds)
    )


def test_averages_differ_where_segments_have_different_numbers_of_pairs() -> None:
    assert value("accuracy:ties=exact,average=segments") != value("accuracy:ties=exact,average=pairs")
    # The best threshold over pairs is not the best over segments: one long segment outweighs two short ones.
    pairs = [(0, 1, 1, 0, 0), (3, 4, 1, 0, 0), *((6, 7, 0, 0, 5), (7, 8, 0, 0, 5))]
    one = judgments(3, 3, pairs=pairs)
    x = np.array([1.0, 0.0, 0.0] * 2 + [1.0, 0.0, 1.0])
    assert value("accuracy:ties=calibrated,average=pairs", one, x) == pytest.approx(10 / 12)
    assert value("accuracy:ties=calibrated,average=segments", one, x) == pytest.approx(2 / 3)


def test_an_item_rated_twice_is_one_item(tmp_path: Path) -> None:
    rows = ["de-en\tt\t1\ta\t1\ts\tr\tx", "de-en\tt\t1\ta\t2\ts\tr\tx", "de-en\tt\t2\tb\t3\ts\tr\ty"]
    written(tmp_path, "da.tsv", "lp\ttestset\tsegment\tsystem\tz\tsource\treference\toutput", *rows)
    (one,) = read_judgments(str(tmp_path))
    assert value("accuracy:ties=exact,average=none", one, np.array([0.0, 1.0])) == 1.0


# Soft accuracy


def test_p_values_by_brute_force() -> None:
    scores = RNG.integers(0, 4, (6, 3)).astype(float)
    signs = exchanges(6, 4, 50)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    slow = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        gap = scores[:, i] - scores[:, j]
        slow.append(
            np.mean([sum(s * g for s, g in zip(row, gap, strict=True)) >= gap.sum() for row in signs])
        )
    assert pairwise_p_values(scores, signs) == pytest.approx(slow)
    every = np.array(list(itertools.product((-1.0, 1.0), repeat=6)))
    exact = [np.mean(every @ (scores[:, i] - scores[:, j]) >= (scores[:, i] - scores[:, j]).sum()) for i, j in
             ((0, 1), (0, 2), (1, 2))]  # fmt: skip
    assert pairwise_p_values(scores, exchanges(6, 1, 4000)) == pytest.approx(exact, abs=0.05)


def test_soft_accuracy_of_systems() -> None:
    quality = np.arange(4) * 0.5 + RNG.normal(size=(40, 4))
    good, bad = quality + RNG.normal(size=(40, 4)) / 4, RNG.normal(size=(40, 4))
    one = judgments(40, 4, ratings=quality.ravel())
    metrics = [scored(quality.ravel(), "same"), scored(good.ravel(), "good"), scored(bad.ravel(), "bad")]
    task = Task(level="system", measure="soft_accuracy", samples=50, baselines=("bad",))
    result = agree(task, [one], [metrics])
    same, near, far = (row[0] for row in result.cells)
    assert same.value == 1.0 and near.value is not None and far.value is not None
    assert 1.0 > near.value > far.value > 0.0
    assert near.low is not None and near.high is not None and near.low <= near.value <= near.high + 0.05
    assert near.p_values[0] is not None and near.p_values[0] < 0.1
    signs = exchanges(40, task.seed)
    gap = pairwise_p_values(good, signs) - pairwise_p_values(quality, signs)
    assert near.value == pytest.approx(1 - np.abs(gap).mean())
    with pytest.raises(BadSetting, match="no randomisation test for this measure"):
        agree(replace(task, paired="randomisation"), [one], [metrics])
    with pytest.raises(BadSetting, match="soft_accuracy needs ratings"):
        agree(
            Task(level="system", measure="soft_accuracy"),
            [judgments(2, 3, pairs=[(0, 1, 1, 0, 0)])],
            [metrics],
        )
    ratings = np.where(np.arange(160) % 4 == np.arange(160) // 40, 1.0, np.nan)
    apart = judgments(40, 4, ratings=np.nan_to_num(ratings), missing=tuple(np.flatnonzero(np.isnan(ratings))))
    with pytest.raises(BadSetting, match="there are none of s0 and s1"):
        agree(Task(level="system", measure="soft_accuracy"), [apart], [metrics])


def test_two_systems_are_compared_where_both_are_rated() -> None:
    scores = RNG.normal(size=(30, 3))
    holes = np.where(RNG.random((30, 3)) < 0.2, np.nan, scores)
    signs = exchanges(30, 4, 200)
    both = np.isfinite(holes[:, 0]) & np.isfinite(holes[:, 1])
    alone = pairwise_p_values(scores[both][:, :2], signs[:, both])
    assert pairwise_p_values(holes, signs)[0] == alone[0]
    filled = np.concatenate([scores, [[np.nan, np.nan, 1.0]]])  # takes the road of missing scores
    assert pairwise_p_values(filled, exchanges(31, 4, 200)) == pytest.approx(
        pairwise_p_values(scores, exchanges(31, 4, 200)[:, :30])
    )


# Folders

PAIR = "en-de"
SYSTEMS = ("a", "b", "c", "d")
QUALITY = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0}


def made_folder(root: Path, layout: str = "txt") -> Path:
    """Four systems on three segments; the stored scores of systems are not means of their segments."""

    def texts(name: str, key: str, lines: list[str]) -> None:
        if layout == "jsonl":
            lines = [json.dumps({key: line, "more": 1}, ensure_ascii=False) for line in lines]
        written(root, f"{name}.{layout}", *lines)

    texts(f"sources/{PAIR}", "source", ["one two", "three four", "five six"])
    texts(f"references/{PAIR}.refA", "target", ["eins zwei", "drei vier", "fünf sechs"])
    for name in SYSTEMS:
        texts(f"system-outputs/{PAIR}/{name}", "hypothesis", ["zwei eins", "drei vier", "fünf sechs"])
    people = [f"{name}\t{QUALITY[name] + k}" for name in SYSTEMS for k in range(3)]
    written(root, f"human-scores/{PAIR}.mqm.seg.score", *people)
    written(root, f"human-scores/{PAIR}.mqm.sys.score", "a\t9", "b\t1", "c\t2", "d\t3")
    written(root, f"metric-scores/{PAIR}/X-refA.seg.score",
            *(f"{name}\t{QUALITY[name] * k}" for name in SYSTEMS for k in range(3)))  # fmt: skip
    written(root, f"metric-scores/{PAIR}/X-refA.sys.score", "a\t8", "b\t2", "c\t2.5", "d\t2.75")
    written(root, f"metric-scores/{PAIR}/S-refA.sys.score", "a\t1", "b\t3", "c\t2", "d\t5")
    return root


def judged(folder: Path, *args: str) -> Done:
    base = ("-m", "kendall", "--samples", "20", "-f", "json", "--no-cache", "--processes", "1")
    return run_here("judge", str(folder), *base, *args)


@pytest.mark.parametrize("layout", ["txt", "jsonl"])
def test_stored_scores_of_systems_are_used(tmp_path: Path, layout: str) -> None:
    folder = made_folder(tmp_path / "wmt99", layout)
    done = judged(folder, "--scores", "X-refA", "--scores", "S-refA", "--level", "system")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["sets"][0]["human"] == "published" and told["sets"][0]["systems"] == 4
    people = [9, 1, 2, 3]
    _, both, systems_only = (metric["sets"][0] for metric in told["metrics"])
    assert both["value"] == pytest.approx(stats.pearsonr([8, 2, 2.5, 2.75], people)[0])
    assert systems_only["value"] == pytest.approx(stats.pearsonr([1, 3, 2, 5], people)[0])
    assert both["low"] is not None and systems_only["low"] is None, "only segments can be resampled"
    means = json.loads(judged(folder, "--scores", "X-refA", "--level", "system", "--human", "mean").stdout)
    assert means["sets"][0]["human"] == "mean"
    assert means["metrics"][1]["sets"][0]["value"] == pytest.approx(
        stats.pearsonr([8, 2, 2.5, 2.75], [4, 3, 2, 1])[0]
    )


def test_a_metric_with_scores_of_systems_only(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "wmt99")
    told = json.loads(judged(folder, "--scores", "S-refA", "--level", "segment").stdout)
    assert told["metrics"][1]["sets"][0]["value"] is None
    assert told["metrics"][0]["sets"][0]["value"] is not None
    assert any("S-refA has scores of systems of" in note for note in told["notes"])
    done = judged(folder, "--scores", "S-refA", "--level", "system", "--hybrids", "10")
    assert done.returncode == 2 and "S-refA has scores of systems only" in done.stderr
    done = judged(folder, "--scores", "Y-refA")
    assert done.returncode == 2 and "no scores of Y-refA for en-de; it has S-refA, X-refA" in done.stderr
    written(folder, f"metric-scores/{PAIR}/S-refA.sys.score", "a\t1", "b\t3", "d\t5")
    told = json.loads(judged(folder, "--scores", "S-refA", "--level", "system").stdout)
    assert told["sets"][0]["systems"] == 3 and any("without c, which lack" in note for note in told["notes"])


def test_both_layouts_say_the_same(tmp_path: Path) -> None:
    (text,), (lines,) = (
        read_judgments(str(made_folder(tmp_path / form / "wmt99", form))) for form in ("txt", "jsonl")
    )
    assert text.outputs == lines.outputs and text.references == lines.references
    assert text.sources == lines.sources and text.official == lines.official == "mqm"
    written(tmp_path, f"jsonl/wmt99/sources/{PAIR}.txt", "one")
    with pytest.raises(BadFile, match=r"en-de\.txt: is there beside en-de\.jsonl"):
        read_judgments(str(tmp_path / "jsonl" / "wmt99"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "x"}', ":2: has no text 'hypothesis', but text"),
        ('{"hypothesis": 3}', ":2: has no text 'hypothesis'"),
        ("{", ":2: not JSON"),
    ],
)
def test_wrong_lines_are_refused(tmp_path: Path, line: str, message: str) -> None:
    folder = made_folder(tmp_path / "wmt99", "jsonl")
    written(folder, f"system-outputs/{PAIR}/a.jsonl", '{"hypothesis": "x"}', line, '{"hypothesis": "z"}')
    with pytest.raises(BadFile, match=re.escape(message)):
        read_judgments(str(folder))


def test_line_breaks_in_texts_are_counted(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "wmt99", "jsonl")
    written(folder, f"system-outputs/{PAIR}/a.jsonl", '{"hypothesis": "x\\n\\ny"}', '{"hypothesis": null}',
            '{"hypothesis": "[No translation supplied]"}')  # fmt: skip
    (one,) = read_judgments(str(folder))
    assert one.odd["texts with line breaks, which are read as spaces"] == 1
    assert [one.outputs[k] for k in range(12) if one.systems[one.item_system[k]] == "a"] == [
        "x y",
        None,
        None,
    ]


def test_no_translation_is_no_translation(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "wmt99")
    written(folder, f"system-outputs/{PAIR}/a.txt", "zwei eins", "[No translation supplied] ", "fünf sechs")
    (one,) = read_judgments(str(folder))
    assert one.odd["judged items without an output"] == 1 and one.missing.sum() == 1
    assert one.rated is not None and len(one.rated) == 11
    written(folder, f"references/{PAIR}.refA.txt", "eins zwei", "drei vier", "[No translation supplied]")
    (one,) = read_judgments(str(folder))
    assert one.odd["segments without a reference"] == 1 and one.missing.sum() == 5


def test_scores_of_systems_without_ratings_of_segments(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "wmt99")
    (folder / "human-scores" / f"{PAIR}.mqm.seg.score").unlink()
    told = json.loads(judged(folder, "--scores", "X-refA", "--level", "system").stdout)
    assert told["sets"][0]["human"] == "published"
    written(folder, f"human-scores/{PAIR}.wmt.sys.score", "a\t4", "b\t3", "c\t2", "d\t1")
    (one,) = read_judgments(str(folder), gold="wmt")
    assert one.official == one.collection == "wmt"


def test_a_folder_without_texts_is_an_error(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "wmt99")
    (folder / "sources" / f"{PAIR}.txt").rename(folder / "sources" / f"{PAIR}.text")
    done = judged(folder)
    assert done.returncode == 3 and "has no sources: expected files such as sources/en-de.txt" in done.stderr
    folder = made_folder(tmp_path / "wmt98")
    shutil.rmtree(folder / "references")
    done = judged(folder)
    assert done.returncode == 2 and "wmt98 has no references to score. docs/judging.md" in done.stderr


def test_two_folders_each_with_their_own_scores(tmp_path: Path) -> None:
    first, second = (made_folder(tmp_path / name) for name in ("wmt98", "wmt99"))
    written(second, f"metric-scores/{PAIR}/X-refA.sys.score", "a\t1", "b\t2", "c\t3", "d\t4")
    told = json.loads(judged(first, str(second), "--scores", "X-refA", "--level", "system").stdout)
    expected = [stats.pearsonr(x, [9, 1, 2, 3])[0] for x in ([8, 2, 2.5, 2.75], [1, 2, 3, 4])]
    assert [cell["value"] for cell in told["metrics"][1]["sets"]] == pytest.approx(expected)


def test_submitted_scores_of_systems(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "wmt99")
    rows = [f"mine\t{PAIR}\twmt99\tall\trefA\t{name}\t{value}" for name, value in QUALITY.items()]
    domains = [row.replace("\tall\t", "\tnews\t") for row in rows]
    systems = written(tmp_path, "mine.sys.score", *rows, *domains)
    told = json.loads(judged(folder, "--scores", systems, "--level", "system").stdout)
    expected = stats.pearsonr(list(QUALITY.values()), [9, 1, 2, 3])[0]
    assert told["metrics"][1]["sets"][0]["value"] == pytest.approx(expected)
    segments = written(
        tmp_path,
        "mine.seg.score",
        *(f"mine\t{PAIR}\twmt99\tall\td\trefA\t{name}\t{k}\t{k}" for name in SYSTEMS for k in (1, 2, 3)),
    )
    for both in ((systems, segments), (segments, systems)):
        files = [word for path in both for word in ("--scores", path)]
        told = json.loads(judged(folder, *files, "--level", "system").stdout)
        assert told["metrics"][1]["sets"][0]["value"] == pytest.approx(expected)
    done = judged(folder, "--scores", systems, "--scores", systems)
    assert done.returncode == 2 and "scores of mine are given twice" in done.stderr
    written(tmp_path, "mine.sys.score", *domains, *(row.replace("all", "law") for row in rows))
    done = judged(folder, "--scores", systems)
    assert done.returncode == 3 and "in law, news, but not in the domain 'all'" in done.stderr
