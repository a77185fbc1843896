"""Stems, synonyms and paraphrases as candidates beside equal words."""

from __future__ import annotations

import gzip
import random
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.oracle.matching import all_matchings, best_objective, objective
from wordorder.align.matcher import Matcher
from wordorder.align.matches import Matches
from wordorder.errors import BadFile, BadSetting
from wordorder.text.paraphrases import load_paraphrases
from wordorder.text.synonyms import PLACES
from wordorder.text.tokens import Words


def match(hypothesis: str, reference: str, matcher: Matcher) -> Matches:
    table = Words()
    return matcher.match(table.encode([hypothesis]), table.encode([reference]), table)


@pytest.fixture
def wordnet(tmp_path: Path) -> str:
    """A WordNet of a few words, in the package's own format."""
    licence = "  1 This software and database is being provided to you\n"
    index = {
        "noun": "car n 1 1 @ 1 1 00000001  \nautomobile n 1 1 @ 1 0 00000001  \ncity n 1 0 1 0 00000002  \n"
        "metropolis n 1 0 1 0 00000002  \nman n 1 0 1 0 00000007  \ndude n 1 0 1 0 00000007  \n",
        "verb": "run v 2 0 2 0 00000003 00000004  \noperate v 1 0 1 0 00000004  \nbuy v 1 0 1 0 00000005  \n"
        "purchase v 1 0 1 0 00000005  \n",
        "adj": "big a 1 0 1 0 00000001  \nlarge a 1 0 1 0 00000001  \n",
        "adv": "fast r 1 0 1 0 00000006  \n",
    }
    for part, lines in index.items():
        (tmp_path / f"index.{part}").write_text(licence + lines, encoding="utf-8")
        exceptions = {"verb": "ran run\nbought buy\n", "noun": "men man\n"}.get(part, "")
        (tmp_path / f"{part}.exc").write_text(exceptions, encoding="utf-8")
    return str(tmp_path)


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "para-xx.gz"
    text = "0.5\nfoo bar\nbaz\n0.3\nqux\nquux corge grault\n0.1\n2\ntwo\n"
    path.write_bytes(gzip.compress(text.encode()))
    return str(path)


def test_stems_link_where_words_do_not() -> None:
    pairs = match("houses run", "he runs the house run", Matcher(stages=("exact", "stem")))
    assert pairs.positions.tolist() == [3, 4] and pairs.stages.tolist() == [1, 0]
    assert match("houses run", "house runs", Matcher()).positions.tolist() == [-1, -1]


def test_synonyms_by_wordnet(wordnet: str) -> None:
    matcher = Matcher(stages=("exact", "synonym"), wordnet=wordnet)
    assert re.fullmatch(r"exact\+synonym\(wordnet-[0-9a-f]{8}\)", matcher.signature_part)
    pairs = match(
        "men bought big cars cities run", "automobile dude metropolis purchase operating large", matcher
    )
    assert pairs.positions.tolist() == [1, 3, 5, 0, 2, 4] and pairs.stages.tolist() == [1] * 6
    # Offsets are numbered by part of speech: synset 1 of the nouns is not that of the adjectives.
    assert match("car", "big", matcher).positions.tolist() == [-1]
    stemmed = Matcher(stages=("exact", "stem", "synonym"), wordnet=wordnet)
    assert match("cars", "car", stemmed).stages.tolist() == [1]


def test_wordnet_by_meteors_digest(tmp_path: Path) -> None:
    (tmp_path / "english.synsets").write_text("car\n01 02\nautomobile\n02\nrun\n03\noperate\n03\n")
    (tmp_path / "english.exceptions").write_text("run\nran\n")
    matcher = Matcher(stages=("synonym",), wordnet=str(tmp_path))
    assert match("cars ran", "operates automobile", matcher).positions.tolist() == [1, 0]
    assert re.fullmatch(r"synonym\(wordnet-meteor-[0-9a-f]{8}\)", matcher.signature_part)


def test_rules_of_inflection_give_way_to_exceptions(tmp_path: Path) -> None:
    words = {"go": 1, "proceed": 1, "play": 2, "player": 3, "life": 4, "live": 5, "be": 5, "pas": 6, "pa": 6}
    (tmp_path / "english.synsets").write_text("".join(f"{word}\n{n}\n" for word, n in words.items()))
    (tmp_path / "english.exceptions").write_text("player\nplayer\nlife\nlives\n")
    matcher = Matcher(stages=("synonym",), wordnet=str(tmp_path))
    linked = {
        ("going", "proceed"): True,  # however few letters are left
        ("plays", "play"): True,
        ("player", "play"): False,  # an exception of itself
        ("lives", "life"): True,
        ("lives", "be"): False,  # no rule where there is an exception
        ("pass", "pa"): False,  # -ss is no ending
    }
    found = {pair: match(*pair, matcher).positions.tolist() == [0] for pair in linked}
    assert found == linked


def test_chains_of_synonyms_get_the_best_cover(tmp_path: Path) -> None:
    rng = random.Random(8)
    words = [f"w{k}" for k in range(8)]
    sets = {w: rng.sample(range(6), 2) for w in words}
    text = "".join(f"{w}\n{' '.join(map(str, ids))}\n" for w, ids in sets.items())
    (tmp_path / "english.synsets").write_text(text)
    (tmp_path / "english.exceptions").write_text("")
    matcher = Matcher(stages=("exact", "synonym"), wordnet=str(tmp_path))
    for _ in range(150):
        hyp, ref = rng.choices(words, k=rng.randint(1, 6)), rng.choices(words, k=rng.randint(1, 6))
        allowed = [[j for j, w in enumerate(ref) if set(sets[w]) & set(sets[v])] for v in hyp]
        pairs = match(" ".join(hyp), " ".join(ref), matcher)
        found = objective(pairs.alignment(0, len(ref)).links)
        assert pairs.exact[0] and found == best_objective(allowed), (hyp, ref)


def test_links_that_count_half_as_in_meteors_program(tmp_path: Path) -> None:
    """Of all alignments, the one with most words that count, then fewest chunks, then most links is found."""
    rng = random.Random(9)
    words = [f"w{k}" for k in range(7)]
    sets = {w: rng.sample(range(7), 2) for w in words}
    text = "".join(f"{w}\n{' '.join(map(str, ids))}\n" for w, ids in sets.items())
    (tmp_path / "english.synsets").write_text(text)
    (tmp_path / "english.exceptions").write_text("")
    matcher = Matcher(stages=("exact", "synonym"), wordnet=str(tmp_path), ties="meteor")
    alone = 0
    for _ in range(300):
        hyp, ref = rng.choices(words, k=rng.randint(1, 6)), rng.choices(words, k=rng.randint(1, 6))
        allowed = [[j for j, w in enumerate(ref) if set(sets[w]) & set(sets[v])] for v in hyp]
        rivals = [sum(j in row for row in allowed) for j in range(len(ref))]

        def rank(links: Sequence[tuple[int, int]]) -> tuple[int, int, int]:
            only = [len(allowed[i]) == rivals[j] == 1 for i, j in links]  # noqa: B023
            counted = sum(o or hyp[i] == ref[j] for (i, j), o in zip(links, only, strict=True))  # noqa: B023
            return -counted, objective(links)[1], -len(links)

        pairs = match(" ".join(hyp), " ".join(ref), matcher)
        links = pairs.alignment(0, len(ref)).links
        assert rank(links) == min(map(rank, all_matchings(allowed))), (hyp, ref)
        alone += len(links) < -best_objective(allowed)[0]
    assert alone > 20  # links are left out that the usual rule makes


def test_meteors_rule_in_meteors_example(tmp_path: Path) -> None:
    (tmp_path / "english.synsets").write_text("combining\n1\ncombination\n1\n")
    (tmp_path / "english.exceptions").write_text("")
    pair = "combining the genres", "a combination of genres"
    for stages, links in ((("exact", "stem"), 2), (("exact", "stem", "synonym"), 1)):
        # What two stages allow is two candidates, so the link may be left out, and would begin a chunk.
        found = match(*pair, Matcher(stages=stages, wordnet=str(tmp_path), ties="meteor"))
        assert (found.positions >= 0).sum() == links
        assert (match(*pair, Matcher(stages=stages, wordnet=str(tmp_path))).positions >= 0).sum() == 2
    table = tmp_path / "table"
    for entries, links in (("1\nfoo\nbar\n", 2), ("1\nfoo\nbar\n1\nbar\nfoo\n", 1)):
        table.write_text(entries)
        matcher = Matcher(stages=("exact", "paraphrase"), paraphrases=str(table), ties="meteor")
        load_paraphrases.cache_clear()
        assert (match("foo the x", "a bar of x", matcher).positions >= 0).sum() == links


def test_paraphrases_span_words_and_hold_both_ways(table: str) -> None:
    matcher = Matcher(stages=("exact", "paraphrase"), paraphrases=table)
    assert re.fullmatch(r"exact\+paraphrase\(para-xx-[0-9a-f]{8}\)", matcher.signature_part)
    pairs = match("x foo bar y", "x baz y", matcher)
    assert pairs.positions.tolist() == [0, 1, -1, 2] and pairs.stages.tolist() == [0, 1, 1, 0]
    assert pairs.reference_stages.tolist() == [0, 1, 0] and pairs.chunks().tolist() == [1]
    pairs = match("two qux", "quux corge grault 2", matcher)
    assert pairs.positions.tolist() == [3, 0] and pairs.stages.tolist() == [1, 1]
    assert pairs.reference_stages.tolist() == [1, 1, 1, 1] and pairs.chunks().tolist() == [2]
    pairs = match("qux x", "quux corge grault x", matcher)
    assert pairs.reference_stages.tolist() == [1, 1, 1, 0] and pairs.chunks().tolist() == [1]
    assert match("qux y x", "quux corge grault z x", matcher).chunks().tolist() == [2]
    # Two covered words each side are better than a phrase of one and two.
    assert match("foo bar", "baz foo bar", matcher).positions.tolist() == [1, 2]
    plain = Path(table).with_name("plain")
    plain.write_text("1\na\nb c\n")
    assert match("a", "b c", Matcher(stages=("paraphrase",), paraphrases=str(plain))).positions.tolist() == [
        0
    ]


@pytest.mark.parametrize(
    ("stage", "word", "other", "size"),
    [
        ("exact", "a", "a", 120_000),
        ("synonym", "car", "automobile", 120_000),
        ("paraphrase", "2", "two", 12_000),  # gigabytes, if all pairs were kept
    ],
)
def test_many_equal_words_take_bounded_time(
    stage: str, word: str, other: str, size: int, wordnet: str, table: str
) -> None:
    stages = ("exact", stage) if stage != "exact" else ("exact",)
    matcher = Matcher(stages=stages, wordnet=wordnet, paraphrases=table)
    begin = time.process_time()
    pairs = match(f"{word} " * size, f"{word} {other} " * (size // 3), matcher)
    assert time.process_time() - begin < 10
    linked = pairs.positions[pairs.positions >= 0].tolist()
    assert len(linked) == len(set(linked)) >= size // 3 and not pairs.exact[0]
    assert (pairs.stages == len(stages) - 1).sum() > size // 20  # the last stage takes part


def test_links_of_lines_that_are_too_long_for_the_search(table: str) -> None:
    rng = random.Random(6)
    hyp, ref = (rng.choices(["foo", "bar", "baz", "x"], k=size) for size in (80_000, 70_000))
    matcher = Matcher(stages=("exact", "paraphrase"), paraphrases=table)
    pairs = match(" ".join(hyp), " ".join(ref), matcher)
    linked = [(i, j) for i, j in enumerate(pairs.positions.tolist()) if j >= 0]
    assert len({j for _, j in linked}) == len(linked) > 60_000
    kinds = {stage: {(hyp[i], ref[j]) for i, j in linked if pairs.stages[i] == stage} for stage in (0, 1)}
    assert kinds == {0: {(w, w) for w in ("foo", "bar", "baz", "x")}, 1: {("foo", "baz"), ("baz", "foo")}}
    for side, stages in ((hyp, pairs.stages), (ref, pairs.reference_stages)):
        first = [k for k, word in enumerate(side) if word == "foo" and stages[k] == 1]
        assert all(side[k + 1] == "bar" and stages[k + 1] == 1 for k in first)  # phrases are whole


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WNHOME", "WNSEARCHDIR", "METEOR_DATA"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BadSetting, match=r"neither index\.noun nor english.synsets"):
        match("a", "b", Matcher(stages=("synonym",), wordnet=str(tmp_path)))
    with pytest.raises(BadSetting, match="English WordNet"):
        match("a", "b", Matcher(stages=("synonym",), language="de"))
    monkeypatch.setattr("wordorder.text.synonyms.PLACES", ())
    with pytest.raises(BadSetting, match="apt-get install wordnet-base"):
        match("a", "b", Matcher(stages=("synonym",)))
    with pytest.raises(BadSetting, match=r"no paraphrase table .*none"):
        match("a", "b", Matcher(stages=("paraphrase",), paraphrases=str(tmp_path / "none")))
    with pytest.raises(BadSetting, match="METEOR_DATA"):
        match("a", "b", Matcher(stages=("paraphrase",), language="xx"))


def test_bad_tables_name_file_and_line(tmp_path: Path) -> None:
    for name, text, line in (("a", "1\nx\n", 3), ("b", "1\nx\ny\nz\n", 4), ("c", "1\n\ny\n", 2)):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(BadFile, match=f"{name}:{line}: expected"):
            match("a", "b", Matcher(stages=("paraphrase",), paraphrases=str(path)))
    (tmp_path / "index.noun").write_text("car n x\n")
    with pytest.raises(BadFile, match=r"index\.noun:1: not a line"):
        match("a", "b", Matcher(stages=("synonym",), wordnet=str(tmp_path)))


def test_empty_resources_are_errors(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text("")
    with pytest.raises(BadFile, match="table: is empty"):
        match("a", "b", Matcher(stages=("paraphrase",), paraphrases=str(table)))
    with pytest.raises(BadSetting, match="it is a directory"):
        match("a", "b", Matcher(stages=("paraphrase",), paraphrases=str(tmp_path)))
    for name in ("index.noun", "english.synsets"):
        folder = tmp_path / f"of-{name}"
        folder.mkdir()
        (folder / name).write_text("")
        with pytest.raises(BadFile, match=f"{name}: has no words"):
            match("a", "b", Matcher(stages=("synonym",), wordnet=str(folder)))


def test_tables_grow_with_the_words(table: str, wordnet: str) -> None:
    matcher = Matcher(stages=("exact", "stem", "synonym", "paraphrase"), wordnet=wordnet, paraphrases=table)
    words = Words()
    for hyp, ref in (("baz", "foo bar"), ("cars", "automobile"), ("runs", "running"), ("", "")):
        pairs = matcher.match(words.encode([hyp]), words.encode([ref]), words)
        assert (pairs.positions == 0).all()


def test_debians_wordnet() -> None:
    if not Path(PLACES[0], "index.noun").exists():
        pytest.skip("Debian's wordnet-base is not installed")
    pairs = match(
        "the men purchased a car", "a automobile bought the man", Matcher(stages=("exact", "synonym"))
    )
    assert pairs.positions.tolist() == [3, 4, 2, 0, 1]
