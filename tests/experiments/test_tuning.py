"""Experiments on tuning and choosing, on the candidates and judgments of the bundled sample."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from experiments.tuning import gaming, judged_choices, objectives, page, risk, scored_outputs, tuners
from experiments.tuning.candidates import PLACE, ROUNDS, SYSTEMS, TunedSystem
from experiments.tuning.kept_results import KeptResults
from experiments.tuning.tuned_weights import best_run, tuned_weights
from tests.experiments.corpora import write_judgments, write_lines
from wordorder.data import sample
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_judgments
from wordorder.judge.system_scores import system_scores
from wordorder.metrics.registry import metric


def lines(name: str) -> list[str]:
    return sample(name).read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("data")
    place, candidates = made / PLACE, lines("candidates.nbest")
    for part in ("tune", "test"):
        write_lines(place / f"{part}.ja.gz", lines("reference.txt"))
        write_lines(place / f"{part}.en.gz", lines("text.en")[:20])
    for name in SYSTEMS:
        write_lines(place / f"test.{name}.nbest.gz", candidates)
        for number in ROUNDS:
            write_lines(place / f"tune.{name}.round{number}.nbest.gz", candidates)
        weights = ["Distortion0= 1", "WordPenalty0= -1", "TranslationModel0= 0.5", "TranslationModel0= -0.5"]
        (place / f"{name}.start-weights.txt").write_text("".join(f"{line}\n" for line in weights))
    for name in ("wmt12-rr", "wmt13-rr"):
        write_judgments(made / "judgments", name)
    return made


@pytest.fixture
def judged(folder: Path) -> Judgments:
    (found,) = read_judgments(str(folder / "judgments" / "wmt12-rr"))
    return found


def test_the_page(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PAGE", tmp_path / "tuning.md")
    for module in (tuners, objectives, risk):
        monkeypatch.setattr(module, "SEEDS", 2)
    for module in (judged_choices, scored_outputs):
        monkeypatch.setattr(module, "SAMPLES", 20)
    monkeypatch.setattr(risk, "TEMPERATURES", (None, 0.5))
    monkeypatch.setattr(judged_choices, "YEARS", {"WMT12": "wmt12-rr", "WMT13": "wmt13-rr"})
    monkeypatch.setattr(gaming, "SEEDS", {"mira": 2, "mert": 1})
    monkeypatch.setattr(gaming, "LEARNED_FROM", ("wmt12-rr", "wmt13-rr"))
    monkeypatch.setattr(gaming, "UNLABELLED", 50)
    arguments = [str(folder), "--keep", str(tmp_path / "kept")]
    page.main(arguments)
    text = page.PAGE.read_text("utf-8")
    shipped = page.PAGE.read_text("utf-8")
    assert re.findall("^#+ .*", text, re.M) == re.findall("^#+ .*", shipped, re.M)
    for name in ("`mira`", "BLEU by MERT", "chrF, uniform", "MBR, recpef", "symmetric BEER, MERT"):
        assert text.count(f"| {name} |") == shipped.count(f"| {name} |") > 0
    monkeypatch.setattr("experiments.tuning.tuned_weights.tune", None)
    page.main(arguments)  # nothing is tuned again
    assert page.PAGE.read_text("utf-8") == text


def test_results_are_computed_once(tmp_path: Path) -> None:
    kept, calls = KeptResults(tmp_path / "kept"), []
    for _ in range(2):
        assert kept.result("a name", lambda: calls.append(1) or ["x"]) == ["x"]  # type: ignore[func-returns-value]
    assert kept.result("another name", lambda: 3) == 3 and calls == [1]
    assert [KeptResults().result("a name", lambda k=k: k) for k in (1, 2)] == [1, 2]  # type: ignore[misc]


def test_tuned_weights_choose_better_candidates_than_the_start(folder: Path) -> None:
    system = TunedSystem(folder, "base")
    spec = scored_outputs.METRICS["BLEU"]
    runs = tuned_weights(system, spec, "mert", 2)
    tuned = system.chosen(best_run(runs).weights)
    bleu = metric(spec)
    assert bleu.corpus_score(tuned, [system.references]).score == pytest.approx(best_run(runs).score)
    assert best_run(runs).score > bleu.corpus_score(system.chosen(system.start), [system.references]).score


def test_scores_of_outputs_are_those_of_the_metrics() -> None:
    references, outputs = lines("reference.txt"), {"a": "system-a.txt", "b": "system-b.txt"}
    runs = {name: [lines(file)] for name, file in outputs.items()}
    scored = scored_outputs.score_outputs({**runs, "both": [*runs["a"], *runs["b"]]}, references, references)
    for column, spec in enumerate(scored_outputs.METRICS.values()):
        each = [metric(spec).corpus_score(runs[name][0], [references]).score for name in outputs]
        assert [scored.values[name][0, column] for name in outputs] == pytest.approx(each)
        assert scored.values["both"][:, column].tolist() == pytest.approx(each)
    rows = scored.table_rows("a")
    assert rows[2][0] == "b" and str(rows[2][1]).endswith("-**") and "±" in str(rows[3][1])
    assert str(scored.difference_rows("a", ["b"])[1][1]).startswith("-")


def test_outcomes_are_those_of_a_loop_over_judgments(judged: Judgments) -> None:
    rng = np.random.default_rng(1)
    chosen = rng.integers(2, size=len(judged)).astype(float)
    slow = np.zeros((len(judged.segments), 2))
    pairs = judged.compared
    for first, second, wins, losses in zip(pairs.first, pairs.second, pairs.wins, pairs.losses, strict=True):
        if chosen[first] != chosen[second]:
            slow[judged.item_segment[first]] += [wins if chosen[first] else losses, wins + losses]
    assert judged_choices.outcomes(judged, chosen).tolist() == slow.tolist()


def test_an_output_at_random_wins_half_of_its_judgments(judged: Judgments) -> None:
    ways = judged_choices.ways_to_choose(judged, KeptResults())
    rates = dict(zip(ways, judged_choices.win_rates(judged, ways).values.tolist(), strict=True))
    assert rates[judged_choices.RANDOM] == pytest.approx(0.5)
    assert rates[judged_choices.ORACLE] >= rates[judged_choices.BEST]
    assert rates["best output by chrF with the reference"] > 0.5


def test_the_best_system_is_chosen_on_other_segments(judged: Judgments) -> None:
    folds, count = 4, len(judged.segments)
    chosen = judged_choices.best_by_people(judged, folds)
    in_text = sorted(range(count), key=lambda k: int(judged.segments[k]))
    for part in np.array_split(in_text, folds):
        others = np.ones(count, dtype=bool)
        others[part] = False
        best = np.nanargmax(system_scores(judged.judged_in(others), "win_ratio")[0])
        here = ~others[judged.item_segment]
        assert set(judged.item_system[here & (chosen > 0)].tolist()) == {best}


def test_choices_by_risk_and_by_the_reference_are_those_of_loops(judged: Judgments) -> None:
    chrf = metric("chrf")
    by_risk = judged_choices.by_risk(judged, "chrf", KeptResults())
    scores = np.array(
        [
            chrf.sentence_score(text, [judged.references[0][segment]]).score
            for text, segment in zip(judged.outputs, judged.item_segment, strict=True)
        ]
    )
    best = judged_choices.best_outputs(judged, scores)
    for segment in range(len(judged.segments)):
        items = np.flatnonzero(judged.item_segment == segment)
        texts = [judged.outputs[item] for item in items]
        expected = [sum(chrf.sentence_score(one, [other]).score for other in texts) for one in texts]
        (winner,) = {text for text, share in zip(texts, by_risk[items], strict=True) if share}
        assert expected[texts.index(winner)] == pytest.approx(max(expected))
        assert by_risk[items].sum() == texts.count(winner)
        assert best[items].argmax() == scores[items].argmax() and best[items].sum() == 1
