"""The cards of the scores are up to date and complete, and their definitions of other programs are right."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from tools.cards import build, definitions, peers
from tools.pages import DOCS
from wordorder.metrics import metric_names

CARDS = sorted((DOCS / "scores").glob("*.md"))
SCORES = [path for path in CARDS if path.stem != "README"]
SECTIONS = [
    "What it measures",
    "Formula",
    "Range and direction",
    "Edge cases",
    "Settings",
    "Worked example",
    "Who computes it differently",
    "Exactness and cost",
    "Source",
    "Signature",
]


def name_of(path: Path) -> str:
    return path.stem


def prose(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def test_the_cards_are_up_to_date() -> None:
    assert build.out_of_date() == []


def test_every_metric_has_a_card_and_every_card_a_metric() -> None:
    assert {path.stem for path in SCORES} == set(build.own_metrics()) <= set(metric_names())


@pytest.mark.parametrize("path", SCORES, ids=name_of)
def test_a_card_has_the_sections_and_none_is_empty(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith(f"# {path.stem}: ")
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    assert [part.splitlines()[0] for part in parts] == SECTIONS
    assert all(len(part.splitlines()) > 2 for part in parts)


@pytest.mark.parametrize("path", SCORES, ids=name_of)
def test_a_card_shows_the_example_and_the_edges(path: Path) -> None:
    text = path.read_text("utf-8")
    for wanted in (
        "`2 0 1 3`",
        "| no words |",
        "| one word |",
        "| two words inverted |",
        "| **wordorder** |",
    ):
        assert wanted in text, wanted


@pytest.mark.parametrize("path", CARDS, ids=name_of)
def test_a_card_is_whole_markdown(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "{{" not in text and "\0" not in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1, block
    for before, line in zip(prose(text).splitlines(), prose(text).splitlines()[1:], strict=False):
        begins_a_list = re.match(r"(\d+[.)]|[-+*>#]) ", line)
        assert not (begins_a_list and before and not before.lstrip().startswith("-") and before[0] != " "), (
            line
        )


@pytest.mark.parametrize("path", CARDS, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("package", ["scipy", "nltk", "permuta"])
def test_restated_definitions_are_what_the_programs_compute(package: str) -> None:
    pytest.importorskip(package)
    if package == "nltk" and not import_module("nltk.translate.ribes_score").kendall_tau([0, 2]):
        pytest.skip("this NLTK is older than its pull request 3900")
    assert peers.wrong_definitions(package) == []


def test_all_packages_that_can_be_run_are_run() -> None:
    assert set(peers.packages()) == {"scipy", "nltk", "permuta"}


def test_settings_said_to_be_the_same_are() -> None:
    assert peers.wrong_settings() == []


def test_a_wrong_definition_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.cards.definitions.tau", lambda p: 0.5)
    assert any("kendalltau" in line for line in peers.wrong_settings())


# Written down when the programs were run or read, long before the functions here existed.
NOTED = {
    (2, 0, 1, 3): {"in_order": 0.667, "tau": 0.333, "inside_runs": 0.167, "square_root": 0.423}
    | {"fuzzy": 0.333, "fuzzy_boundary": 0.4},
    (2, 1, 0, 3): {"in_order": 0.5, "tau": 0, "inside_runs": 0, "square_root": 0.293}
    | {"fuzzy": 0, "fuzzy_boundary": 0.2},
    (2, 0, 1): {"in_order": 0.333, "tau": -0.333, "inside_runs": 0.333, "square_root": 0.184}
    | {"fuzzy": 0.5, "fuzzy_boundary": 0.25},
}


@pytest.mark.parametrize("order", NOTED)
def test_definitions_give_the_figures_noted_from_the_programs(order: tuple[int, ...]) -> None:
    for name, figure in NOTED[order].items():
        assert getattr(definitions, name)(order) == pytest.approx(figure, abs=6e-4), name


def test_check_says_which_card_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(build, "CARDS", tmp_path)
    monkeypatch.setattr(build, "own_metrics", lambda: ["kendall", "ulam"])
    monkeypatch.setattr("tools.cards.peers.wrong_settings", list)
    assert build.main(["--check"]) == 1
    assert build.main([]) == 0
    capsys.readouterr()
    assert build.main(["--check"]) == 0
    (tmp_path / "kendall.md").write_text("old", "utf-8")
    (tmp_path / "unknown.md").write_text("nobody's", "utf-8")
    assert build.main(["--check"]) == 1
    said = capsys.readouterr().err
    assert "kendall.md" in said and "unknown.md" in said and "ulam.md" not in said
    with pytest.raises(SystemExit):
        build.main(["--chekc"])


def test_a_text_with_a_mistake_is_refused() -> None:
    with pytest.raises(build.CardError, match="expected one of value"):
        build.expand("kendall", "{{valeu kendall}}")
