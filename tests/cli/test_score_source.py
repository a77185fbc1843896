"""``wordorder score`` without references: the numbers of the Python call, every form, every complaint."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.calls import Done, run_here
from wordorder.align.aligner_files import save_model
from wordorder.align.bilingual import train_aligner
from wordorder.analyse.source_order import source_order
from wordorder.core.alignment import Alignment
from wordorder.data import sample
from wordorder.io.read_write import read_records
from wordorder.preorder import load_preorderer

EN, JA, LINKS = (str(sample(f"text.{end}")) for end in ("en", "ja", "align"))
GIVEN = ("-s", EN, JA, "--align", LINKS)
SPECS = "kendall,lag,anticipation:k=2"


def run(*args: str) -> Done:
    done = run_here("score", *args)
    assert "Traceback" not in done.stderr
    return done


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def alignments() -> list[Alignment]:
    sizes = zip(lines(EN), lines(JA), read_records(LINKS), strict=True)
    return [Alignment(len(a.split()), len(b.split()), links.sure) for a, b, links in sizes]


def test_same_numbers_in_every_form_and_in_python() -> None:
    found = source_order(
        lines(EN), {"text.ja": lines(JA)}, alignments={"text.ja": alignments()}, metrics=SPECS, samples=50
    )
    base = (*GIVEN, "-m", SPECS, "--samples", "50")
    data = json.loads(run(*base, "-f", "json").stdout)
    (system,) = data["systems"]
    for label in SPECS.split(","):
        result = found.scores(label)["text.ja"]
        assert system["scores"][label] == result.as_dict(), label
        (about,) = (one for one in data["metrics"] if one["spec"].startswith(label))
        assert "|match:source(talbot)|" in about["signature"] and "|nrefs:0|" in about["signature"]
    curve = [point.score for point in found.curves["text.ja"]]
    assert [point["score"] for point in data["anticipation"]] == curve
    assert [point["k"] for point in data["anticipation"]] == list(range(1, 11))
    rows = list(csv.DictReader(io.StringIO(run(*base, "-f", "tsv").stdout), delimiter="\t"))
    assert len(rows) == 3 + 9  # the lag that is a metric itself is not repeated
    assert {row["metric"]: float(row["score"]) for row in rows}["anticipation:k=7"] == curve[6]
    text = run(*base).stdout
    assert f"{found.scores('lag')['text.ja'].score:.3f} [" in text and "compared with the source" in text
    assert "linked: share of the source words" in text and "\nk " in text
    assert run(*base, "-f", "latex").stdout.count(r"\begin{tabular}") == 2
    assert run(*base, "-f", "markdown").stdout.count("\n|---") == 2


def test_sentence_level() -> None:
    rows = run(*GIVEN, "--level", "sentence", "-m", "kendall,crossings", "-f", "tsv")
    table = list(csv.DictReader(io.StringIO(rows.stdout), delimiter="\t"))
    assert len(table) == 40 and list(table[0]) == ["system", "segment", "kendall", "crossings", "matched"]
    for level in ("corpus", "sentence"):
        text = run(*GIVEN, "--level", level, "-m", "kendall").stdout
        assert "linked" in text.splitlines()[0] and "matched" not in text
    mean = sum(float(row["kendall"]) for row in table) / 40
    (only,) = json.loads(run(*GIVEN, "-m", "kendall", "-f", "json").stdout)["systems"]
    assert mean == pytest.approx(only["scores"]["kendall"]["score"])
    assert "match:source(talbot)" in rows.stderr
    model = run(*GIVEN, "--level", "sentence", "--model", "en-ja-crf", "-f", "tsv", "-m", "kendall")
    assert model.stdout.count("en-ja-crf\t") == 40


def test_references_and_a_model_show_the_need(tmp_path: Path) -> None:
    same = tmp_path / "same.ja"
    same.write_text("".join(f"{line}\n" for line in lines(JA)), encoding="utf-8")
    done = run(
        "-s", EN, "-r", JA, str(same), "--source-order", "--ref-align", LINKS, "--align", LINKS, "-f", "json",
        "--model", "en-multi-crf", "--set", "language=ja", "--paired", "bootstrap", "--samples", "50",
    )  # fmt: skip
    data = json.loads(done.stdout)
    assert [system["name"] for system in data["systems"]] == ["text.ja", "en-multi-crf", "same.ja"]
    assert data["baseline"] == "text.ja" and data["references"] == 0
    people, *others = data["needed"]
    assert (people["standard"], people["system"], people["excess"]) == ("text.ja", "same.ja", 0.0)
    assert (people["precision"], people["recall"]) == (1.0, 1.0)
    assert [one["standard"] for one in others] == ["en-multi-crf"] * 2
    found = source_order(
        lines(EN), {"same.ja": lines(JA)}, model=load_preorderer("en-multi-crf", language="ja"), samples=50,
        alignments={"same.ja": alignments()},
    )  # fmt: skip
    needed = found.needed[0].results[0][1]
    assert needed is not None and others[1]["needed"] == needed.score
    text = run("-s", EN, "-r", JA, str(same), "--source-order", "--samples", "20", "-q").stdout
    assert "text.ja" in text and "precision" in text and "links by an aligner trained on 80 pairs" in text
    assert "+ more monotone" not in text


def test_aligners_are_trained_or_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "aligner"
    save_model(train_aligner(lines(EN), lines(JA)), str(folder))
    trained = json.loads(run("-s", EN, JA, "-m", "kendall", "-f", "json").stdout)
    loaded = json.loads(run("-s", EN, JA, "-m", "kendall", "-f", "json", "--aligner", str(folder)).stdout)
    assert trained["systems"] == loaded["systems"]
    assert "unreliable" in " ".join(trained["notes"]) and "saved aligner" in " ".join(loaded["notes"])


def test_pictures(tmp_path: Path) -> None:
    starts = {
        "svg": b"<svg",
        "png": b"\x89PNG",
        "tex": b"% Latin",
        "txt": b"text.ja\nlag  1  0.33",
    }
    for ending, start in starts.items():
        path = tmp_path / f"curve.{ending}"
        assert run(*GIVEN, "-o", str(tmp_path / "t.txt"), "--picture", str(path)).returncode == 0
        assert path.read_bytes().startswith(start)
    svg = (tmp_path / "curve.svg").read_text("utf-8")
    assert "text.ja" in svg and "behind the speaker" in svg


def test_report(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done = run_here("report", "score", *GIVEN, "--model", "en-ja-crf", "--samples", "20", "-o", str(path))
    assert done.returncode == 0, done.stderr
    page = path.read_text("utf-8")
    for title in ("Anticipation", "Needed reordering", "Misordered words", "Alignments"):
        assert f">{title}<" in page
    assert "match:source(talbot)" in page.replace("<wbr>", "") and "Source words in the order" not in page


def test_a_corpus_in_many_files(tmp_path: Path) -> None:
    for kind, path in (("en", EN), ("ja", JA), ("align", LINKS)):
        (tmp_path / kind).mkdir()
        text = lines(path)
        for number, part in enumerate((text[:15], text[15:])):
            content = "".join(f"{line}\n" for line in part)
            (tmp_path / kind / f"{number}.txt").write_text(content, encoding="utf-8")
    places = {kind: str(tmp_path / kind) for kind in ("en", "ja", "align")}
    args = ("-s", places["en"], places["ja"], "--align", places["align"], "-f", "json", "-m", SPECS)
    data = json.loads(run(*args, "-q").stdout)
    whole = json.loads(run(*GIVEN, "-f", "json", "-m", SPECS).stdout)
    for label, scores in whole["systems"][0]["scores"].items():
        assert data["systems"][0]["scores"][label]["score"] == pytest.approx(scores["score"])
    assert "a corpus in many files needs alignments" in run("-s", places["en"], places["ja"]).stderr
    done = run(*args, "--model", "en-ja-crf")
    assert done.returncode == 2 and "--model would have no effect" in done.stderr


def test_damaged_lines_are_named_or_skipped(tmp_path: Path) -> None:
    links = lines(LINKS)
    bad = tmp_path / "bad.align"
    bad.write_text("\n".join(["0-99", *links[1:]]) + "\n", encoding="utf-8")
    strict = run("-s", EN, JA, "--align", str(bad))
    assert strict.returncode != 0 and f"{bad}:1: link 0-99" in strict.stderr
    lenient = run("-s", EN, JA, "--align", str(bad), "--lenient", "-f", "json", "-m", "kendall")
    assert json.loads(lenient.stdout)["segments"] == 39 and "1" in lenient.stderr
    short = tmp_path / "short.ja"
    short.write_text("\n".join(lines(JA)[:39]) + "\n", encoding="utf-8")
    assert run("-s", EN, str(short)).returncode != 0
    empty = tmp_path / "empty"
    empty.write_text("", encoding="utf-8")
    done = run("-s", str(empty), str(empty))
    assert done.returncode != 0 and "empty" in done.stderr
    blank = tmp_path / "blank"
    blank.write_text("\n" * 40, encoding="utf-8")
    silent = run("-s", EN, str(blank), "--samples", "20")
    assert silent.returncode == 0 and "40 empty hypotheses" in silent.stdout and "nan" not in silent.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((JA,), "or -s SOURCE"),
        (("-r", JA, JA, "--source-order"), "--source-order needs the source: -s SOURCE"),
        (("-s", EN), "at least one SYSTEM"),
        (("-s", EN, JA, "-m", "bleu"), "bleu compares words with a reference"),
        (("-s", EN, JA, "--match", "stem"), "--match would have no effect"),
        (("-s", EN, JA, "--refs", "mean"), "--refs would have no effect"),
        (("-s", EN, JA, "--set", "language=ja"), "--set would have no effect: there is no --model"),
        ((*GIVEN, "--tokenize", "zh"), "--tokenize would have no effect"),
        ((*GIVEN, "--aligner", "x"), "--aligner would have no effect"),
        (("-s", EN, JA, "--base", "1"), "--base would have no effect"),
        (
            ("-s", EN, JA, JA, "--names", "a,b", "--align", LINKS),
            "1 --align for 2 systems; give one",
        ),
        (
            ("-s", EN, "-r", JA, JA, "--names", "a", "--source-order", "--align", LINKS, "--align", LINKS),
            "0 --ref-align for 1 reference, 2 --align for 1 system",
        ),
        ((*GIVEN, "-m", "kendall:match=alignments(birch)"), "kendall is for match=alignments(birch)"),
        (("-s", EN, JA, "--aligner", "nowhere"), "nowhere"),
        (("-s", EN, JA, "--model", "nothing"), "nothing"),
        ((*GIVEN, "--model", "oracle"), "oracle needs"),
        ((*GIVEN, "--picture", "x.pdf"), "cannot write .pdf"),
        ((*GIVEN, "--picture", "x.svg", "-m", "kendall"), "not among the metrics"),
        ((*GIVEN, "--picture", JA), "would overwrite"),
        ((*GIVEN, "--picture", "x.svg", "--level", "sentence"), "--picture would have no effect"),
        ((*GIVEN, "--policy", "lader"), "goes by links alone"),
        ((*GIVEN, "--names", "en-ja-crf", "--model", "en-ja-crf"), "two rows would be named"),
        (("-r", JA, JA, "--aligner", "x"), "--aligner would have no effect"),
        (("-r", JA, JA, "--picture", "x.svg"), "--picture would have no effect"),
        (("--permutations", LINKS, "--source-order"), "--source-order would have no effect"),
    ],
)
def test_complaints(
    args: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*args)
    assert done.returncode != 0 and message in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []
