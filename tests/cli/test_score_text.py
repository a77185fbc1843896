"""Scoring translations from the command line: same numbers as in Python, every form, every complaint."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from pathlib import Path

import pytest

from tests.cli.calls import Done, run_here
from wordorder.data import sample
from wordorder.errors import BadSetting
from wordorder.metrics import metric
from wordorder.metrics.registry import parse_metrics

NAMES = "kendall,recpef:beta=0.5,full:order=fuzzy,lrscore:bleu=1,ribes,bleu,chrf,ter,crossings"
SPECS = NAMES.split(",")
REFERENCE, SYSTEM_A, SYSTEM_B = (str(sample(f"{n}.txt")) for n in ("reference", "system-a", "system-b"))

LINKS = ("--source", "{a}", "--ref-align", "{a}", "--align", "{a}")


def run(*args: str) -> Done:
    return run_here("score", *args)


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def expected(spec: str, system: str, **shared: object) -> float:
    (made,) = parse_metrics([spec], shared)
    return made.corpus_score(lines(system), [lines(REFERENCE)]).score


def test_same_numbers_in_every_form_and_in_python() -> None:
    base = ("-r", REFERENCE, SYSTEM_A, SYSTEM_B, "-m", NAMES, "--samples", "50")
    data = json.loads(run(*base, "-f", "json").stdout)
    assert [m["spec"] for m in data["metrics"]] == SPECS and data["segments"] == 20 and data["seed"] == 12345
    for system, path in zip(data["systems"], (SYSTEM_A, SYSTEM_B), strict=True):
        for spec in SPECS:
            cell = system["scores"][spec]
            assert cell["score"] == expected(spec, path), spec
            assert cell["low"] <= cell["score"] <= cell["high"] or math.isclose(cell["low"], cell["high"])
    rows = list(csv.DictReader(io.StringIO(run(*base, "-f", "tsv").stdout), delimiter="\t"))
    assert len(rows) == 2 * len(SPECS)
    for row in rows:
        system = next(s for s in data["systems"] if s["name"] == row["system"])
        assert float(row["score"]) == system["scores"][row["metric"]]["score"]
        assert row["p_value"] == "" and row["signature"].startswith(row["metric"].partition(":")[0] + "|")
    text = run(*base).stdout
    assert f"{expected('kendall', SYSTEM_A):.3f} [" in text and "seed 12345" in text
    latex = run(*base, "-f", "latex").stdout
    assert latex.count(r"\\") == 3 and r"\begin{tabular}{lllllllllll}" in latex and "% kendall|" in latex


def test_sentence_level() -> None:
    base = ("-r", REFERENCE, SYSTEM_A, SYSTEM_B, "-m", NAMES, "--level", "sentence")
    rows = list(csv.DictReader(io.StringIO(run(*base, "-f", "tsv").stdout), delimiter="\t"))
    assert len(rows) == 40 and list(rows[0]) == ["system", "segment", *SPECS, "matched"]
    for spec in SPECS:
        made = metric(spec)
        for row in rows[20:23]:
            k = int(row["segment"]) - 1
            alone = made.sentence_score(lines(SYSTEM_B)[k], [lines(REFERENCE)[k]]).score
            assert float(row[spec]) == pytest.approx(alone, abs=1e-12)
    data = json.loads(run(*base, "-f", "json").stdout)
    assert [s["segment"] for s in data["segments"]] == [*range(1, 21), *range(1, 21)]
    shown = run(*base).stdout.splitlines()
    assert len(shown) == 41 + len(SPECS) and all("|" in line for line in shown[41:])
    assert run(*base, "-f", "tsv").stderr.splitlines() == shown[41:]
    assert run(*base, "-f", "tsv", "--quiet").stderr == ""


def test_sentence_level_without_matched_words() -> None:
    base = ("-r", REFERENCE, SYSTEM_A, "-m", "beer,chrf", "--level", "sentence")
    shown = run(*base).stdout.splitlines()
    assert shown[0].split() == ["system", "segment", "beer", "chrf"]
    assert all(len(line.split()) == 4 for line in shown[1:21])
    assert list(json.loads(run(*base, "-f", "json").stdout)["segments"][0])[2:] == ["beer", "chrf"]


def test_language_reaches_the_metrics_that_have_one() -> None:
    """The default metrics can be asked for in any language; beer 4.0 finds that of each reference itself."""
    shown = run("-r", REFERENCE, SYSTEM_A, "--language", "tr", "-f", "json").stdout
    signatures = [row["signature"] for row in json.loads(shown)["metrics"]]
    assert ["language:tr" in signature for signature in signatures] == [True] * 5 + [False]
    old = "beer:version=1.1"
    stemmed, plain = (metric(f"{old},language={language}") for language in ("de", "en"))
    assert parse_metrics([old, "beer"], {"language": "de"}) == [stemmed, metric("beer")]
    assert stemmed != plain
    with pytest.raises(BadSetting, match="leave language out"):
        parse_metrics(["beer:language=de"])


def test_every_metric_has_a_name_of_its_own() -> None:
    names = ["full", "full:match=stem", "kendall", "bleu", "bleu:tokenize=char"]
    base = ("-r", REFERENCE, SYSTEM_B, "-m", ",".join(names), "--samples", "0")
    data = json.loads(run(*base, "-f", "json").stdout)
    assert [m["spec"] for m in data["metrics"]] == list(data["systems"][0]["scores"]) == names
    for name in names:
        assert data["systems"][0]["scores"][name]["score"] == expected(name, SYSTEM_B)
    assert run(*base).stdout.splitlines()[0].split() == ["matched", *names]
    rows = csv.DictReader(io.StringIO(run(*base, "-f", "tsv").stdout), delimiter="\t")
    assert [row["metric"] for row in rows] == names
    assert " & ".join(["", "matched", *names]) in run(*base, "-f", "latex").stdout
    alone = (*base, "--level", "sentence")
    assert run(*alone, "-f", "tsv").stdout.splitlines()[0].split("\t")[2:] == [*names, "matched"]
    assert list(json.loads(run(*alone, "-f", "json").stdout)["segments"][0])[2:] == [*names, "matched"]
    assert run(*alone).stdout.splitlines()[0].split()[2:] == [*names, "matched"]


def test_names_are_safe_in_latex_and_one_is_singular(tmp_path: Path) -> None:
    odd = tmp_path / r"[a]^b\c_~"
    odd.write_text("\n")
    (tmp_path / "ref").write_text("a b\n")
    done = run("-r", str(tmp_path / "ref"), str(odd), "-m", "kendall", "--samples", "0", "-f", "latex")
    shown = r"{[}a]\textasciicircum{}b\textbackslash{}c\_\textasciitilde{} & 0.0 \% & 0.000 \\"
    assert shown in done.stdout.splitlines()
    text = run("-r", str(tmp_path / "ref"), str(odd), "-m", "kendall", "--samples", "0").stdout
    assert "1 segment, 1 reference · " in text and ": 1 empty hypothesis\n" in text


def test_paired_tests_and_seeds() -> None:
    base = ("-r", REFERENCE, SYSTEM_A, SYSTEM_B, "-m", "kendall,bleu", "--samples", "200", "-f", "json")
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
        done = run("-r", REFERENCE, SYSTEM_B, "-m", "kendall,full", "--samples", "0", "-f", "json", *flags)
        data = json.loads(done.stdout)
        for spec in ("kendall", "full"):
            assert data["systems"][0]["scores"][spec]["score"] == expected(spec, SYSTEM_B, **matching)
            assert data["systems"][0]["scores"][spec]["low"] is None


def test_several_references_and_packed_files(tmp_path: Path) -> None:
    packed = tmp_path / "ref.txt.gz"
    packed.write_bytes(gzip.compress(Path(REFERENCE).read_bytes()))
    args = ("-r", str(packed), "-r", SYSTEM_A, SYSTEM_A, "-m", "kendall,bleu", "--samples", "0", "-f", "json")
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
    done = run(*args, "-m", "kendall,lrscore:bleu=1,alpha=1", "--samples", "0", "-f", "json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert "match:alignments(talbot)" in data["metrics"][0]["signature"]
    scores = data["systems"][0]["scores"]
    assert scores["kendall"]["score"] == pytest.approx(2 / 3)
    assert scores["lrscore:alpha=1.0,bleu=1"]["score"] == pytest.approx(2 / 3)
    refused = run(*args, "-m", "full")
    assert refused.returncode == 2 and "no meaning with given alignments" in refused.stderr
    # "a" is linked with both ends: its first link puts it before the others, its last link after them.
    (tmp_path / "sys.align").write_text("0-0 0-2 1-1 2-2\n")
    (tmp_path / "ref.align").write_text("0-0 1-1 2-2\n")
    for link, expected in {"first": 1.0, "last": 2 / 3}.items():
        done = run(*args, "-m", "kendall", "--policy", f"thesis:link={link}", "--samples", "0", "-f", "json")
        data = json.loads(done.stdout)
        assert f"match:alignments(thesis.link-{link})" in data["metrics"][0]["signature"]
        assert data["systems"][0]["scores"]["kendall"]["score"] == pytest.approx(expected)
    for policy in ("nakagawa", "talbot:unaligned=drop", "talbot:punctuation=pin"):
        refused = run(*args, "-m", "kendall", "--policy", policy)
        assert refused.returncode == 2 and "places every word by its links alone" in refused.stderr
    twice = ["-r", str(tmp_path / "sys"), "--ref-align", str(tmp_path / "sys.align")]
    two = json.loads(
        run(*args, *twice, "-m", "kendall,lrscore:bleu=1", "--samples", "0", "-f", "json").stdout
    )
    assert two["systems"][0]["scores"]["kendall"]["score"] == 1.0  # the best of two references
    assert two["systems"][0]["scores"]["lrscore:bleu=1"]["score"] == pytest.approx(1.0)
    wrong = run(*args, "-r", str(tmp_path / "sys"), "-m", "kendall")
    assert wrong.returncode == 2 and "one alignment file for each reference" in wrong.stderr
    (tmp_path / "sys.align").write_text("\n")
    nothing = json.loads(run(*args, "-m", "kendall", "--samples", "0", "-f", "json").stdout)
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
        (("-r", "{ref}", "{folder}"), 3, "is a single file, but"),
        (("-r", "{ref}", "{none}"), 3, "does not exist"),
        (("-r", "{empty}", "{empty}"), 3, "is empty"),
        (("-r", "{ref}", "{a}", "-m", "nothing"), 2, "unknown metric"),
        (("-r", "{ref}", "{a}", "--match", "magic"), 2, "unknown stage"),
        (("-r", "{ref}", "{a}", "--source", "{a}"), 2, "alignments need"),
        (("-r", "{ref}", "{a}", "--paired", "bootstrap"), 2, "a test needs two systems"),
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
        (("-r", "{ref}", "{a}", *LINKS, "-m", "lrscore,lrscore:match=stem"), 2, "twice"),
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
    done = run(*(a.format(**places) for a in args), "-o", str(target))
    assert done.returncode == code and done.stdout == "", done.stderr
    assert message in done.stderr and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert not target.exists() and not list(tmp_path.glob(".out*"))


def test_lenient_counts_what_it_skips(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    good = lines(SYSTEM_A)
    bad.write_bytes(
        b"".join(b"\xff\n" if k in (3, 4) else line.encode() + b"\n" for k, line in enumerate(good))
    )
    done = run("-r", REFERENCE, str(bad), "-m", "kendall", "--lenient", "-f", "json", "--samples", "0")
    assert done.returncode == 0 and "skipped 2 (not UTF-8)" in done.stderr
    assert json.loads(done.stdout)["segments"] == 18
    rows = run(
        "-r", REFERENCE, str(bad), "-m", "kendall", "--lenient", "--level", "sentence", "-f", "tsv"
    ).stdout
    assert [line.split("\t")[1] for line in rows.splitlines()[4:6]] == ["6", "7"]  # 4 and 5 are missing


def scores_of(*args: str) -> dict[str, dict[str, float]]:
    """The scores of each system, with the share of words matched."""
    data = json.loads(run(*args, "--samples", "0", "-f", "json", "-q").stdout)
    return {
        s["name"]: {"matched": s["matched"], **{name: v["score"] for name, v in s["scores"].items()}}
        for s in data["systems"]
    }


def test_every_tokenizer_that_is_offered_is_accepted_by_all_metrics() -> None:
    from wordorder.cli.vocabulary import TOKENIZERS
    from wordorder.text.tokens import is_installed

    for name in TOKENIZERS:
        if "mecab" in name and not is_installed(name):
            continue
        done = run(
            "-r", REFERENCE, SYSTEM_A, "-m", "kendall,ribes,bleu,ter", "--tokenize", name, "-f", "json"
        )
        assert done.returncode == 0, done.stderr
        for about in json.loads(done.stdout)["metrics"]:
            used = about["settings"]["tokenize"]
            assert used == (
                name if name != "auto" else {"ribes": "none", "ter": "none"}.get(about["name"], "13a")
            )
            signature = about["signature"]
            assert f"tok:{used}|" in signature or f"tokenize:{used}" in signature or used == "none"


def test_garbage_is_seen_by_default(tmp_path: Path) -> None:
    garbage = tmp_path / "garbage"
    garbage.write_text("the .\n" * 20)
    base = ("-r", REFERENCE, SYSTEM_B, str(garbage))
    scores = scores_of(*base)
    assert list(scores["garbage"]) == ["matched", "kendall", "fuzzy", "pet_size", "recpef", "full", "beer"]
    good, bad = scores["system-b.txt"], scores["garbage"]
    assert bad["fuzzy"] > good["fuzzy"]  # it is only scored on the words that are matched
    assert (
        bad["matched"] < 0.2 < good["matched"] and bad["full"] < good["full"] and bad["beer"] < good["beer"]
    )
    warning = "garbage: only 11 % of the words are matched"
    shown = run(*base).stdout
    assert warning in shown and "system-b.txt: only" not in shown and "  11.0 %" in shown
    done = run(*base, "-f", "json")
    assert warning in done.stderr and any(warning in note for note in json.loads(done.stdout)["notes"])
    assert run(*base, "-f", "tsv", "-q").stderr == ""
    rows = list(csv.DictReader(io.StringIO(run(*base, "-f", "tsv").stdout), delimiter="\t"))
    assert float(rows[-2]["matched"]) == bad["matched"] and rows[-1]["matched"] == ""  # beer matches no words


def test_text_without_spaces_is_split_by_script(tmp_path: Path) -> None:
    texts = {
        "zh": ("今天天气很好。我爱北京天安门", "我爱北京天安门。今天天气很好"),
        "script": ("วันนี้อากาศดีมากเลย", "อากาศดีมากเลยวันนี้"),
    }
    theirs = {"script": "char"}  # what sacrebleu has instead
    metrics = "kendall,full,ribes,bleu,ter"
    for name, (reference, system) in texts.items():
        (tmp_path / "ref").write_text(f"{reference}\n" * 3, encoding="utf-8")
        (tmp_path / "sys").write_text(f"{system}\n" * 3, encoding="utf-8")
        base = ("-r", str(tmp_path / "ref"), str(tmp_path / "sys"), "-m", f"{metrics},chrf")
        done = run(*base)
        used = f"{name} and {theirs[name]}" if name in theirs else name
        assert f"it is split by tokenize={used}\n" in done.stdout
        scores = scores_of(*base)["sys"]
        assert all(0 < scores[key] < (1 if scores[key] < 1 else 100) for key in ("kendall", "full", "bleu"))
        own = scores_of(*base, "--tokenize", name)["sys"]
        other = scores_of(*base, "--tokenize", theirs.get(name, name))["sys"]
        assert {key: scores[key] for key in ("kendall", "full", "ribes")}.items() <= own.items()
        assert {key: scores[key] for key in ("bleu", "ter", "chrf")}.items() <= other.items()
        warned = run(*base, "--tokenize", "13a").stdout
        assert "no spaces between words, but kendall, full, ribes, bleu, ter would need them" in warned
        assert "tokenize has no effect on chrf\n" in warned
        assert scores_of(*base, "--tokenize", "13a")["sys"]["kendall"] == 0.0


def test_metrics_that_always_take_the_best_reference_are_named(tmp_path: Path) -> None:
    for name, text in (("one", "a b\n"), ("two", "a c\n")):
        (tmp_path / name).write_text(text)
    files = ("-r", str(tmp_path / "one"), "-r", str(tmp_path / "two"), str(tmp_path / "one"))
    assert "refs has no effect on beer\n" in run(*files, "-m", "beer,kendall", "--refs", "mean").stdout
    assert "has no effect" not in run(*files, "-m", "beer,kendall").stdout


def test_one_option_governs_case_in_all_metrics(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("The Cat Sat On The Mat\n")
    (tmp_path / "sys").write_text("the cat sat on the mat\n")
    base = ("-r", str(tmp_path / "ref"), str(tmp_path / "sys"), "-m", "kendall,full,bleu,chrf,ter")
    assert "case is ignored by kendall, full, ter, not by bleu, chrf\n" in run(*base).stdout
    ignored = scores_of(*base, "--lowercase")["sys"]
    assert ignored == pytest.approx(
        {"matched": 1, "kendall": 1, "full": 1, "bleu": 100, "chrf": 100, "ter": 0}
    )
    minded = scores_of(*base, "--cased")["sys"]
    assert minded["kendall"] == minded["bleu"] == 0.0 and minded["ter"] == 100.0 and minded["chrf"] < 100
    assert "case is ignored" not in run(*base, "--cased").stdout


def test_names_baseline_p_values_and_all_pairs(tmp_path: Path) -> None:
    base = ("-r", REFERENCE, SYSTEM_B, SYSTEM_A, REFERENCE, "-m", "kendall,ter", "--samples", "100")
    named = (*base, "--names", "bad,good,best")
    data = json.loads(run(*named, "--baseline", "good", "-f", "json").stdout)
    assert (
        data["paired"] == "bootstrap"
        and data["baseline"] == "good"
        and data["thresholds"] == {"*": 0.05, "**": 0.01}
    )
    scores = {s["name"]: s["scores"]["kendall"] for s in data["systems"]}
    assert scores["good"]["p_value"] is None and scores["bad"]["p_value"] < 0.05
    assert scores["best"]["difference"] == pytest.approx(scores["best"]["score"] - scores["good"]["score"])
    shown = run(*named, "--baseline", "good", "--p-values").stdout
    assert "worse than good: * p < 0.05, ** p < 0.01 (paired bootstrap, 100 samples, seed 12345)" in shown
    assert f" p={scores['bad']['p_value']:.3f} -" in shown
    latex = run(*named, "--baseline", "good", "-f", "latex").stdout
    assert (
        "% + better, - worse than good: * p < 0.05" in latex and "seed 12345" in latex and "$^{-**}$" in latex
    )
    target = tmp_path / "scores.json"
    done = run(*named, "--all-pairs", "--paired", "randomisation", "-o", str(target))
    assert done.returncode == 0 and done.stdout == ""
    pairs = json.loads(target.read_text())["pairs"]
    assert len(pairs) == 6 and {"system", "against", "metric", "difference", "p_value", "p_corrected"} == set(
        pairs[0]
    )
    assert all(pair["p_corrected"] >= pair["p_value"] for pair in pairs)
    text = run(*named, "--all-pairs").stdout
    assert "corrected p" in text and "Holm's method" in text
    for args, message in (
        ((*base, "--names", "a,b"), "expected 3 different names"),
        ((*base, "--baseline", "x"), "the systems are system-b.txt, system-a.txt, reference.txt"),
        ((*base, "--p-values"), "--p-values would have no effect"),
        ((*base, "--level", "sentence", "-f", "latex"), "is for corpus scores"),
    ):
        wrong = run(*args)
        assert wrong.returncode == 2 and message in wrong.stderr


def test_numbers_of_permutations_are_ranks_or_orders_from_0_or_1(tmp_path: Path) -> None:
    def score(content: str, *args: str) -> float:
        (tmp_path / "p").write_text(content)
        done = run("--permutations", str(tmp_path / "p"), "-m", "recpet", "-f", "json", *args)
        assert done.returncode == 0, done.stderr
        return float(json.loads(done.stdout)["metrics"][0]["score"])

    chain, turned = [3, 4, 1, 2, 0], [4, 2, 3, 0, 1]  # inverses of each other, with different scores
    as_text = {base: " ".join(str(k + base) for k in chain) + "\n" for base in (0, 1)}
    inverse = " ".join(map(str, turned)) + "\n"
    assert score(inverse) != score(as_text[0]) == score(as_text[1]) == score(as_text[1], "--base", "1")
    assert score(as_text[0], "--order") == score(as_text[1], "--order") == score(inverse)
    (tmp_path / "p").write_text("1 0\n1 2\n")
    mixed = run("--permutations", str(tmp_path / "p"))
    assert mixed.returncode == 3 and "p:2: " in mixed.stderr
    (tmp_path / "p").write_text("<>\n2 1\n")
    assert run("--permutations", str(tmp_path / "p")).returncode == 0
