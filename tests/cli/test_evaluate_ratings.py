"""``wordorder evaluate`` with ratings, translations, several references and parsers, on the rated sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

from tests.cli.calls import Done, call
from wordorder.cli.demo import copy_sample

Run = Callable[..., Done]
SYSTEMS = ("rules:reverse", "rules:head-final", "rules:en-ja", "--names", "reverse,head-final,en-ja")
BASE = ("--align", "demo/text.align", "--parse", "demo/text.conllu", "--variant", "talbot:unaligned=drop")
RATED = (*SYSTEMS, "--ratings", "demo/rated/ratings.tsv", "--samples", "100")
TEXTS = ("--output-text", "demo/rated/{system}.ja", "--target", "demo/text.ja")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    copy_sample(Path("demo"))
    return lambda *args: call(capsys, monkeypatch, "evaluate", *args)


def as_json(done: Done) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_ratings_and_translations_stand_beside_scores_of_order(run: Run) -> None:
    data = as_json(run(*BASE, *RATED, *TEXTS, "--all-pairs", "-f", "json"))
    names = ["identity", "reverse", "head-final", "en-ja"]
    assert list(data["ratings"]["systems"]) == list(data["translations"]["systems"]) == names
    rows = [line.split("\t") for line in Path("demo/rated/ratings.tsv").read_text().splitlines()[1:]]
    for name in names:
        by_sentence: dict[str, list[float]] = {}
        for system, sentence, _, rating in rows:
            if system == name:
                by_sentence.setdefault(sentence, []).append(float(rating))
        means = [sum(values) / len(values) for values in by_sentence.values()]
        found = data["ratings"]["systems"][name]["rating"]
        assert found["score"] == pytest.approx(sum(means) / len(means))
        assert found["low"] < found["score"] < found["high"]
        lines = Path(f"demo/rated/{name}.ja").read_text().splitlines()
        bleu = sacrebleu.corpus_bleu(lines, [Path("demo/text.ja").read_text().splitlines()]).score
        assert data["translations"]["systems"][name]["bleu"]["score"] == pytest.approx(bleu)
    assert data["ratings"]["systems"]["en-ja"]["rating"]["p_value"] < 0.05
    assert len(data["ratings"]["pairs"]) == len(data["translations"]["pairs"]) == 6
    assert {(one["variant"], one["metric"], one["level"]) for one in data["correlations"]} == {
        (variant, metric, level)
        for variant, metric in (*((BASE[-1], name) for name in ("fuzzy", "kendall", "exact")), ("", "bleu"))
        for level in ("sentence", "system")
    }
    assert all(one["pearson_interval"] for one in data["correlations"])
    assert 0 < data["rater_agreement"]["alpha"]["score"] < 1 and len(data["rater_agreement"]["pairs"]) == 3


def test_one_table_of_text_has_all_columns(run: Run) -> None:
    done = run(*BASE, *RATED, *TEXTS, "--text-metrics", "bleu,kendall", "--all-pairs", "--level", "sentence")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1].split() == ["fuzzy", "kendall", "exact", "bleu", "kendall", "of", "text", "rating"]
    for text in (
        "talbot:unaligned=drop: all pairs", "agreement of raters: Krippendorff's alpha 0.", "ann / bo",
        "mean ratings: ann",
        "correlation with ratings", f"{'translations':21}  bleu", "ratings of 20 sentences, 80 translations",
        "ratings|raters:3|agg:macro", "en-ja kendall of text",
    ):  # fmt: skip
        assert text in done.stdout, text
    for form, begin in (("markdown", "**talbot"), ("latex", "% talbot"), ("tsv", "kind\t")):
        assert run(*BASE, *RATED, *TEXTS, "-f", form).stdout.startswith(begin)


def test_tsv_has_every_number(run: Run) -> None:
    args = (*BASE, "--align", "demo/rated/second.align", "--parse", "demo/rated/parser.conllu")
    done = run(*args, "rules:en-ja", "--ratings", "demo/rated/ratings.tsv", "--samples", "50", "--all-pairs",
               *TEXTS, "-f", "tsv")  # fmt: skip
    assert done.returncode == 0, done.stderr
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    records = [dict(zip(head, row, strict=True)) for row in rows]
    kinds = {"score", "pair", "references", "raters", "pearson", "spearman", "parsers"}
    assert {record["kind"] for record in records} == kinds
    assert {record["reference"] for record in records if record["kind"] == "pearson"} == {
        "text",
        "second",
        "",
    }
    (tags,) = [record for record in records if record["kind"] == "parsers" and record["metric"] == "tags"]
    assert (tags["system"], tags["other"]) == ("parser", "text") and 0.9 < float(tags["score"]) < 1
    by_sentence = run(*args, "rules:en-ja", *TEXTS, "--level", "sentence", "-f", "tsv", "--samples", "0")
    assert "\tidentity\tbleu\t1\t" in by_sentence.stdout
    assert "ratings of systems that are not evaluated: reverse, head-final, en-ja" in done.stderr
    assert "no translations of rules:en-ja/text, rules:en-ja/parser" in done.stderr


def test_references_are_compared_with_each_other_and_with_ratings(run: Run) -> None:
    own = run("--align", "demo/text.align", "-s", "demo/text.en", "--variant", "talbot", "-f", "json")
    assert as_json(own)["reference_agreement"] == []
    args = (
        "--align", "manual=demo/text.align", "--align", "free=demo/rated/free.align", "-t", "demo/text.ja",
        "-t", "demo/rated/free.ja", "--parse", "demo/text.conllu", *RATED,
    )  # fmt: skip
    data = as_json(run(*args, "--variant", "talbot", "-f", "json"))
    assert [one["reference"] for one in data["variants"]] == ["manual", "free"]
    assert list(data["usability"]) == ["manual", "free"]
    (pair,) = data["reference_agreement"]
    assert pair["references"] == ["manual", "free"] and 0.5 < pair["scores"]["fuzzy"]["score"] < 1
    assert {one["reference"] for one in data["correlations"]} == {"manual", "free"}
    text = run(*args, "--variant", "talbot").stdout
    assert "talbot, reference free: " in text and "manual / free" in text
    assert "reference free: only " in text


def test_links_and_orders_of_ones_own_are_references_together(run: Run) -> None:
    lines = Path("demo/text.en").read_text().splitlines()
    Path("own.reference").write_text("".join(f"{' '.join(map(str, range(len(s.split()))))}\n" for s in lines))
    data = as_json(
        run("--align", "demo/text.align", "-r", "own.reference", "-s", "demo/text.en", "--samples", "0",
            "-f", "json")
    )  # fmt: skip
    found = [(one["reference"], one["variant"]) for one in data["variants"]]
    assert found == [("text", name) for name in ("nakagawa", "lader", "talbot", "thesis")] + [("own", "file")]
    assert data["variants"][-1]["systems"]["identity"]["fuzzy"]["score"] == 1.0
    # against its own order no reordering is right, so both references agree as much as it is worth
    talbot = next(one for one in data["reference_agreement"] if one["variant"] == "talbot")
    alone = next(one for one in data["variants"] if one["variant"] == "talbot")
    assert talbot["scores"]["kendall"]["score"] == pytest.approx(
        alone["systems"]["identity"]["kendall"]["score"]
    )


def test_ratings_of_some_systems_only(run: Run) -> None:
    kept = [
        line for line in Path("demo/rated/ratings.tsv").read_text().splitlines() if "identity" not in line
    ]
    Path("some.tsv").write_text("\n".join(kept) + "\n")
    args = (*BASE, *SYSTEMS, "--ratings", "some.tsv", "--samples", "50")
    done = run(*args)
    assert "rating: not tested, because no reordering has no score" in done.stdout
    identity = next(line for line in done.stdout.splitlines() if line.startswith("identity"))
    assert identity.endswith("–")
    assert run(*args, "--baseline", "reverse").stdout.count("not tested") == 0
    one = [line for line in kept if "\trater\t" in line or "\tann\t" in line]
    Path("one.tsv").write_text("\n".join(one) + "\n")
    done = run(*BASE, *SYSTEMS, "--ratings", "one.tsv", "--samples", "0")
    assert "correlation with ratings" in done.stdout and "agreement of raters" not in done.stdout


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--output-text", "demo/rated/{system}.ja"), "--output-text needs --target FILE"),
        (("--text-metrics", "chrf"), "there is no --output-text"),
        (("--align", "demo/text.align"), "two references are named 'text'"),
        (("--align", "b=demo/text.align", "--align", "c=demo/text.align", *["-t", "demo/text.ja"] * 2),
         "2 --target for 3 --align"),
        (("--output-text", "demo/text.ja", "-t", "demo/text.ja"), "the same file for all systems"),
    ],
)  # fmt: skip
def test_misuse(run: Run, args: tuple[str, ...], told: str) -> None:
    done = run(*BASE, "rules:en-ja", *args)
    assert done.returncode == 2 and told in done.stderr, done.stderr
