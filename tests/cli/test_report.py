"""Reports hold the numbers that the verbs print."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.calls import run_here as run
from tests.metrics.equations import value_of
from wordorder.cli.report import KINDS
from wordorder.core.tree import tree
from wordorder.data import sample, sample_judgments
from wordorder.metrics.beer import Beer

SCORE = ("-r", str(sample("reference.txt")), str(sample("system-a.txt")), str(sample("system-b.txt")))


def embedded(page: str, name: str):
    """A value that a page embeds."""
    found = re.search(rf'id="data-{name}">(.*?)</script>', page)
    assert found is not None, name
    return json.loads(found[1])


def saved(page: str, file: str, form: str) -> str:
    """What the first button saves whose file has this name."""
    tables = embedded(page, "saved")
    return next(table[form] for name, table in tables.items() if name.startswith(file))


@pytest.fixture(scope="module")
def scored(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    done = run("report", "score", *SCORE, "--samples", "200", "-o", str(path))
    assert done.returncode == 0 and done.stdout == "", done.stderr
    return path.read_text("utf-8")


def test_scores_are_those_of_the_verb(scored):
    asked = ("--samples", "200", "--paired", "bootstrap", "--all-pairs", "--p-values")
    done = run("score", *SCORE, *asked, "-f", "json")
    assert json.loads(saved(scored, "scores", "json")) == json.loads(done.stdout)
    done = run("score", *SCORE, *asked, "-f", "latex")
    assert done.stdout == saved(scored, "scores", "latex") + "\n" + saved(scored, "pairs", "latex")
    numbers = embedded(scored, "numbers")
    lines = run("score", *SCORE, "--level", "sentence", "-f", "tsv").stdout.splitlines()
    metrics = [metric["label"] for metric in embedded(scored, "report")["metrics"]]
    head = lines[0].split("\t")
    rows = [dict(zip(head, line.split("\t"), strict=True)) for line in lines[1:]]
    assert len(rows) == 40
    for row in rows:
        system = ["system-a.txt", "system-b.txt"].index(row["system"])
        for m, name in enumerate(metrics):
            assert numbers["scores"][system][m][int(row["segment"]) - 1] == pytest.approx(
                float(row[name]), abs=1e-5
            )


def test_tables_can_be_saved_in_every_form(scored):
    for name, forms in embedded(scored, "saved").items():
        assert json.loads(forms["json"]), name
        lines = forms["tsv"].splitlines()
        assert len(lines) > 1 and len({line.count("\t") for line in lines}) == 1, name
        assert r"\begin{tabular}" in forms["latex"], name


def test_buckets_add_up_to_the_corpus(scored):
    tables = embedded(scored, "saved")
    for name in (name for name in tables if name.startswith("buckets")):
        records = json.loads(tables[name]["json"])["buckets"]
        assert sum(record["segments"] for record in records) == 40, name  # 20 of each system


def test_the_page_names_no_host(scored):
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", scored)
    assert "default-src 'none'" in scored


def test_the_other_kinds(tmp_path):
    align = tmp_path / "links.align"
    align.write_text("0-0 1-1 2-2\n0-1 1-0\n\n", "utf-8")
    calls = {
        "align-report": [str(align)],
        "judge": [str(sample_judgments()), "-m", "kendall,bleu", "--baseline", "bleu", "--samples", "50"],
        "evaluate": [
            "--align", str(sample("text.align")), "-s", str(sample("text.en")), "rules:en-ja",
            "--samples", "50", "--parse", str(sample("text.conllu")),
        ],
        "tune": [str(sample("candidates.nbest")), "-r", str(sample("reference.txt")), "--seeds", "1"],
    }  # fmt: skip
    for kind, arguments in calls.items():
        path = tmp_path / f"{kind}.html"
        done = run("report", kind, *arguments, "-o", str(path))
        assert done.returncode == 0, done.stderr
        page = path.read_text("utf-8")
        assert page.startswith("<!doctype html>") and "Content-Security-Policy" in page
        tables = embedded(page, "saved")
        assert tables, kind
    page = (tmp_path / "align-report.html").read_text("utf-8")
    assert embedded(page, "sample")[0]["links"]
    page = (tmp_path / "evaluate.html").read_text("utf-8")
    verb = json.loads(run("evaluate", *calls["evaluate"], "-f", "json").stdout)
    shown = embedded(page, "numbers")["scores"]
    for system, name in enumerate(("identity", "rules:en-ja")):
        means = {score: cell["score"] for score, cell in verb["variants"][0]["systems"][name].items()}
        assert [sum(own) / len(own) for own in shown[system]] == pytest.approx(list(means.values()), abs=1e-5)


def test_given_alignments(tmp_path):
    files = {
        "ref": "x y z\n",
        "sys": "z x y\n",
        "src": "u v w\n",
        "ref.align": "0-0 1-1 2-2\n",
        "sys.align": "0-1 1-2 2-0\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text * 2, "utf-8")
    at = {name: str(tmp_path / name) for name in files}
    out = tmp_path / "report.html"
    done = run(
        "report", "score", "-r", at["ref"], at["sys"], "-s", at["src"], "--ref-align", at["ref.align"],
        "--align", at["sys.align"], "-o", str(out),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = out.read_text("utf-8")
    sentence = embedded(page, "sentences-0")[0]
    assert sentence[0] == "u v w" and sentence[1] == [["w u v", [2, 0, 1]]] and sentence[3] == "u v w"
    assert "Alignments" in page


def test_parses_add_parts_of_speech(tmp_path):
    lines = sample("reference.txt").read_text("utf-8").splitlines()
    blocks = []
    for line in lines:
        rows = [
            f"{k}\t{w}\t_\t{'VERB' if k == 2 else 'X'}\t_\t_\t{k - 1}\tdep\t_\t_"
            for k, w in enumerate(line.split(), 1)
        ]
        blocks.append("\n".join([f"# text = {line}", *rows]) + "\n\n")
    (tmp_path / "parses.conllu").write_text("".join(blocks), "utf-8")
    out = tmp_path / "report.html"
    done = run(
        "report",
        "score",
        *SCORE,
        "--parses",
        str(tmp_path / "parses.conllu"),
        "--samples",
        "20",
        "-o",
        str(out),
    )
    assert done.returncode == 0, done.stderr
    assert "part of speech" in embedded(out.read_text("utf-8"), "buckets")["properties"]


def test_what_cannot_be_reported_is_refused(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text("x\n")
    done = run("report", "score", "-r", str(tmp_path / "a"), str(tmp_path / "b"))
    assert done.returncode == 2 and "single files" in done.stderr
    done = run("score", *SCORE, "-o", str(tmp_path / "x.html"))
    assert done.returncode == 2 and "'wordorder report' writes HTML" in done.stderr
    done = run("report", "score", *SCORE, "-o", str(tmp_path / "no" / "x.html"))
    assert done.returncode != 0 and "no" in done.stderr
    done = run("report", "score", *SCORE, "-o", str(tmp_path / "x.pdf"))
    assert done.returncode == 2 and "a report is HTML" in done.stderr and not (tmp_path / "x.pdf").exists()
    done = run("report", "score", "-r", str(tmp_path / "a"))
    assert done.returncode == 2 and "one SYSTEM." in done.stderr
    done = run("report", "nothing")
    assert done.returncode == 2 and "nothing" in done.stderr


def test_help_shows_the_kinds():
    done = run("report", "--help")
    assert done.returncode == 0 and "align-report" in done.stdout
    assert "--parses" in run("report", "score", "--help").stdout


@pytest.mark.parametrize("variant", ["nakagawa", "lader", "talbot", "thesis"])
def test_formulas_of_orders_give_their_scores(tmp_path, variant):
    out = tmp_path / "report.html"
    done = run(
        "report", "evaluate", "--align", str(sample("text.align")), "--parse", str(sample("text.conllu")),
        "rules:en-ja", "--variant", variant, "--samples", "0", "-o", str(out),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = out.read_text("utf-8")
    metrics, shown, terms = (
        embedded(page, "report")["metrics"],
        embedded(page, "numbers"),
        embedded(page, "terms"),
    )
    known = 0
    for system in range(2):
        for m, metric in enumerate(metrics):
            assert metric["equation"], metric["label"]
            for row, score in enumerate(shown["scores"][system][m]):
                value = value_of(metric["equation"], terms[system][m], row)
                assert value is None or value == pytest.approx(score, abs=2e-4), metric["label"]
                known += value is not None
    assert known > 0.9 * 2 * len(metrics) * len(shown["number"])


def test_nodes_of_orders_belong_to_the_tree_that_is_shown(tmp_path):
    out = tmp_path / "report.html"
    run(
        "report", "evaluate", "--align", str(sample("text.align")), "-s", str(sample("text.en")),
        "--variant", "lader", "-m", "recpef", "--samples", "0", "-o", str(out),
    )  # fmt: skip
    page = out.read_text("utf-8")
    sentences, nodes = embedded(page, "sentences-0"), embedded(page, "nodes")
    scores = embedded(page, "numbers")["scores"]
    some = 0
    for row, (_, systems, _) in enumerate(sentences):
        own = nodes[0][0][row]
        places = [place for place in systems[0][1] if place >= 0]
        assert not own or own[-1] == pytest.approx(scores[0][0][row], abs=2e-4)
        assert not own or len(own) == len(tree(places).table)
        some += bool(own)
    assert some


def test_beer_is_explained_by_its_linear_model(scored):
    metrics, shown = embedded(scored, "report")["metrics"], embedded(scored, "numbers")
    m = [metric["label"] for metric in metrics].index("beer")
    names, weights = metrics[m]["features"]["names"], metrics[m]["features"]["weights"]
    beer = Beer()
    references = sample("reference.txt").read_text("utf-8").splitlines()
    for system, name in enumerate(("system-a.txt", "system-b.txt")):
        terms, features = embedded(scored, "terms")[system][m], embedded(scored, "features")[system][m]
        for row, line in enumerate(sample(name).read_text("utf-8").splitlines()):
            score = shown["scores"][system][m][row]
            assert value_of(metrics[m]["equation"], terms, row) == pytest.approx(score, abs=2e-4)
            parts = beer.explain(line, references[row]).features
            largest = sorted((name for name in parts if parts[name]), key=lambda name: -abs(parts[name]))[:3]
            assert [names[k] for k in features[row][::2]] == largest
            for k, value in zip(features[row][::2], features[row][1::2], strict=True):
                rounding = 5.1e-4 * abs(weights[k])  # features are shown with three decimals
                assert weights[k] * value == pytest.approx(parts[names[k]], abs=2e-3 + rounding)


def test_permutations_have_no_report(tmp_path):
    done = run("report", "score", "--permutations", "orders.txt", "-o", str(tmp_path / "report.html"))
    assert done.returncode == 2 and "a report shows words, and --permutations have none" in done.stderr


def test_help_names_only_options_that_exist():
    for kind in KINDS:
        shown = run("report", kind, "--help").stdout
        options = set(re.findall(r"^ +(?:-\w, |--[\w-]+ / )?(--[\w-]+)", shown, re.MULTILINE))
        options |= set(re.findall(r"^ +(--[\w-]+) / ", shown, re.MULTILINE))
        assert set(re.findall(r"--[a-z][\w-]+", shown)) <= options, kind
