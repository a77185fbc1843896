"""Scoring translations from the command line: same numbers as in Python, every form, every complaint."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from wordorder.metrics.text import on_text

from wordorder.data import sample
from wordorder.metrics import metric
from wordorder.metrics.segments import Matching

NAMES = "kendall,recpef:beta=0.5,full:order=fuzzy,lrscore:bleu=1,ribes,bleu,chrf,ter,crossings"
SPECS = NAMES.split(",")
REFERENCE, SYSTEM_A, SYSTEM_B = (str(sample(f"{n}.txt")) for n in ("reference", "system-a", "system-b"))

LINKS = ("--source", "{a}", "--ref-align", "{a}", "--align", "{a}")


def run(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wordorder", "score", *args]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, encoding="utf-8", env={**os.environ, **env}
    )


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def expected(spec: str, system: str, **matching: object) -> float:
    made = on_text(metric(spec), Matching(**matching))  # type: ignore[arg-type]
    return made.corpus_score(lines(system), [lines(REFERENCE)]).score


def test_same_numbers_in_every_form_and_in_python() -> None:
    base = ("-r", REFERENCE, SYSTEM_A, SYSTEM_B, "-m", NAMES, "--samples", "50")
    data = json.loads(run(*base, "-o", "json").stdout)
    assert [m["spec"] for m in data["metrics"]] == SPECS and data["segments"] == 20 and data["seed"] == 12345
    for system, path in zip(data["systems"], (SYSTEM_A, SYSTEM_B), strict=True):
        for spec in SPECS:
            cell = system["scores"][spec]
            assert cell["score"] == expected(spec, path), spec
            assert cell["low"] <= cell["score"] <= cell["high"] or math.isclose(cell["low"], cell["high"])
    rows = list(csv.DictReader(io.StringIO(run(*base, "-o", "tsv").stdout), delimiter="\t"))
    assert len(rows) == 2 * len(SPECS)
    for row in rows:
        system = next(s for s in data["systems"] if s["name"] == row["system"])
        assert float(row["score"]) == system["scores"][row["metric"]]["score"]
        assert row["p_value"] == "" and row["signature"].startswith(row["metric"].partition(":")[0] + "|")
    text = run(*base).stdout
    assert f"{expected('kendall', SYSTEM_A):.3f} [" in text and "seed 12345" in text
    latex = run(*base, "-o", "latex").stdout
    assert latex.count(r"\\") == 3 and r"\begin{tabular}{lrrrrrrrrr}" in latex and "% kendall|" in latex


def test_sentence_level() -> None:
    base = ("-r", REFERENCE, SYSTEM_A, SYSTEM_B, "-m", NAMES, "--level", "sentence")
    rows = list(csv.DictReader(io.StringIO(run(*base, "-o", "tsv").stdout), delimiter="\t"))
    assert len(rows) == 40 and list(rows[0]) == ["system", "segment", *SPECS]
    for spec in SPECS:
        made = on_text(metric(spec), Matching())
        for row in rows[20:23]:
            k = int(row["segment"]) - 1
            alone = made.sentence_score(lines(SYSTEM_B)[k], [lines(REFERENCE)[k]]).score
            assert float(row[spec]) == pytest.approx(alone, abs=1e-12)
    data = json.loads(run(*base, "-o", "json").stdout)
    assert [s["segment"] for s in data["segments"]] == [*range(1, 21), *range(1, 21)]
    shown = run(*base).stdout.splitlines()
    assert len(shown) == 41 + len(SPECS) and all("|" in line for line in shown[41:])
    assert run(*base, "-o", "tsv").stderr.splitlines() == shown[41:]
    assert run(*base, "-o", "tsv", "--quiet").stderr == ""


def test_every_metric_has_a_name_of_its_own() -> None:
    names = ["full", "full:match=stem", "kendall", "bleu", "bleu:tokenize=char"]
    base = ("-r", REFERENCE, SYSTEM_B, "-m", ",".join(names), "--samples", "0")
    data = json.loads(run(*base, "-o", "json").stdout)
    assert [m["spec"] for m in data["metrics"]] == list(data["systems"][0]["scores"]) == names
    for name in names:
        assert data["systems"][0]["scores"][name]["score"] == expected(name, SYSTEM_B)
    assert run(*base).stdout.splitlines()[0].split() == names
    rows = csv.DictReader(io.StringIO(run(*base, "-o", "tsv").stdout), delimiter="\t")
    assert [row["metric"] for row in rows] == names
    assert " & ".join(["", *names]) in run(*base, "-o", "latex").stdout
    alone = (*base, "--level", "sentence")
    assert run(*alone, "-o", "tsv").stdout.splitlines()[0].split("\t")[2:] == names
    assert list(json.loads(run(*alone, "-o", "json").stdout)["segments"][0])[2:] == names
    assert run(*alone).stdout.splitlines()[0].split()[2:] == names


def test_names_are_safe_in_latex_and_one_is_singular(tmp_path: Path) -> None:
    odd = tmp_path / r"[a]^b\c_~"
    odd.write_text("\n")
    (tmp_path / "ref").write_text("a b\n")
    done = run("-r", str(tmp_path / "ref"), str(odd), "-m", "kendall", "--samples", "0", "-o", "latex")
    shown = r"{[}a]\textasciicircum{}b\textbackslash{}c\_\textasciitilde{} & $0.000$ \\"
    assert shown in done.stdout.splitlines()
    text = run("-r", str(tmp_path / "ref"), str(odd), "-m", "kendall", "--samples", "0").stdout
    assert "1 segment, 1 reference · " in text and ": 1 empty hypothesis\n" in text


def test_paired_tests_and_seeds() -> None:
    base = ("-r", REFERENCE, SYSTEM_A, SYSTEM_B, "-m", "kendall,bleu", "--samples", "200", "-o", "json")
    for how in ("bootstrap", "randomisation"):
        one = json.loads(run(*base, "--paired", how).stdout)
        assert one["systems"][0]["scores"]["kendall"]["p_value"] is None
        assert one["systems"][1]["scores"]["kendall"]["p_value"] < 0.05
        assert one == json.loads(run(*base, "--paired", how, "--threads", "2").stdout)
        other = json.loads(run(*base, "--paired", how, "--seed", "7").stdout)
        assert (
            other["systems"][0]["scores"]["kendall"]["low"] != one["systems"][0]["scores"]["kendall"]["low"]
        )
    shown = run("-r", REFERENCE, SYSTEM_A, SYSTEM_B, "-m", "kendall", "--paired", "bootstrap").stdout
    assert " -**\n" in shown and " +**" not in shown  # system-b is worse
    assert "+ better, - worse than system-a.txt" in shown
    assert "(paired bootstrap, 1000 samples, seed 12345)" in shown
    turned = run("-r", REFERENCE, SYSTEM_B, SYSTEM_A, "-m", "kendall,ter", "--paired", "bootstrap").stdout
    assert turned.count(" +**") == 2  # better both ways: a higher kendall, a lower ter


def test_settings_reach_the_metrics() -> None:
    for flags, matching in (
        (("--tokenize", "none", "--cased"), {"tokenize": "none", "lowercase": False}),
        (("--match", "exact+stem", "--language", "en"), {"match": "exact+stem"}),
        (("--match", "ribes"), {"match": "ribes"}),
    ):
        done = run("-r", REFERENCE, SYSTEM_B, "-m", "kendall,full", "--samples", "0", "-o", "json", *flags)
        data = json.loads(done.stdout)
        for spec in ("kendall", "full"):
            assert data["systems"][0]["scores"][spec]["score"] == expected(spec, SYSTEM_B, **matching)
            assert data["systems"][0]["scores"][spec]["low"] is None


def test_several_references_and_packed_files(tmp_path: Path) -> None:
    packed = tmp_path / "ref.txt.gz"
    packed.write_bytes(gzip.compress(Path(REFERENCE).read_bytes()))
    args = ("-r", str(packed), "-r", SYSTEM_A, SYSTEM_A, "-m", "kendall,bleu", "--samples", "0", "-o", "json")
    data = json.loads(run(*args).stdout)
    assert data["references"] == 2 and data["systems"][0]["scores"]["kendall"]["score"] == 1.0
    assert (
        "nrefs:2" in data["metrics"][0]["signature"] and data["systems"][0]["scores"]["bleu"]["score"] > 99.9
    )


def test_alignments_of_the_user(tmp_path: Path) -> None:
    # The source is read "b c a" by the reference and "c b a" by the system: one swap of three pairs.
    files = {"source": "a b c\n", "ref": "B C A\n", "sys": "C B A\n"}
    files |= {"ref.align": "0-2 1-0 2-1\n", "sys.align": "0-2 1-1 2-0\n"}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    args = ["-r", str(tmp_path / "ref"), str(tmp_path / "sys"), "--source", str(tmp_path / "source")]
    args += ["--ref-align", str(tmp_path / "ref.align"), "--align", str(tmp_path / "sys.align")]
    done = run(*args, "-m", "kendall,lrscore:bleu=1,alpha=1", "--samples", "0", "-o", "json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert "match:alignments(birch)" in data["metrics"][0]["signature"]
    scores = data["systems"][0]["scores"]
    assert scores["kendall"]["score"] == pytest.approx(2 / 3)
    assert scores["lrscore:alpha=1.0,bleu=1"]["score"] == pytest.approx(2 / 3)
    refused = run(*args, "-m", "full")
    assert refused.returncode == 2 and "no meaning with given alignments" in refused.stderr
    twice = ["-r", str(tmp_path / "sys"), "--ref-align", str(tmp_path / "sys.align")]
    two = json.loads(
        run(*args, *twice, "-m", "kendall,lrscore:bleu=1", "--samples", "0", "-o", "json").stdout
    )
    assert two["systems"][0]["scores"]["kendall"]["score"] == 1.0  # the best of two references
    assert two["systems"][0]["scores"]["lrscore:bleu=1"]["score"] == pytest.approx(1.0)
    wrong = run(*args, "-r", str(tmp_path / "sys"), "-m", "kendall")
    assert wrong.returncode == 2 and "one --ref-align for each reference" in wrong.stderr
    (tmp_path / "sys.align").write_text("\n")
    nothing = json.loads(run(*args, "-m", "kendall", "--samples", "0", "-o", "json").stdout)
    assert nothing["systems"][0]["scores"]["kendall"]["score"] == 0.0
    (tmp_path / "sys.align").write_text("0-2 1-1 2-5\n")
    lenient = run(*args, "-m", "kendall", "--lenient")
    assert lenient.returncode == 3 and "nothing is left: 1 skipped" in lenient.stderr
    bad = run(*args, "-m", "kendall")
    assert bad.returncode == 3 and "sys.align:1: link 2-5" in bad.stderr and bad.stdout == ""


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("-r", "{ref}"), 2, "at least one SYSTEM"),
        (("{a}",), 2, "give -r REFERENCE"),
        (("-r", "{ref}", "{short}"), 3, "short.txt:1: is where this file ends"),
        (("-r", "{ref}", "{bad}"), 3, "bad.txt:2: byte 0xff"),
        (("-r", "{ref}", "{folder}"), 3, "is a directory"),
        (("-r", "{ref}", "{none}"), 3, "does not exist"),
        (("-r", "{empty}", "{empty}"), 3, "is empty"),
        (("-r", "{ref}", "{a}", "-m", "nothing"), 2, "unknown metric"),
        (("-r", "{ref}", "{a}", "--match", "magic"), 2, "unknown stage"),
        (("-r", "{ref}", "{a}", "--source", "{a}"), 2, "alignments need"),
        (("-r", "{ref}", "{a}", "--paired", "bootstrap"), 2, "needs two systems"),
        (("-r", "{ref}", "{a}", "--seed", "-1"), 2, "-1"),
        (("-r", "{ref}", "{a}", "--permutations", "{a}"), 2, "without references"),
        (("--permutations", "{a}", "-m", "bleu"), 2, "scores text, not permutations"),
        (("--permutations", "{a}", "--lenient"), 2, "--lenient would have no effect"),
        (("-r", "{ref}", "{a}", "--match", "alignments(birch)"), 2, "--ref-align, --align and --policy"),
        (("-r", "{ref}", "{a}", "-m", "lrscore:match=alignments(birch)"), 2, "--ref-align, --align"),
        (("-r", "{ref}", "{a}", "--policy", "talbot"), 2, "--policy would have no effect"),
        (("-r", "{ref}", "{a}", "--align-format", "wpt"), 2, "--align-format would have no effect"),
        (("-r", "{ref}", "{a}", *LINKS, "--match", "stem"), 2, "--match would have no effect"),
        (("-r", "{ref}", "{a}", *LINKS, "--tokenize", "13a"), 2, "--tokenize would have no effect"),
        (("-r", "{ref}", "{a}", *LINKS, "--lowercase"), 2, "--lowercase/--cased would have no effect"),
        (("-r", "{ref}", "{a}", *LINKS, "-m", "lrscore,lrscore:match=stem"), 2, "'lrscore:tokenize=none,low"),
        (("-r", "{ref}", "{a}", "{b}", "--paired", "bootstrap", "--level", "sentence"), 2, "--paired would"),
        (("-r", "{ref}", "{a}", "--match", "stem", "-m", "full,full:match=stem"), 2, "asked for twice"),
        (("-r", "{ref}", "{a}", "--match", "paraphrase", "--paraphrases", "{folder}"), 2, "is a directory"),
        (("-r", "{ref}", "{a}", "--match", "paraphrase", "--paraphrases", "{none}"), 2, "does not exist"),
        (("-r", "{ref}", "{a}", "--match", "paraphrase", "--paraphrases", "{empty}"), 3, "is empty"),
    ],
)
def test_complaints_are_one_line(tmp_path: Path, args: tuple[str, ...], code: int, message: str) -> None:
    (tmp_path / "short.txt").write_text("one line\n")
    (tmp_path / "bad.txt").write_bytes(b"fine\n\xff\n" + b"x\n" * 18)
    (tmp_path / "empty.txt").write_text("")
    places = {
        "ref": REFERENCE, "a": SYSTEM_A, "b": SYSTEM_B, "short": tmp_path / "short.txt",
        "bad": tmp_path / "bad.txt", "folder": tmp_path, "none": tmp_path / "none.txt",
        "empty": tmp_path / "empty.txt",
    }  # fmt: skip
    target = tmp_path / "out.json"
    done = run(*(a.format(**places) for a in args), "--out", str(target))
    assert done.returncode == code and done.stdout == "", done.stderr
    assert message in done.stderr and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert not target.exists() and not list(tmp_path.glob(".out*"))


def test_lenient_counts_what_it_skips(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    good = lines(SYSTEM_A)
    bad.write_bytes(
        b"".join(b"\xff\n" if k in (3, 4) else line.encode() + b"\n" for k, line in enumerate(good))
    )
    done = run("-r", REFERENCE, str(bad), "-m", "kendall", "--lenient", "-o", "json", "--samples", "0")
    assert done.returncode == 0 and "skipped 2 (not UTF-8)" in done.stderr
    assert json.loads(done.stdout)["segments"] == 18
    rows = run(
        "-r", REFERENCE, str(bad), "-m", "kendall", "--lenient", "--level", "sentence", "-o", "tsv"
    ).stdout
    assert [line.split("\t")[1] for line in rows.splitlines()[4:6]] == ["6", "7"]  # 4 and 5 are missing
