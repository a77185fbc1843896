"""``wordorder evaluate`` and the verbs of rules, from files to text, TSV, JSON and LaTeX."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calls import Done, call
from wordorder.io.sentence import Row

Run = Callable[..., Done]

SENTENCES = [
    "he~PRON~nsubj~2 ate~VERB~root~0 the~DET~det~4 fish~NOUN~obj~2 .~PUNCT~punct~2",
    "she~PRON~nsubj~3 has~AUX~aux~3 read~VERB~root~0 a~DET~det~5 book~NOUN~obj~3 here~ADV~advmod~3",
    "go~VERB~root~0 home~ADV~advmod~1",
    "cats~NOUN~nsubj~4 and~CCONJ~cc~3 dogs~NOUN~conj~1 sleep~VERB~root~0 here~ADV~advmod~4",
]
WRONG = "he~PRON~nsubj~4 ate~VERB~acl~1 the~DET~det~4 fish~NOUN~root~0 .~PUNCT~punct~4"
LINKS = ["0-0 1-2 3-1 4-3", "0-0 1-4 2-3 4-1 5-2", "0-1 1-0", "0-0 2-1 3-3 4-2"]


def conllu(*sentences: str) -> str:
    text = ""
    for words in sentences:
        for number, word in enumerate(words.split(), start=1):
            form, upos, relation, head = word.split("~")
            text += "\t".join(Row(str(number), form, form, upos, "_", "_", head, relation)) + "\n"
        text += "\n"
    return text


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("gold.conllu").write_text(conllu(*SENTENCES))
    Path("other.conllu").write_text(conllu(WRONG, *SENTENCES[1:]))
    Path("x.en").write_text("".join(" ".join(w.split("~")[0] for w in s.split()) + "\n" for s in SENTENCES))
    Path("x.align").write_text("".join(line + "\n" for line in LINKS))
    Path("still.order").write_text("0 1 2 3 4\n0 1 2 3 4 5\n0 1\n0 1 2 3 4\n")
    return lambda *args: call(capsys, monkeypatch, *args)


BASE = ("--source", "x.en", "--align", "x.align")


def test_systems_by_parsers_and_files(run: Run) -> None:
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "p2=other.conllu", "--samples", "50",
        "--system", "rules:set=none", "--system", "ja=rules:set=en-ja", "--system", "identity",
        "--orders", "still.order",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    names = ["rules:none/gold", "rules:none/p2", "ja/gold", "ja/p2", "identity", "still"]
    assert [line.split()[0] for line in lines[1:7]] == names
    score = {line.split()[0]: line.split()[1] for line in lines[1:7]}
    assert score["rules:none/gold"] == score["identity"] == score["still"]
    assert score["ja/gold"] > score["ja/p2"] > score["rules:none/gold"]
    assert (
        "reordering|metric:fuzzy|reference:talbot.links-all.unaligned-next.punctuation-words" in done.stdout
    )
    assert "|match:words|" in done.stdout


def test_json_has_everything(run: Run) -> None:
    Path("ratings").write_text("1\n2\n3\n4\n")
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "--system", "rules:set=en-ja",
        "--errors", "--sentences", "--human", "rules:en-ja/gold=ratings",
        "-m", "fuzzy,kendall,recpef,pet_size", "--samples", "20", "-o", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [one["name"] for one in data["metrics"]] == ["fuzzy", "kendall", "recpef", "pet_size"]
    assert [one["name"] for one in data["systems"]] == ["rules:en-ja/gold", "rules:en-ja/other"]
    assert len(data["systems"][0]["sentences"]) == 4
    assert data["pairs"][0]["systems"] == ["rules:en-ja/gold", "rules:en-ja/other"]
    assert {one["level"] for one in data["correlations"]} == {"sentence"}
    errors = data["errors"][1]
    assert {"word", "tag", "relation", "depth", "length"} == set(errors["groups"])
    assert {one["name"] for one in errors["rules"]} == {"verb", "noun"}
    assert errors["worst"][0]["number"] == 1 and errors["worst"][0]["rules"]
    assert data["parsers"][0]["worse"] == 1
    assert data["parsers"][0]["disagreements"][0]["arcs"][0]["form"] == "he"
    assert data["usability"]["coverage"] < 1


def test_errors_as_text(run: Run) -> None:
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "--system", "rules:set=en-ja",
        "--errors", "--worst", "1", "--sentences", "--samples", "0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for text in ("errors of rules:en-ja/other", "operator of reference / system", "worst sentences by fuzzy",
                 "moved by   verb at", "parsers rules:en-ja/gold and rules:en-ja/other",
                 "gain in fuzzy"):  # fmt: skip
        assert text in done.stdout


def test_rule_sets_by_their_bare_names_and_models_of_the_same(run: Run) -> None:
    args = ("evaluate", *BASE, "--parse", "gold.conllu", "--samples", "0", "-o", "json")
    done = run(*args, "--system", "head-final", "--system", "sov", "--system", "en-ko")
    assert done.returncode == 0, done.stderr
    named = json.loads(done.stdout)["systems"]
    assert [one["name"] for one in named] == ["rules:head-final", "rules:sov", "rules:en-ko"]
    done = run(*args, *(x for n in ("head-final", "sov", "en-ko") for x in ("--system", f"rules:set={n}")))
    assert json.loads(done.stdout)["systems"] == named
    # en-ja is a model too, which has the name; what it is is told, and both can stand side by side
    done = run(*args, "--system", "en-ja", "--system", "rules:set=en-ja")
    assert "en-ja is the model; the rule set of that name is rules:set=en-ja" in done.stderr
    both = json.loads(done.stdout)["systems"]
    assert [one["name"] for one in both] == ["en-ja", "rules:en-ja"]
    assert both[0]["scores"] != both[1]["scores"]
    done = run(*args, "--system", "head-finall")
    assert done.returncode == 2 and "Did you mean 'head-final'" in done.stderr
    done = run("preorder", "apply", "--model", "reverse", "--parse", "gold.conllu", "--output", "text")
    assert done.stdout.splitlines()[2] == "home go"


def test_a_lower_score_may_be_the_better_one(run: Run) -> None:
    args = (
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "--system", "rules:set=en-ja",
        "--errors", "--samples", "0", "-o", "json",
    )  # fmt: skip
    for metric in ("kendall", "crossings"):
        (found,) = json.loads(run(*args, "-m", metric).stdout)["parsers"]
        assert (found["better"], found["worse"]) == (0, 1), metric
    assert found["higher_is_better"] is False


def test_tsv_and_latex(run: Run) -> None:
    args = (*BASE, "--parse", "gold.conllu", "--system", "rules:set=none", "--system", "rules:set=en-ja")
    done = run("evaluate", *args, "--samples", "20", "-o", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0][:3] == ["system", "metric", "score"] and len(rows) == 5
    assert all(len(row) == len(rows[0]) for row in rows)
    assert float(rows[3][2]) > float(rows[1][2])
    done = run("evaluate", *args, "--sentences", "-o", "tsv")
    assert len(done.stdout.splitlines()) == 9
    done = run("evaluate", *args, "--samples", "20", "-o", "latex")
    assert done.stdout.count(r"\begin{tabular}") == 3 and r"none & " in done.stdout
    assert run("evaluate", *args, "--errors", "-o", "tsv").returncode == 2


def test_reference_orders_as_text(run: Run) -> None:
    lines = ["he {{ the fish }} ate .", "she a book here read has", "home go", "cats and dogs here sleep"]
    Path("x.reference").write_text("".join(line + "\n" for line in lines))
    args = (
        "--source",
        "x.en",
        "--reference",
        "x.reference",
        "--parse",
        "gold.conllu",
        "--system",
        "rules:set=en-ja",
    )
    done = run("evaluate", *args, "--samples", "0", "-o", "json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["systems"][0]["scores"]["kendall"]["score"] > 0.9
    Path("x.reference").write_text("".join(line + "\n" for line in ["he ate meat .", *lines[1:]]))
    done = run("evaluate", *args)
    assert done.returncode == 3 and "x.reference:1: 'meat' is not" in done.stderr
    assert run("evaluate", *args, "--unaligned", "drop").returncode == 2


REPEATS = ["the dog saw the cat and the man saw the dog .", "a b a b", "yes", "1 2 1", "x y"]


def test_references_come_back_with_the_same_scores(run: Run) -> None:
    Path("r.en").write_text("".join(line + "\n" for line in REPEATS))
    # some words have no links; of the fourth sentence none, and the third has one word
    Path("r.align").write_text("3-0 4-1 8-2 9-3 10-3 0-4 1-6\n2-0 3-1 1-2\n0-0\n\n1-0 0-1\n")
    for name, policy in (("--unaligned", "drop"), ("--unaligned", "next"), ("--punctuation", "drop")):
        base = ("--source", "r.en", "--align", "r.align", name, policy)
        policy = f"talbot:{name[2:]}={policy}"
        order = run("orders", *base[:4], "--policy", policy, "--as", "positions", "-q").stdout.splitlines()
        order[3] = ""  # that sentence has no links
        Path("r.reference").write_text("".join(line + "\n" for line in order))
        assert "{{ 9 10 }}" in order[0]
        for match in ("words", "positions"):
            more = ("--match", match, "--samples", "0", "--sentences", "--system", "identity", "-o", "json")
            made = json.loads(run("evaluate", *base, *more).stdout)
            done = run("evaluate", "--source", "r.en", "--reference", "r.reference", *more)
            assert done.returncode == 0 and not done.stderr, done.stderr
            again = json.loads(done.stdout)
            assert again["systems"] == made["systems"]
            assert (again["used"], again["sentences"], again["words"]) == (4, 5, made["words"])


def test_text_does_not_say_which_of_equal_words(run: Run) -> None:
    Path("r.en").write_text("the dog saw the cat\na b\n")
    Path("r.reference").write_text("the cat the dog saw\nb a\n")
    args = ("evaluate", "--source", "r.en", "--reference", "r.reference", "--system", "identity")
    done = run(*args, "--samples", "0")
    assert done.returncode == 0 and not done.stderr
    done = run(*args, "--match", "positions")
    assert done.returncode == 2 and "1 sentence of r.reference with words that are several" in done.stderr
    Path("r.reference").write_text("the cat dog saw\n\n")
    done = run(*args, "--samples", "0")
    assert "1 sentence with one of several equal words left out" in done.stderr
    assert "1 sentence, 4 words compared; 1 without a reference order left out" in done.stdout
    Path("r.reference").write_text("0 1 7\n1 0\n")
    assert "r.reference:1: '7' is not a position; expected 0 to 4" in run(*args).stderr


def test_both_evaluations_leave_out_what_has_no_links(run: Run) -> None:
    Path("x.align").write_text(LINKS[0] + "\n\n" + "".join(line + "\n" for line in LINKS[2:]))
    done = run("evaluate", *BASE, "--orders", "still.order", "--samples", "0", "-o", "json")
    data = json.loads(done.stdout)
    other = ("preorder", "evaluate", "x.align", "still.order", "--source", "x.en", "--variant", "talbot")
    (variant,) = json.loads(run(*other, "--samples", "0", "-o", "json").stdout)["variants"]
    assert data["used"] == variant["used"] == 3 and variant["left_out"] == 1
    for name, cell in data["systems"][0]["scores"].items():
        assert variant["systems"]["still.order"][name]["score"] == pytest.approx(cell["score"]), name


def test_coverage_of_the_target_needs_the_target(run: Run) -> None:
    args = ("evaluate", *BASE, "--orders", "still.order", "--samples", "0")
    assert json.loads(run(*args, "-o", "json").stdout)["usability"]["target_coverage"] is None
    assert "target words" not in run(*args).stdout
    Path("x.ja").write_text("a b c d e f g h i j\n" * 4)
    done = run(*args, "--target", "x.ja", "-o", "json")
    assert json.loads(done.stdout)["usability"]["target_coverage"] == pytest.approx(15 / 40)
    assert "only 38% of the target words are linked" in run(*args, "--target", "x.ja").stdout


def test_labels_that_the_rules_do_not_know_are_told(run: Run) -> None:
    strange = [one.replace("obj", "dobj").replace("VERB", "VBZ") for one in SENTENCES]
    Path("gold.conllu").write_text(conllu(*strange))
    told = "11% of the words have relations that are not those of Universal Dependencies: dobj"
    for args in (
        ("preorder", "apply", "--model", "rules:set=en-ja", "--parse", "gold.conllu"),
        ("preorder", "explain", "--rules", "en-ja", "--parse", "gold.conllu"),
        (
            "evaluate", *BASE, "--parse", "gold.conllu", "--system", "rules:set=en-ja", "--system", "sov",
            "--samples", "0",
        ),
    ):  # fmt: skip
        done = run(*args)
        assert done.returncode == 0 and done.stderr.count(told) == 1, done.stderr
        assert "22% of the words have tags that are not those of Universal Dependencies: VBZ" in done.stderr
    assert not run("preorder", "apply", "--model", "en-ko", "--parse", "gold.conllu", "-q").stderr
    dead = "".join(f'[[rule]]\nname = "{n}"\nhead = "VERB"\norder = "keep"\n' for n in "ab")
    Path("dead.toml").write_text(dead)
    done = run("preorder", "explain", "--rules", "dead.toml", "--parse", "other.conllu")
    assert "dead.toml:5: rule 'b' never fires: 'a' (dead.toml:1) comes first" in done.stderr


def test_paths_may_have_an_equals_sign(run: Run) -> None:
    Path("k=1.conllu").write_text(Path("gold.conllu").read_text())
    Path("k=2.order").write_text(Path("still.order").read_text())
    done = run(
        "evaluate", *BASE, "--parse", "k=1.conllu", "--orders", "k=2.order", "--orders", "n=k=2.order",
        "--samples", "0", "-o", "json",
    )  # fmt: skip
    assert [one["name"] for one in json.loads(done.stdout)["systems"]] == ["k=2", "n"], done.stderr


def test_tables_that_are_cut_say_so(run: Run) -> None:
    many = " ".join(f"w{i}~NOUN~nsubj~1" if i else "go~VERB~root~0" for i in range(20))
    Path("m.conllu").write_text(conllu(many) * 5)
    Path("m.align").write_text((" ".join(f"{i}-{19 - i}" for i in range(20)) + "\n") * 5)
    args = ("--align", "m.align", "--parse", "m.conllu", "--system", "identity", "--errors", "--samples", "0")
    done = run("evaluate", *args)
    assert "(15 of 20; JSON has all)" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("gold.conllu", conllu("a~X~dep~1 b~X~root~0"), ":1: word 1 is its own head"),
        ("gold.conllu", conllu("a~X~dep~2 b~X~dep~1", *SENTENCES[1:]), ":1: no root"),
        ("gold.conllu", conllu("a~X~root~0 b~X~dep~3 c~X~dep~2"), ":2: the heads of word 2 go"),
        ("gold.conllu", conllu("a~X~root~0 b~X~root~0"), ":2: a second root"),
        ("gold.conllu", conllu("a~X~root~0 b~X~dep~7"), ":2: head 7 is past the last word (2)"),
        ("gold.conllu", "1\tword\n\n", ":1: 2 columns; expected 10"),
        ("gold.conllu", "2-1\tx" + "\t_" * 8 + "\n" + conllu("a~X~root~0"), ":1: range 2-1"),
        ("gold.conllu", conllu(*SENTENCES[:3]), ":15: is where this file ends, but x.en has 4 lines"),
        ("gold.conllu", conllu(SENTENCES[0].replace("fish", "meat")), ":1: word 4 is 'meat' here"),
        ("x.align", "0-0\n" * 3, ":3: is where this file ends"),
        ("x.align", "0-0 9-0\n" + "0-0\n" * 3, ":1: link 9-0"),
        ("still.order", "0 1 2 3 4\n0 1 2 2 4 5\n0 1\n0 1 2 3 4\n", ":2: 2 stands twice, as numbers 3 and 4"),
        ("still.order", "0 1 2 3 4\n0 1 2 3\n0 1\n0 1 2 3 4\n", ":2: the order has 4 words; the sentence"),
        ("still.order", "1 2 3 4 5\n" + "0 1\n" * 3, ":1: number 5 is 5, past the last place (5 numbers,"
         " 0-4). Do the numbers start at 1? Orders are read from 0"),
        ("still.order", "0 1 2 3 4\n", ":1: has 1 order; there are 4 sentences"),
        ("still.order", "0 1 2 3 4\n0 1 2 3 4 5\n0 1\n0 1 2 3 4\n0\n", ":5: has more orders"),
        ("other.conllu", conllu(*SENTENCES[:2]), ":7: has 2 sentences; x.en has 4"),
        ("other.conllu", conllu(*SENTENCES, "a~X~root~0"), ":23: has more sentences than x.en (4)"),
        ("other.conllu", conllu(SENTENCES[0].replace("he~", "it~")), ":1: sentence 1: word 1 is 'it'"),
    ],
)  # fmt: skip
def test_broken_files_are_told_with_file_and_line(run: Run, file: str, text: str, told: str) -> None:
    Path(file).write_text(text)
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "--system", "rules:set=en-ja",
        "--orders", "still.order",
    )  # fmt: skip
    assert done.returncode == 3 and file + told in done.stderr and not done.stdout, done.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "give reference orders"),
        (("--align", "x.align"), "give sentences"),
        ((*BASE,), "give something to evaluate"),
        ((*BASE, "--reference", "x.en", "--system", "identity"), "choose one"),
        ((*BASE, "--system", "rules:set=en-ja"), "needs the dependency trees"),
        ((*BASE, "--system", "identity", "--system", "identity"), "two systems are called 'identity'"),
        ((*BASE, "--system", "identity", "-m", "bleu"), "bleu scores text"),
        ((*BASE, "--system", "identity", "--worst", "3"), "no effect"),
        ((*BASE, "--system", "identity", "--human", "x"), "expected SYSTEM=FILE"),
        ((*BASE, "--parse", "gold.conllu", "--system", "rules:set=en-jaa"), "Did you mean 'en-ja'"),
    ],
)
def test_misuse(run: Run, args: tuple[str, ...], told: str) -> None:
    done = run("evaluate", *args)
    assert done.returncode == 2 and told in done.stderr, done.stderr


def test_rules_are_learned_explained_applied_and_evaluated(run: Run) -> None:
    Path("many.conllu").write_text(conllu(*SENTENCES) * 20)
    Path("many.align").write_text("".join(line + "\n" for line in LINKS) * 20)
    done = run(
        "preorder", "learn-rules", "--parse", "many.conllu", "--align", "many.align", "--out", "mine.toml"
    )
    assert done.returncode == 0, done.stderr
    assert tomllib.loads(Path("mine.toml").read_text())["about"] == "Learned from 80 aligned trees."
    done = run("preorder", "apply", "--model", "mine.toml", "--parse", "gold.conllu", "--output", "text")
    assert done.stdout.splitlines()[:3] == ["he the fish ate .", "she a book here read has", "home go"]
    done = run("preorder", "apply", "--model", "rules:set=en-ja", "--source", "x.en", "--output", "text")
    assert done.returncode == 2 and "rules needs --parse FILE" in done.stderr
    done = run("preorder", "explain", "--rules", "mine.toml", "--parse", "gold.conllu", "--sentence", "3")
    assert done.stdout.splitlines()[:2] == ["go home", "home go"] and "mine.toml:" in done.stdout
    done = run("preorder", "explain", "--rules", "en-ja", "--parse", "gold.conllu", "-o", "json")
    assert [one["number"] for one in json.loads(done.stdout)] == [1, 2, 3, 4]
    done = run("preorder", "explain", "--rules", "en-ja", "--parse", "gold.conllu", "--sentence", "9")
    assert done.returncode == 2 and "there is no sentence 9" in done.stderr
    done = run(
        "evaluate",
        *BASE,
        "--parse",
        "gold.conllu",
        "--system",
        "mine.toml",
        "--unaligned",
        "drop",
        "-o",
        "tsv",
    )
    assert done.stdout.splitlines()[1].split("\t")[:3] == ["mine", "fuzzy", "1.0"]
    Path("mine.toml").write_text('[[rule]]\nname = "x"\nhead = "VERB"\norder = ["subj", "HEAD"]\n')
    done = run("preorder", "apply", "--model", "mine.toml", "--parse", "gold.conllu")
    assert done.returncode == 3 and "mine.toml:4: unknown relation 'subj'" in done.stderr


def test_rules_are_not_learned_from_nothing(run: Run) -> None:
    args = ("preorder", "learn-rules", "--parse", "gold.conllu", "--align", "x.align")
    Path("x.align").write_text("\n" * 4)
    done = run(*args)
    assert done.returncode == 3 and "none of 4 trees has links" in done.stderr and not done.stdout
    Path("x.align").write_text("0-0\n\n\n\n")
    assert "1 tree of 4 with links, and nowhere" in run(*args).stderr
    Path("x.align").write_text("0-1 1-0\n\n\n\n")
    done = run(*args)
    assert done.returncode == 0 and "Learned from 1 aligned tree, of 4" in done.stdout
    assert "1 of 4 trees have links" in done.stderr


def test_parses_are_chosen(run: Run) -> None:
    Path("nbest.conllu").write_text(conllu(WRONG, *SENTENCES))
    args = ("--rules", "en-ja", *BASE, "--nbest", "nbest.conllu", "--unaligned", "drop")
    done = run("preorder", "choose-parses", *args, "--out", "chosen.conllu")
    assert done.returncode == 0 and "another than the first for 1" in done.stderr
    assert Path("chosen.conllu").read_text() == conllu(*SENTENCES)
    done = run("preorder", "choose-parses", *args, "--changed-only")
    assert done.stdout == conllu(SENTENCES[0])


def test_parse_wants_a_parser(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    assert run("preorder", "parse", "--source", "x.en").returncode == 2
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    done = run("preorder", "parse", "--source", "x.en", "--udpipe", "m")
    assert done.returncode == 2 and "pip install ufal.udpipe" in done.stderr


@pytest.mark.shared
def test_manual_links_and_gold_trees(run: Run, shared: Path) -> None:
    home = shared / "data" / "parallel" / "pud" / "en-ja"
    if not home.is_dir():
        pytest.skip("no parallel treebank beside the project")
    args = ["evaluate", "--align", str(home / "dev.align.gz"), "--parse", str(home / "dev.en.conllu.gz")]
    for name in ("none", "head-final", "en-ja"):
        args += ["--system", f"rules:set={name}"]
    done = run(*args, "--unaligned", "drop", "--samples", "200", "-o", "json")
    data = json.loads(done.stdout)
    kendall = [one["scores"]["kendall"]["score"] for one in data["systems"]]
    assert kendall == sorted(kendall)
    assert all(one["mark"] == "**" for one in data["pairs"] if one["metric"] == "kendall")
