"""Experiments on human judgments, on the judgments of the bundled sample."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from experiments import forest_weights
from experiments.reproduction import beer, choices, ordering, page, protocol, published, shared_tasks, years
from experiments.reproduction.judged import JudgedData
from tests.experiments.corpora import write_judgments
from wordorder.learn.beer_recipes import RECIPES
from wordorder.learn.settings import learn_settings
from wordorder.metrics.registry import metric


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("judgments")
    for name in ("wmt12-rr", "wmt13-rr"):
        write_judgments(made, name)
    return made


@pytest.fixture
def data(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JudgedData:
    """Judgments of two years of one language pair; scores are computed here and kept in a new folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("experiments.reproduction.judged.available_threads", lambda: 1)
    found = JudgedData(folder)
    (pair,) = {judgments.pair for judgments in found.sets("wmt12-rr")}
    for module in (ordering, choices, page, protocol):
        monkeypatch.setattr(module, "PAIRS", (pair,))
    for module in (choices, years):
        monkeypatch.setattr(module, "RANKED", ("wmt12-rr", "wmt13-rr"))
        monkeypatch.setattr(module, "RATED", ())
    return found


def test_forest_weights_are_learned_and_evaluated_on_held_out_years(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(forest_weights, "YEARS", ("wmt12-rr", "wmt13-rr"))
    monkeypatch.setattr(forest_weights, "package_file", lambda name: tmp_path / name)
    small = ["--starts", "4", "--draws", "2", "--rounds", "1", "--keep", "2", "--samples", "5"]
    forest_weights.main([str(folder), *small, "--write"])
    text = capsys.readouterr().out
    assert "alone: tau held out" in text and "full: learned less" in text and "all years" in text
    assert (tmp_path / forest_weights.FILE).exists()


def test_taus_of_forest_weights_are_those_of_judge(data: JudgedData) -> None:
    year = forest_weights.ForestExamples.of("wmt12-rr", data.sets("wmt12-rr"))
    judged = data.judge(data.sets("wmt12-rr"), ["kendall", "full:order=kendall"], samples=0)
    mine = [float(year.taus(scores).mean()) for scores in forest_weights.other_scores(year, "kendall")]
    assert mine == pytest.approx([cell.value for cell in judged.means])


def test_tables_of_the_papers(data: JudgedData) -> None:
    texts = ordering.sentence_tables(data) | ordering.system_tables(data)
    shipped = page.PAGE.read_text("utf-8")
    for name in published.SENTENCE_TAU:
        row = next(x for x in texts["sentence_table"].splitlines() if x.startswith(f"| published | {name} |"))
        assert row in shipped
        assert f"| exact | {name} |" in texts["sentence_table"]
    assert "| t-test, 4 pairs | pet_size |" in texts["tally_table"]


def test_the_protocol_of_lrscore(data: JudgedData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "FOLDS", 3)
    monkeypatch.setattr(protocol, "CONSISTENCY", {"LR-HB1": (60.37,)})
    monkeypatch.setattr(protocol, "LRSCORES", {"LR-KB4": "lrscore:order=kendall,bleu=4"})
    texts = protocol.protocol_table(data)
    rows = [line.strip("| ").split(" | ") for line in texts["protocol_table"].splitlines()[2:]]
    assert [row[:2] for row in rows] == [
        ["published (WMT09)", "LR-HB1"],
        ["ours (WMT12)", "bleu4"],
        ["ours, words matched", "LR-KB4"],
        ["ours, links to the source", "LR-KB4"],
    ]
    assert re.fullmatch(r"[0-9.]+ \([0-9.]+-[0-9.]+\)", rows[2][2])
    (one,) = data.sets("wmt12-rr", pairs=protocol.PAIRS)
    measured = {"measure": protocol.MEASURE, "folds": 3}
    learned = learn_settings(metric("lrscore"), ["alpha"], [one], data.scorer, **measured)  # type: ignore[arg-type]
    assert rows[2][2].startswith(f"{learned.value:.2f} ")
    assert "of 1 cells with words matched" in texts["protocol_ahead"]


def test_choices_and_years(data: JudgedData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "CHOICE_ORDERS", ["kendall", "hamming"])
    monkeypatch.setattr(years, "ALL_ORDERS", ["kendall", "ulam", "fuzzy", "recpef"])
    texts = choices.choices_table(data) | years.years_table(data) | years.best_tables(data)
    assert "| spread over choices |" in texts["choices_table"]
    assert texts["choices_years"].splitlines()[0] == "| choice |  | wmt12-rr | wmt13-rr |"
    assert "| F1 alone |" in texts["years_full"] and "| F1 alone |" not in texts["years_alone"]
    assert texts["winner_alone"] in years.ALL_ORDERS and texts["ranked_sets"] == "2"


def test_every_part_of_the_page_has_a_template() -> None:
    home = Path(page.__file__).parent
    assert {path.stem for path in home.glob("*.template")} == set(page.PARTS)


def test_the_page_keeps_the_part_that_is_not_written(
    data: JudgedData, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "PAGE", tmp_path / "reproduction.md")
    monkeypatch.setattr(page, "fill_template", lambda name, data: f"{name}\n")
    monkeypatch.setattr(page, "pictures", lambda data: {})
    page.PAGE.write_text(f"old\n{page.MARK}old beer\n")
    page.main([str(folder), "--only", "ordering"])
    assert page.PAGE.read_text() == f"ordering\n{page.MARK}old beer\n"
    page.main([str(folder)])
    assert page.PAGE.read_text() == f"ordering\n{page.MARK}beer\n"


def test_the_shipped_page_has_the_mark() -> None:
    assert page.MARK in page.PAGE.read_text("utf-8")


def test_perturbed_candidates_are_shorter_and_longer(data: JudgedData) -> None:
    (judgments,) = data.sets("wmt12-rr")
    lists, references = beer.perturbed(judgments, 5, seed=1)
    assert len(lists) == len(references) == 5
    for candidates in lists:
        count = len(candidates) // 5
        lengths = [len(text.split()) for text in candidates]
        assert min(lengths[count:]) < max(lengths[:count]) < max(lengths[count:])
    drawn = beer._pairs([(lists, references)])
    assert {len(texts) for texts in drawn} == {50}


def test_length_ratio_of_a_metric_that_prefers_long_texts() -> None:
    class Longest(beer.Model):
        def __init__(self) -> None:
            pass

        def margins(self, texts: list[str], references: list[str]) -> object:
            return np.array([len(text) for text in texts])

    assert beer.length_ratio(Longest(), [["a b", "a b c"], ["a", "b c d"]], ["a b", "a b"]) == 1.5


def test_tables_of_shared_tasks(data: JudgedData, monkeypatch: pytest.MonkeyPatch) -> None:
    """BEER learns from one year and is judged on another, next to METEOR if that is a metric."""
    (pair,) = {judgments.pair for judgments in data.sets("wmt12-rr")}
    small = RECIPES["0.1"].with_settings(templates="char1-3.f1 ngram1.p", penalties=(1e-4,))
    monkeypatch.setitem(RECIPES, "0.1", small)
    monkeypatch.setattr(shared_tasks, "WMT12_PAIRS", (pair,))
    monkeypatch.setattr(shared_tasks, "PARAPHRASES", {"METEOR 1.4": (0.2,)})
    for names, known in ((["bleu", "chrf"], False), (["bleu", "chrf", "meteor"], True)):
        monkeypatch.setattr(shared_tasks, "metric_names", lambda names=names: names)
        assert ("METEOR" in shared_tasks.others()) == known
    monkeypatch.setattr(shared_tasks, "metric_names", list)
    rows = shared_tasks.paraphrase_table(data)["paraphrases"].splitlines()
    assert rows[2] == "| METEOR 1.4, published | 0.200 | 0.200 |"
    found = {row.strip("| ").split(" | ")[0] for row in rows[3:]}
    assert {"BEER 0.1 without paraphrases", "chrF", "BLEU"} <= found


def test_means_leave_out_what_was_not_published() -> None:
    assert shared_tasks.rows_of(["a", "b"], [[0.5, None], [None, None]]) == [
        ["a", "0.500", "–", "0.500"],
        ["b", "–", "–", "–"],
    ]
