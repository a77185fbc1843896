"""Experiments on parallel text: they read it, train, score and write their tables and models."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from experiments import grammar, rules, table_3_2
from experiments.crf import pictures, states
from experiments.crf.sets import TREEBANK_LANGUAGES
from experiments.parallel import concatenate, read_parallel
from experiments.shipped_models import grammars, networks
from tests.experiments.corpora import sample_lines, write_corpus
from wordorder.preorder import load_preorderer
from wordorder.preorder.grammar import ReorderingGrammar

SMALL = ReorderingGrammar(binary=2, nary=1, rare=0, iterations=2, lowercase=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("parallel")
    write_corpus(made, "kftt-gold/en-ja/dev", lines=slice(30))
    write_corpus(made, "kftt-gold/en-ja/devtest", lines=slice(30, None))
    for language in TREEBANK_LANGUAGES:
        write_corpus(made, f"pud/en-{language}/dev")
    for part in ("train", "dev"):
        write_corpus(made, f"kftt30k/en-ja/{part}", automatic=True)
    for name in ("tatoeba/en-ja/train", "tatoeba/en-tr/train", "atis-ud/en-tr/train", "atis-ud/en-tr/dev"):
        write_corpus(made, name, automatic=True)
    return made


def marked_page(path: Path, *names: str) -> Path:
    path.write_text("".join(f"<!-- {name} -->\n\n<!-- end {name} -->\n" for name in names))
    return path


def test_a_corpus_is_read_with_links_and_parses(folder: Path) -> None:
    corpus = read_parallel(folder, "pud/en-ja/dev", manual=True, parsed=True, limit=5)
    assert [source.words for source in corpus.sources] == [
        tuple(line.lower().split()) for line in sample_lines("en")[:5]
    ]
    assert all(source.parse for source in corpus.sources)
    links = [f"{i}-{j}" for i, j in corpus.alignments[0].links]
    assert sorted(links) == sorted(sample_lines("align")[0].replace("?", "-").split())
    assert concatenate([corpus.select([1]), corpus.select([0])]) == corpus.select([1, 0])
    assert {source.target for source in corpus.for_target("ja").sources} == {"ja"}


def test_the_tables_of_the_grammar(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("variants", "measures", "tests", "decoding")
    monkeypatch.setattr(grammar, "PAGE", marked_page(tmp_path / "grammar.md", *names))
    monkeypatch.setattr(grammar, "PLAIN", SMALL)
    monkeypatch.setattr(grammar, "VARIANTS", {"RG-PET": SMALL, "RG-ITG": dataclasses.replace(SMALL, arity=2)})
    monkeypatch.setattr(grammar, "SEEDS", (1, 2))
    grammar.main([str(folder), "--only", ",".join(names)])
    page = grammar.PAGE.read_text()
    assert page.count("| identity |") == 2 and page.count("| RG-PET |") == 2
    assert "| RG-PET - identity |" in page and "| 10,000 samples |" in page
    assert "| exact |" in capsys.readouterr().out


def test_table_3_2(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "PAGE", marked_page(tmp_path / "grammar.md", "thesis"))
    monkeypatch.setattr(table_3_2, "THESIS", SMALL)
    monkeypatch.setattr(table_3_2, "OURS", dataclasses.replace(SMALL, binary=1))
    monkeypatch.setattr(table_3_2, "SHAPES", {"RG-PET": {}})
    monkeypatch.setattr(table_3_2, "MARGIN", dataclasses.replace(table_3_2.MARGIN, hash_bits=10, epochs=1))
    monkeypatch.setattr(table_3_2, "TESTED", 10)
    grammar.main([str(folder), "--only", "thesis"])
    lines = [line for line in grammar.PAGE.read_text().splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert {len(row) for row in rows} == {11}
    assert [row[1] for row in rows[2:]] == [
        *["no reordering", "large-margin CRF", "RG-PET"] * 2, "no reordering", "rules, gold trees", "RG-PET",
    ]  # fmt: skip
    assert all(
        0 <= float(row[at]) <= 1 for row in rows if row[1] == "RG-PET" for at in range(3, 11) if at != 6
    )


def test_the_tables_of_states(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "PAGE", marked_page(tmp_path / "crf.md", "states-dev", "states"))
    small = dataclasses.replace(states.PLAIN, hash_bits=10, epochs=1)
    choices = {
        "1 state": [small],
        "2 states": [dataclasses.replace(small, states=2, state_noise=noise) for noise in (0.5, 1.0)],
    }
    monkeypatch.setattr(states, "CHOICES", choices)
    monkeypatch.setattr(states, "SEEDS", (1, 2))
    states.main([str(folder), "--whole"])
    assert "| 2 states |" not in states.PAGE.read_text()
    states.main([str(folder)])
    page = states.PAGE.read_text()
    assert page.count("| 1 state |") == 2 and page.count("| 2 states |") == 3


def test_the_tables_of_rules(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "PAGE", marked_page(tmp_path / "rules.md", "en-ja", "en-tr ATIS"))
    monkeypatch.setattr(rules, "ReorderingGrammar", lambda lowercase: SMALL)
    rules.main([str(folder), "--only", "en-tr ATIS"])
    page = rules.PAGE.read_text()
    assert "**en-tr ATIS** (automatic links, 40 sentences" in page
    assert all(f"| {name} |" in page for name in (*rules.SETS, "learned rules", "Reordering Grammar"))
    assert page.startswith("<!-- en-ja -->\n\n<!-- end en-ja -->\n")


def test_rules_are_cross_validated_over_documents(folder: Path) -> None:
    corpus = rules.read(folder, "en-ja", "dev")
    seen: list[int] = []

    def learn(train: object, test: list[object]) -> list[object]:
        assert not {id(source) for source in train} & {id(source) for source in test}  # type: ignore[attr-defined]
        seen.extend(map(id, test))
        return list(test)

    orders = rules.cross_validate(corpus, learn)  # type: ignore[arg-type]
    assert orders == corpus.sources and len(seen) == len(set(seen)) == len(corpus.sources)


def test_a_shipped_grammar_is_trained_scored_and_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = dataclasses.replace(grammars.RECIPES["en-ja"], settings=SMALL, every=4, times=2)
    monkeypatch.setitem(grammars.RECIPES, "en-ja", recipe)
    grammars.main([str(folder), "--only", "en-ja", "--out", str(tmp_path)])
    card = (tmp_path / "en-ja" / "README.md").read_text()
    assert card.startswith("# en-ja: English into the order of Japanese") and "| no reordering |" in card
    model = load_preorderer(str(tmp_path / "en-ja"))
    assert model.trained["sentences"] + sum(model.trained["filtered"].values()) == 2 * 30 + 10


def test_the_card_of_a_shipped_network_is_written_again(folder: Path, tmp_path: Path) -> None:
    networks.main([str(folder), "--only", "en-ja-crf", "--out", str(tmp_path), "--cards"])
    old, new = (home / "en-ja-crf" / "README.md" for home in (networks.HOME, tmp_path))
    rows = [line for line in new.read_text("utf-8").splitlines() if "kftt-gold" not in line]
    assert rows == [line for line in old.read_text("utf-8").splitlines() if "kftt-gold" not in line]


def test_the_pictures_of_the_crf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("kftt-gold/en-ja/devtest", "pud/en-ja/dev"):
        write_corpus(tmp_path, name, lines=slice(2))
    monkeypatch.setattr(pictures, "PICTURES", tmp_path / "pictures")
    monkeypatch.setattr(pictures, "SHARES", [0.0, 1.0])
    monkeypatch.setattr(pictures, "TEMPERATURES", (1.0, 2.0))
    pictures.main([str(tmp_path), "--model", "en-ja-crf"])
    assert {path.name for path in pictures.PICTURES.iterdir()} == {
        "crf-trade-off.svg",
        "crf-calibration.svg",
        "crf-tree.svg",
    }
    assert "Order of pairs, Parallel UD" in capsys.readouterr().out
