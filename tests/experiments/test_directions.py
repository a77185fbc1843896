"""Text for networks of many languages: nothing that is tested is learned from."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from experiments.crf import directions
from experiments.crf.directions import DirectionData, registered
from experiments.crf.own_links import own_links
from experiments.shipped_models import averages, names, pages, parser_text, text
from wordorder.data import sample
from wordorder.io.model_store import model_place
from wordorder.io.sentence import Sentence
from wordorder.preorder import Source, load_preorderer
from wordorder.preorder.average import Average
from wordorder.preorder.parses import with_parses


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample in the place of all sets; English sentences differ from set to set but for one."""
    made = tmp_path_factory.mktemp("parallel")
    english = sample("text.en").read_text("utf-8").splitlines()[:10]
    japanese = sample("text.ja").read_text("utf-8").splitlines()[:10]
    links = sample("text.align").read_text("utf-8").splitlines()[:10]
    for name in (*directions.AUTOMATIC, *directions.MANUAL, *directions.TESTS, "atis-ud/en-tr/dev"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        own = (
            english if name in (*directions.TESTS[:1], "tatoeba/en-ja/train") else [f"{x} x" for x in english]
        )
        language = name.split("/")[1].removeprefix("en-")
        # Document d has the sentences 2 d and 2 d + 1.
        trees = [
            f"# sent_id = n{s // 2:05}{s:03}\n"
            + "".join(f"{i}\t{w}\t_\t_\t_\t_\t{i - 1}\t_\t_\t_\n" for i, w in enumerate(x.split(), start=1))
            for s, x in enumerate(own)
        ]
        for end, lines in (
            ("en", own), (language, japanese), ("align", links), ("auto.align", links), ("en.conllu", trees),
        ):  # fmt: skip
            text = "".join(f"{line}\n" for line in lines)
            (made / f"{name}.{end}.gz").write_bytes(gzip.compress(text.encode()))
    people = b"He met Soji OKITA .\nSoji OKITA\n"
    (made / f"{names.TESTED}.en.gz").write_bytes(gzip.compress(people))
    return made


def test_parts_are_documents_and_are_left_out(folder: Path) -> None:
    data = DirectionData(folder)
    for name in directions.TREEBANK:
        parts = data.part_of(name)
        assert parts == [s // 2 for s in range(10)]  # the same for all languages
        assert len(data.tested(name, 3).sources) == 2
    whole, part = data.training(-1), data.training(3)
    left_out = sum(len(data.tested(name, 3).sources) for name in directions.DIVIDED)
    assert len(whole.sources) == len(part.sources) + left_out == 10 * len(directions.MANUAL)
    assert {source.target for source in whole.sources} == {"ja", "ar", "fr", "ko", "ru", "zh", "cs", "sv"}


@pytest.mark.parametrize("into_english", [False, True])
def test_tested_sentences_are_excluded(folder: Path, into_english: bool) -> None:
    data = DirectionData(folder, into_english)
    automatic = data.automatic()
    # All English sentences of these sets are those of one test set or another.
    assert not automatic.sources
    japanese = sample("text.ja").read_text("utf-8").lower().split("\n", 1)[0].split()
    assert (list(data.manual("kftt-gold/en-ja/dev").sources[0].words) == japanese) == into_english


def test_links_of_both_directions_fit_their_sides(folder: Path) -> None:
    name = "tatoeba/en-ja/train"
    forward, backward = (own_links(folder, [name], into_english=into)[name] for into in (False, True))
    for corpus in (forward, backward):
        for source, alignment in zip(corpus.sources, corpus.alignments, strict=True):
            assert alignment.source_size == len(source)
    assert any(alignment.links for alignment in forward.alignments)
    data = DirectionData(folder, into_english=True)
    plain = DirectionData(folder).manual("kftt-gold/en-ja/dev")
    for one, other in zip(plain.alignments, data.manual("kftt-gold/en-ja/dev").alignments, strict=True):
        assert one.inverse() == other


def test_languages_without_automatic_links_are_registered(folder: Path) -> None:
    data = DirectionData(folder)
    manual = data.training(-1)
    few = registered(manual, data.tested("kftt-gold/en-ja/devtest", 0))
    assert [source.target for source in few.sources] == ["ar", "fr", "ko", "ru", "zh", "cs", "sv"]


@pytest.fixture(scope="module")
def work(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stored text of the sets, and the installed network in the place of those of all parts."""
    made = tmp_path_factory.mktemp("work")
    judged = made / "judgments" / "some" / "segments.tsv.gz"
    judged.parent.mkdir(parents=True)
    judged.write_bytes(
        gzip.compress(b"lp\tsource\treference\nen-de\tA dog sleeps .\tx\nde-en\tx\tA cat sleeps .\n")
    )
    rows = ["1\tClaude\t_\tPROPN\t_\t_\t3\tnsubj\t_\t_", "2\tMonet\t_\tPROPN\t_\t_\t1\tflat\t_\t_"]
    rows += ["3\tslept\t_\tVERB\t_\t_\t0\troot\t_\t_"]
    tree = "\n".join(["# text = Claude Monet slept", *rows, "", ""])
    bank = made / "treebanks" / "en-x" / "dev.conllu.gz"
    bank.parent.mkdir(parents=True)
    bank.write_bytes(gzip.compress(tree.encode()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser_text, "TESTED", directions.TESTS)
        text.write_text(folder, made / "judgments", made / "treebanks", made)
    for part in range(-1, 2):
        (made / f"small-{part}").symlink_to(str(model_place("preorder", "en-multi-crf")))
    return made


def test_stored_text_comes_back_with_trees_and_parts(folder: Path, work: Path) -> None:
    stored, data = text.StoredText(work), DirectionData(folder)
    for name in (*directions.MANUAL, *directions.TESTS):
        corpus, plain = stored.manual(name), data.manual(name)
        assert [source.words for source in corpus.sources] == [source.words for source in plain.sources]
        assert [one.links for one in corpus.alignments] == [one.links for one in plain.alignments]
        assert [source.parse for source in corpus.sources] == [
            replace(
                source.parse,
                comments=(),
                rows=[row._replace(lemma="_", misc="_") for row in source.parse.rows],
            )
            for source in with_parses(plain.sources)
        ]
        assert {source.target for source in corpus.sources} == {plain.sources[0].target}
    assert [" ".join(source.words) for source in stored.raw] == ["a dog sleeps .", "a cat sleeps ."]
    (source,) = with_parses([Source(("a", "dog", "sleeps", "."))])
    labels = stored.raw[0].layers[0]
    assert [label.rstrip("<>") for label in labels] == [row.deprel for row in source.parse.words]
    assert labels[0].endswith(">") and labels[3].endswith("<")  # the head is after it, or before it
    left_out = len(data.tested("pud/en-ko/dev", 3).sources)
    assert len(stored.training("ko", 3).sources) == 10 - left_out == 8
    assert len(stored.training("ja", 3).sources) == 10 + 8  # KFTT dev is not divided


def test_an_average_is_made_of_members_that_have_not_seen_the_part(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, int] = {}
    learned = averages.learn_rules

    def watched(trees: list[Sentence], *args: Any, name: str, **settings: Any) -> Any:
        seen[name] = len(trees)
        return learned(trees, *args, name=name, **settings)

    monkeypatch.setattr(averages, "learn_rules", watched)
    monkeypatch.setattr(averages, "FEATURES", replace(averages.FEATURES, epochs=1, hash_bits=10))
    monkeypatch.setattr(pages, "PARTS", 2)
    page = tmp_path / "page.md"
    places = [f"<!-- {name} -->\nold\n<!-- end {name} -->\n" for name in ("from-english", "marks", "names")]
    page.write_text("".join(places))
    monkeypatch.setattr(pages, "PAGE", page)
    average = averages.AverageTraining(work, 1).average()
    # One fifth of the divided sets is left out; KFTT dev is not divided.
    assert seen == {f"en-{x}": 18 if x == "ja" else 8 for x in text.LINKED}
    assert "small-1@" in average.signature and str(work) not in average.signature
    pages.main(["--work", str(work), "--out", str(tmp_path / "out")])
    rows = page.read_text("utf-8").splitlines()
    sets = len(directions.TESTS) + len(directions.DIVIDED)
    assert "en-multi-average: tau" in rows[1] and rows[3 + sets] == "<!-- end from-english -->"
    assert [row.split(" | ")[2] for row in rows[3 : 3 + sets]] == ["10"] * 6 + ["4"] * 8
    marks = rows[7 + sets : rows.index("<!-- end marks -->")]
    assert [row.split(" | ")[0] for row in marks] == [f"| {x}" for x in text.LANGUAGES]
    (counts,) = [row for row in rows if row.startswith("| en-multi-crf | ") and " of " in row]
    assert counts.count(" of 1 |") == 4
    model = load_preorderer(tmp_path / "out" / pages.AVERAGE)
    assert isinstance(model, Average) and str(work) not in model.signature
    assert "en-multi-crf@" in model.signature
    assert model.target_languages == text.LANGUAGES
    assert model.with_settings(language="de").reorder("he sleeps .").order == [0, 1, 2]
    assert model.with_settings(language="ko").reorder("he has seen the dog .").order[-1] == 5
    assert load_preorderer(tmp_path / "out" / pages.NETWORK).target_languages == text.LANGUAGES
