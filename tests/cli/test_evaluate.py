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
        "rules:none", "rules:en-ja", "identity", "still.order", "--names", "none,ja,still",
        "--variant", "talbot",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    names = ["identity", "none/gold", "none/p2", "ja/gold", "ja/p2", "still"]
    assert [line.split()[0] for line in lines[2:8]] == names
    score = {line.split()[0]: line.split()[1] for line in lines[2:8]}
    assert score["none/gold"] == score["identity"] == score["still"]
    assert score["ja/gold"] > score["ja/p2"] > score["none/gold"]
    assert "variant:talbot|links:all|unaligned:next|inside:free|punctuation:words|match:words|" in done.stdout


def test_the_first_variant_is_one_to_trust(run: Run) -> None:
    done = run("evaluate", *BASE, "--parse", "gold.conllu", "rules:en-ja", "--samples", "50")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("nakagawa: ")
    assert done.stdout.count("\nSuited to ") == 4
    help_text = run("evaluate", "--help").stdout
    assert all(f"\n    {name} " in help_text for name in ("nakagawa", "lader", "talbot", "thesis", "file"))


def test_threads_and_file_endings_change_nothing(run: Run) -> None:
    args = ("evaluate", *BASE, "--parse", "gold.conllu", "rules:en-ja", "en-ja-crf", "--samples", "20")
    assert run(*args, "--threads", "3").stdout == run(*args, "--threads", "1").stdout
    for ending, begin in (
        (".json", "{"),
        (".md", "**nakagawa"),
        (".tex", "% nakagawa"),
        (".tsv", "kind\t"),
    ):
        assert run(*args, "-o", f"x{ending}").returncode == 0
        assert Path(f"x{ending}").read_text().startswith(begin), ending


def test_all_pairs_baseline_and_p_values(run: Run) -> None:
    Path("back.order").write_text("4 3 2 1 0\n5 4 3 2 1 0\n1 0\n4 3 2 1 0\n")
    args = ("evaluate", *BASE, "still.order", "back.order", "--variant", "nakagawa", "--samples", "50")
    data = json.loads(run(*args, "--all-pairs", "--baseline", "back", "-f", "json").stdout)
    assert (data["baseline"], data["paired"], data["seed"]) == ("back", "bootstrap", 12345)
    (variant,) = data["variants"]
    tau = variant["systems"]["still"]["tau"]
    assert tau["difference"] == pytest.approx(tau["score"] - variant["systems"]["back"]["tau"]["score"])
    assert variant["systems"]["back"]["tau"]["p_value"] is None
    pairs = [pair for pair in variant["pairs"] if pair["score"] == "tau"]
    assert [pair["systems"] for pair in pairs] == [
        ["identity", "still"],
        ["identity", "back"],
        ["still", "back"],
    ]
    assert all(pair["corrected"] >= pair["p_value"] for pair in pairs)
    assert " p=" in run(*args, "--p-values").stdout and "Holm" in run(*args, "--all-pairs").stdout
    assert run(*args, "--paired", "randomisation").returncode == 0


def test_json_has_everything(run: Run) -> None:
    rows = [f"rules:en-ja/gold\t{s}\tann\t{s}\n" for s in range(1, 5)]
    Path("ratings").write_text("system\tsentence\trater\trating\n" + "".join(rows))
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "rules:en-ja",
        "--errors", "--level", "sentence", "--ratings", "ratings", "--variant", "talbot",
        "-m", "fuzzy,kendall,recpef,pet_size", "--samples", "20", "--all-pairs", "-f", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    (variant,) = data["variants"]
    assert [one["name"] for one in variant["scores"]] == ["fuzzy", "kendall", "recpef", "pet_size"]
    assert list(variant["systems"]) == ["identity", "rules:en-ja/gold", "rules:en-ja/other"]
    assert len(variant["sentence_scores"]["rules:en-ja/gold"]["fuzzy"]) == len(variant["sentences"]) == 4
    assert variant["pairs"][2]["systems"] == ["rules:en-ja/gold", "rules:en-ja/other"]
    assert {one["level"] for one in data["correlations"]} == {"sentence"}
    errors = data["errors"][1]
    assert {"word", "tag", "relation", "depth", "length"} == set(errors["groups"])
    assert {one["name"] for one in errors["rules"]} == {"verb", "noun"}
    assert errors["worst"][0]["number"] == 1 and errors["worst"][0]["rules"]
    assert data["parser_errors"][0]["worse"] == 1
    assert data["parser_errors"][0]["disagreements"][0]["arcs"][0]["form"] == "he"
    assert data["usability"]["x"]["coverage"] < 1


def test_errors_as_text(run: Run) -> None:
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "rules:en-ja",
        "--variant", "talbot", "--errors", "--worst", "1", "--level", "sentence", "--samples", "0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for text in ("errors of rules:en-ja/other", "operator of reference / system", "worst sentences by fuzzy",
                 "moved by", "verb at", "parsers rules:en-ja/gold and rules:en-ja/other",
                 "gain in fuzzy"):  # fmt: skip
        assert text in done.stdout


def test_rule_sets_by_their_bare_names_and_models_of_the_same(run: Run) -> None:
    args = ("evaluate", *BASE, "--parse", "gold.conllu", "--samples", "0", "-f", "json")
    done = run(*args, "head-final", "sov", "en-ko")
    assert done.returncode == 0, done.stderr
    named = json.loads(done.stdout)["variants"][0]["systems"]
    assert list(named) == ["identity", "rules:head-final", "rules:sov", "rules:en-ko"]
    done = run(*args, *(f"rules:{name}" for name in ("head-final", "sov", "en-ko")))
    assert json.loads(done.stdout)["variants"][0]["systems"] == named
    # en-ja is a model too, which has the name; what it is is told, and both can stand side by side
    done = run(*args, "en-ja", "rules:en-ja")
    assert "en-ja is the model of that name; write rules:en-ja for the rule set" in done.stderr
    both = json.loads(done.stdout)["variants"][0]["systems"]
    assert list(both) == ["identity", "en-ja", "rules:en-ja"]
    assert both["en-ja"] != both["rules:en-ja"]
    done = run(*args, "head-finall")
    assert done.returncode == 2 and "Did you mean 'head-final'" in done.stderr
    done = run("preorder", "apply", "--model", "reverse", "--parse", "gold.conllu", "--as", "text")
    assert done.stdout.splitlines()[2] == "home go"


def test_a_lower_score_may_be_the_better_one(run: Run) -> None:
    args = (
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "rules:en-ja",
        "--errors", "--samples", "0", "-f", "json", "--variant", "talbot",
    )  # fmt: skip
    for metric in ("kendall", "crossings"):
        (found,) = json.loads(run(*args, "-m", metric).stdout)["parser_errors"]
        assert (found["better"], found["worse"]) == (0, 1), metric
    assert found["higher_is_better"] is False


def test_tsv_and_latex(run: Run) -> None:
    args = (*BASE, "--parse", "gold.conllu", "rules:none", "rules:en-ja", "--variant", "talbot")
    done = run("evaluate", *args, "--samples", "20", "-f", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0][:5] == ["kind", "variant", "system", "metric", "score"] and len(rows) == 10
    assert all(len(row) == len(rows[0]) for row in rows)
    assert float(rows[7][4]) > float(rows[4][4])
    done = run("evaluate", *args, "--level", "sentence", "-m", "fuzzy,kendall", "-f", "tsv")
    assert len(done.stdout.splitlines()) == 25
    done = run("evaluate", *args, "--samples", "20", "--all-pairs", "-f", "latex")
    assert done.stdout.count(r"\begin{tabular}") == 2 and r"none & " in done.stdout
    assert run("evaluate", *args, "--errors", "-f", "tsv").returncode == 2


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
        "rules:en-ja",
    )
    done = run("evaluate", *args, "--samples", "0", "-f", "json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    (variant,) = data["variants"]
    assert variant["variant"] == "file"
    assert variant["systems"]["rules:en-ja"]["kendall"]["score"] > 0.9
    Path("x.reference").write_text("".join(line + "\n" for line in ["he ate meat .", *lines[1:]]))
    done = run("evaluate", *args)
    assert done.returncode == 3 and "x.reference:1: 'meat' is not" in done.stderr
    assert run("evaluate", *args, "--variant", "talbot").returncode == 2


REPEATS = ["the dog saw the cat and the man saw the dog .", "a b a b", "yes", "1 2 1", "x y"]


def test_references_come_back_with_the_same_scores(run: Run) -> None:
    Path("r.en").write_text("".join(line + "\n" for line in REPEATS))
    # some words have no links; of the fourth sentence none, and the third has one word
    Path("r.align").write_text("3-0 4-1 8-2 9-3 10-3 0-4 1-6\n2-0 3-1 1-2\n0-0\n\n1-0 0-1\n")
    for name, policy in (("--unaligned", "drop"), ("--unaligned", "next"), ("--punctuation", "drop")):
        base = ("--source", "r.en", "--align", "r.align")
        chosen = f"talbot:{name[2:]}={policy}"
        order = run("orders", *base, "--policy", chosen, "--as", "positions", "-q").stdout.splitlines()
        order[3] = ""  # that sentence has no links
        Path("r.reference").write_text("".join(line + "\n" for line in order))
        assert "{{ 9 10 }}" in order[0]
        for match in ("words", "positions"):
            more = ("--samples", "0", "--level", "sentence", "identity", "-f", "json")
            variant = f"talbot:match={match},{name[2:]}={policy}"
            done = run("evaluate", *base, *more, "--variant", variant)
            assert done.returncode == 0, done.stderr
            (made,) = json.loads(done.stdout)["variants"]
            done = run(
                "evaluate", "--source", "r.en", "--reference", "r.reference", *more,
                "--variant", f"file:match={match}",
            )  # fmt: skip
            assert done.returncode == 0 and not done.stderr, done.stderr
            data = json.loads(done.stdout)
            (again,) = data["variants"]
            assert again["systems"] == made["systems"]
            assert again["sentence_scores"] == made["sentence_scores"]
            assert (again["used"], data["sentences"], again["words"]) == (4, 5, made["words"])


def test_text_does_not_say_which_of_equal_words(run: Run) -> None:
    Path("r.en").write_text("the dog saw the cat\na b\n")
    Path("r.reference").write_text("the cat the dog saw\nb a\n")
    args = ("evaluate", "--source", "r.en", "--reference", "r.reference", "identity")
    done = run(*args, "--samples", "0")
    assert done.returncode == 0 and not done.stderr
    done = run(*args, "--variant", "file:match=positions")
    assert done.returncode == 2 and "1 sentence of r.reference with words that occur several" in done.stderr
    Path("r.reference").write_text("the cat dog saw\n\n")
    done = run(*args, "--samples", "0")
    assert "1 sentence with one of several equal words left out" in done.stderr
    assert "(1 sentence, 1 left out, 4 words)" in done.stdout
    Path("r.reference").write_text("0 1 7\n1 0\n")
    assert "r.reference:1: '7' is not a position; expected 0 to 4" in run(*args).stderr


def test_sentences_without_links_are_left_out(run: Run) -> None:
    Path("x.align").write_text(LINKS[0] + "\n\n" + "".join(line + "\n" for line in LINKS[2:]))
    args = ("evaluate", *BASE, "still.order", "--variant", "talbot", "--samples", "0", "-f", "json")
    (variant,) = json.loads(run(*args).stdout)["variants"]
    assert (variant["used"], variant["left_out"]) == (3, 1)
    (metrics,) = json.loads(run(*args, "-m", "fuzzy,kendall").stdout)["variants"]
    for name, cell in metrics["systems"]["still"].items():
        assert variant["systems"]["still"][name] == cell, name


def test_without_words_the_orders_give_the_lengths(run: Run) -> None:
    args = ("evaluate", "--align", "x.align", "still.order", "--samples", "0", "-f", "json")
    data = json.loads(run(*args).stdout)
    assert (data["sentences"], data["words"]) == (4, 18)
    assert "match:positions" in data["variants"][2]["scores"][0]["signature"]
    done = run(*args, "en-ja-crf")
    assert (
        done.returncode == 2
        and "en-ja-crf needs the words of the sentences. Try --source FILE." in done.stderr
    )


def test_coverage_of_the_target_needs_the_target(run: Run) -> None:
    args = ("evaluate", *BASE, "still.order", "--samples", "0")
    assert json.loads(run(*args, "-f", "json").stdout)["usability"]["x"]["target_coverage"] is None
    assert "target words" not in run(*args).stdout
    Path("x.ja").write_text("a b c d e f g h i j\n" * 4)
    done = run(*args, "--target", "x.ja", "-f", "json")
    assert json.loads(done.stdout)["usability"]["x"]["target_coverage"] == pytest.approx(15 / 40)
    assert "only 38% of the target words are linked" in run(*args, "--target", "x.ja").stdout


def test_labels_that_the_rules_do_not_know_are_told(run: Run) -> None:
    strange = [one.replace("obj", "dobj").replace("VERB", "VBZ") for one in SENTENCES]
    Path("gold.conllu").write_text(conllu(*strange))
    told = "11% of the words have relations that are not those of Universal Dependencies: dobj"
    for args in (
        ("preorder", "apply", "--model", "rules:en-ja", "--parse", "gold.conllu"),
        ("preorder", "explain", "--model", "rules:en-ja", "--parse", "gold.conllu"),
        (
            "evaluate", *BASE, "--parse", "gold.conllu", "rules:en-ja", "sov",
            "--samples", "0",
        ),
    ):  # fmt: skip
        done = run(*args)
        assert done.returncode == 0 and done.stderr.count(told) == 1, done.stderr
        assert "22% of the words have tags that are not those of Universal Dependencies: VBZ" in done.stderr
    assert not run("preorder", "apply", "--model", "en-ko", "--parse", "gold.conllu", "-q").stderr
    dead = "".join(f'[[rule]]\nname = "{n}"\nhead = "VERB"\norder = "keep"\n' for n in "ab")
    Path("dead.toml").write_text(dead)
    done = run("preorder", "explain", "--model", "dead.toml", "--parse", "other.conllu")
    assert "dead.toml:5: rule 'b' never fires: 'a' (dead.toml:1) comes first" in done.stderr


def test_paths_may_have_an_equals_sign(run: Run) -> None:
    Path("k=1.conllu").write_text(Path("gold.conllu").read_text())
    Path("k=2.order").write_text(Path("still.order").read_text())
    done = run(
        "evaluate", *BASE, "--parse", "k=1.conllu", "--parse", "p=k=1.conllu", "k=2.order", "sov",
        "--samples", "0", "-f", "json",
    )  # fmt: skip
    names = list(json.loads(done.stdout)["variants"][0]["systems"])
    assert names == ["identity", "k=2", "rules:sov/k=1", "rules:sov/p"], done.stderr


def test_tables_that_are_cut_say_so(run: Run) -> None:
    many = " ".join(f"w{i}~NOUN~nsubj~1" if i else "go~VERB~root~0" for i in range(20))
    Path("m.conllu").write_text(conllu(many) * 5)
    Path("m.align").write_text((" ".join(f"{i}-{19 - i}" for i in range(20)) + "\n") * 5)
    args = ("--align", "m.align", "--parse", "m.conllu", "sov", "--errors", "--samples", "0")
    done = run("evaluate", *args)
    assert "(15 of 20; JSON has all)" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("gold.conllu", conllu("a~X~dep~1 b~X~root~0"), ":1: word 1 is its own head"),
        ("gold.conllu", conllu("a~X~dep~2 b~X~dep~1", *SENTENCES[1:]), ":1: no root"),
        ("gold.conllu", conllu("a~X~root~0 b~X~dep~3 c~X~dep~2"), ":2: the heads of word 2 form a cycle"),
        ("gold.conllu", conllu("a~X~root~0 b~X~root~0"), ":2: a second root"),
        ("gold.conllu", conllu("a~X~root~0 b~X~dep~7"), ":2: head 7 is past the last word (2)"),
        ("gold.conllu", "1\tword\n\n", ":1: 2 columns; expected 10"),
        ("gold.conllu", "2-1\tx" + "\t_" * 8 + "\n" + conllu("a~X~root~0"), ":1: range 2-1"),
        ("gold.conllu", conllu(*SENTENCES[:3]), ":15: is where this file ends, but x.en has 4 lines"),
        ("gold.conllu", conllu(SENTENCES[0].replace("fish", "meat")), ":1: word 4 is 'meat' here"),
        ("x.align", "0-0\n" * 3, ":3: is where this file ends"),
        ("x.align", "0-0 9-0\n" + "0-0\n" * 3, ":1: link 9-0"),
        ("still.order", "0 1 2 3 4\n0 1 2 2 4 5\n0 1\n0 1 2 3 4\n", ":2: 2 occurs twice, as numbers 3 and 4"),
        ("still.order", "0 1 2 3 4\n0 1 2 3\n0 1\n0 1 2 3 4\n", ":2: the order has 4 words; the sentence"),
        ("still.order", "1 2 3 4 5\n" + "0 1\n" * 3, ":2: number 1 is 0, before the first place (2 numbers,"
         " 1-2). Do the numbers start at 0?"),
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
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "rules:en-ja",
        "still.order",
    )  # fmt: skip
    assert done.returncode == 3 and file + told in done.stderr and not done.stdout, done.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "give reference orders"),
        (("--align", "x.align"), "the sentences are unknown. Try --source FILE."),
        ((*BASE, "still.order", "still.order"), "two systems are named 'still.order'"),
        ((*BASE, "still.order", "--names", "a,b"), "2 names for 1 system"),
        ((*BASE, "-m", "bleu"), "bleu scores text"),
        ((*BASE, "--worst", "3"), "no effect"),
        ((*BASE, "--variant", "talbott"), "Did you mean 'talbot'"),
        ((*BASE, "--variant", "file"), "--variant file needs --reference FILE"),
        ((*BASE, "--baseline", "mine"), "unknown baseline 'mine'"),
        ((*BASE, "--parse", "gold.conllu", "rules:en-jaa"), "Did you mean 'en-ja'"),
    ],
)
def test_misuse(run: Run, args: tuple[str, ...], told: str) -> None:
    done = run("evaluate", *args)
    assert done.returncode == 2 and told in done.stderr, done.stderr


def test_rules_are_learned_explained_applied_and_evaluated(run: Run) -> None:
    Path("many.conllu").write_text(conllu(*SENTENCES) * 20)
    Path("many.align").write_text("".join(line + "\n" for line in LINKS) * 20)
    done = run(
        "preorder", "learn-rules", "--parse", "many.conllu", "--align", "many.align", "-o", "mine.toml"
    )
    assert done.returncode == 0, done.stderr
    assert tomllib.loads(Path("mine.toml").read_text())["about"] == "Learned from 80 aligned trees."
    done = run("preorder", "apply", "--model", "mine.toml", "--parse", "gold.conllu", "--as", "text")
    assert done.stdout.splitlines()[:3] == ["he the fish ate .", "she a book here read has", "home go"]
    done = run("preorder", "explain", "--model", "mine.toml", "--parse", "gold.conllu", "--sentence", "3")
    assert done.stdout.splitlines()[:2] == ["go home", "home go"] and "mine.toml:" in done.stdout
    done = run("preorder", "explain", "--model", "rules:en-ja", "--parse", "gold.conllu", "-f", "json")
    assert [one["number"] for one in json.loads(done.stdout)] == [1, 2, 3, 4]
    done = run("preorder", "explain", "--model", "rules:en-ja", "--parse", "gold.conllu", "--sentence", "9")
    assert done.returncode == 2 and "there is no sentence 9" in done.stderr
    done = run(
        "evaluate",
        *BASE,
        "--parse",
        "gold.conllu",
        "mine.toml",
        "--variant",
        "talbot:unaligned=drop",
        "-f",
        "tsv",
    )
    assert done.stdout.splitlines()[4].split("\t")[2:5] == ["mine", "fuzzy", "1.0"]
    Path("mine.toml").write_text('[[rule]]\nname = "x"\nhead = "VERB"\norder = ["subj", "HEAD"]\n')
    done = run("preorder", "apply", "--model", "mine.toml", "--parse", "gold.conllu")
    assert done.returncode == 3 and "mine.toml:4: unknown relation 'subj'" in done.stderr


def test_rules_are_not_learned_from_nothing(run: Run) -> None:
    args = ("preorder", "learn-rules", "--parse", "gold.conllu", "--align", "x.align")
    Path("x.align").write_text("\n" * 4)
    done = run(*args)
    assert done.returncode == 3 and "none of 4 trees has links" in done.stderr and not done.stdout
    Path("x.align").write_text("0-0\n\n\n\n")
    assert "1 tree of 4 with links, but in no group" in run(*args).stderr
    Path("x.align").write_text("0-1 1-0\n\n\n\n")
    done = run(*args)
    assert done.returncode == 0 and "Learned from 1 aligned tree, of 4" in done.stdout
    assert "1 of 4 trees have links" in done.stderr


def test_parses_are_chosen(run: Run) -> None:
    Path("nbest.conllu").write_text(conllu(WRONG, *SENTENCES))
    args = (
        "--model", "rules:en-ja", *BASE, "--nbest", "nbest.conllu", "--variant", "talbot:unaligned=drop",
    )  # fmt: skip
    done = run("preorder", "choose-parses", *args, "-o", "chosen.conllu")
    assert done.returncode == 0 and "not the first parse for 1" in done.stderr, done.stderr
    assert Path("chosen.conllu").read_text() == conllu(*SENTENCES)
    done = run("preorder", "choose-parses", *args, "--changed-only")
    assert done.stdout == conllu(SENTENCES[0])


def test_parse_wants_one_parser(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    done = run("preorder", "parse", "--source", "x.en", "--udpipe", "m", "--parser", "en")
    assert done.returncode == 2 and "choose one parser" in done.stderr
    done = run("preorder", "parse", "--source", "x.en", "--udpipe", "m", "-k", "2")
    assert done.returncode == 2 and "are for parsers of this package" in done.stderr
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    done = run("preorder", "parse", "--source", "x.en", "--udpipe", "m")
    assert done.returncode == 2 and "pip install ufal.udpipe" in done.stderr


@pytest.mark.shared
def test_manual_links_and_gold_trees(run: Run, shared: Path) -> None:
    home = shared / "data" / "parallel" / "pud" / "en-ja"
    if not home.is_dir():
        pytest.skip("no parallel treebank beside the project")
    args = ["evaluate", "--align", str(home / "dev.align.gz"), "--parse", str(home / "dev.en.conllu.gz")]
    args += [f"rules:{name}" for name in ("none", "head-final", "en-ja")]
    args += ["--variant", "talbot:unaligned=drop", "--samples", "200", "--all-pairs", "-f", "json"]
    (variant,) = json.loads(run(*args).stdout)["variants"]
    kendall = [
        scores["kendall"]["score"] for name, scores in variant["systems"].items() if name != "identity"
    ]
    assert kendall == sorted(kendall)
    tests = {tuple(pair["systems"]): pair for pair in variant["pairs"] if pair["score"] == "kendall"}
    assert tests["rules:none", "rules:head-final"]["corrected"] < 0.05
    assert tests["rules:head-final", "rules:en-ja"]["corrected"] < 0.05


def test_orders_and_models_are_evaluated_as_they_were_written(run: Run) -> None:
    oracle = ("preorder", "apply", "--model", "oracle:policy=talbot", *BASE, "--as", "order")
    Path("gold.order").write_text(run(*oracle).stdout)
    args = ("evaluate", "--align", "x.align", "--samples", "0", "-f", "json", "--variant", "talbot")
    (by_file,) = json.loads(run(*args, "gold.order").stdout)["variants"]
    assert [cell["score"] for cell in by_file["systems"]["gold"].values()] == [1.0] * 3
    assert by_file["systems"]["identity"]["fuzzy"]["score"] < 1.0
    (by_method,) = json.loads(run(*args, "-s", "x.en", "oracle:policy=talbot").stdout)["variants"]
    assert by_method["systems"]["oracle:policy=talbot"] == by_file["systems"]["gold"]
    method = "grammar:binary=3,nary=1,iterations=2,rare=0"
    done = run("preorder", "train", "--method", method, *BASE, "--save-model", "m", "-q")
    assert done.returncode == 0, done.stderr
    assert list(json.loads(run(*args, "-s", "x.en", "m").stdout)["variants"][0]["systems"]) == [
        "identity",
        "m",
    ]


def test_systems_are_orders_or_places_from_0_or_1(run: Run) -> None:
    # The target reads a b c as b c a: an order that is not its own inverse.
    Path("w.en").write_text("a b c\n")
    Path("w.align").write_text("0-2 1-0 2-1\n")
    base = ("evaluate", "--source", "w.en", "--align", "w.align", "--variant", "thesis", "-f", "json", "-q")
    for number, text in enumerate(("1 2 0", "2 3 1")):
        Path(f"o{number}").write_text(text + "\n")
    for number, text in enumerate(("2 0 1", "3 1 2")):
        Path(f"r{number}").write_text(text + "\n")
    for options, right, wrong in (((), "o", "r"), (("--ranks",), "r", "o")):
        for number in (0, 1):
            data = json.loads(run(*base, *options, f"{right}{number}", f"{wrong}{number}").stdout)
            cells = data["variants"][0]["systems"]
            assert cells[f"{right}{number}"]["kendall"]["score"] == 1.0
            assert cells[f"{wrong}{number}"]["kendall"]["score"] < 1.0


def test_the_oracle_is_right_in_every_score_of_its_own_variant(run: Run) -> None:
    done = run("evaluate", *BASE, "oracle", "--variant", "thesis", "-f", "json", "-q")
    scores = json.loads(done.stdout)["variants"][0]["systems"]["oracle"]
    assert {name: cell["score"] for name, cell in scores.items()} == {"kendall": 1, "fuzzy": 1, "exact": 1}
