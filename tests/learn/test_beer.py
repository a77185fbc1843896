"""Training: slopes and optima are right, held-out years stay unseen, stops lose nothing."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.judge.simulated import judgments
from wordorder.data import sample_judgments
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.learn.beer import BeerTraining, TrainedBeer, margin_agreement
from wordorder.learn.beer_recipes import RECIPES, BeerRecipe
from wordorder.learn.features import Examples, ExampleStore, function_words
from wordorder.learn.fitting import FittedWeights, fit_hidden, fit_linear, units
from wordorder.learn.objectives import (
    PreferenceLoss,
    RatingLoss,
    SystemMarginLoss,
    WeightedLoss,
    corpora_of,
    ratings_of,
    selected,
    sentences_of,
)
from wordorder.learn.output_scaling import linear, platt
from wordorder.learn.self_training import UnlabelledPairs, read_nbest
from wordorder.metrics.beer.trained_model import load_model
from wordorder.report.trained_beer import trained_report

pytest.importorskip("scipy")
SMALL = BeerRecipe(templates="char1-3.sf1 ngram1-2.sf1 len_disbalance_word.d", penalties=(1e-4,), signed=True)


def simulated(seed: int, truth: np.ndarray, segments: int = 150) -> Examples:
    """Judges who follow known weights, with logistic noise."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(segments * 3, len(truth))).astype(np.float32)
    liked = features @ truth
    pairs = []
    for s in range(segments):
        for i, j in itertools.combinations(range(3), 2):
            a, b = 3 * s + i, 3 * s + j
            first = bool(liked[a] - liked[b] + rng.logistic() > 0)
            pairs.append((a, b, int(first), int(not first), 0))
    return Examples(judgments(segments, 3, pairs=pairs, name=f"wmt{12 + seed}"), features)


def found(examples: list[Examples], penalty: float, **options: object) -> FittedWeights:
    features = np.concatenate([one.features for one in examples])
    loss = sentences_of([one.judgments for one in examples], "all", hinge=False)
    return fit_linear(features, loss, loss.moments(features), penalty=penalty, **options)  # type: ignore[arg-type]


def losses() -> dict[str, object]:
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 20, 40), rng.integers(0, 20, 40)
    wins, losses_ = rng.random(40), rng.random(40)
    logistic = PreferenceLoss(first, second, wins, losses_)
    corpora = SystemMarginLoss(
        rng.integers(-1, 4, 20), np.array([0, 1, 3]), np.array([1, 2, 0]), np.array([0.2, 0.1, 0.3])
    )
    return {
        "logistic": logistic,
        "hinge": replace(logistic, hinge=True),
        "corpora": corpora,
        "ratings": RatingLoss(np.arange(10), rng.random(10), np.full(10, 0.1)),
        "sum": WeightedLoss([(0.5, logistic), (2.0, corpora)]),
    }


@pytest.mark.parametrize("name", ["logistic", "hinge", "corpora", "ratings", "sum"])
def test_slopes_are_those_of_finite_differences(name: str) -> None:
    loss = losses()[name]
    rng = np.random.default_rng(6)
    margins, bias, step = rng.normal(size=20), 0.3, 1e-6
    value, slope, at_bias = loss(margins, bias)  # type: ignore[operator]
    for k in range(20):
        moved = margins.copy()
        moved[k] += step
        assert (loss(moved, bias)[0] - value) / step == pytest.approx(slope[k], abs=1e-4)  # type: ignore[operator]
    assert (loss(margins, bias + step)[0] - value) / step == pytest.approx(at_bias, abs=1e-4)  # type: ignore[operator]


def test_corpus_loss_by_hand() -> None:
    # Systems of two items with scores (1/2, 1/2) and (1/2, logistic(1)); people say 0.5 apart.
    loss = SystemMarginLoss(np.array([0, 0, 1, 1]), np.array([1]), np.array([0]), np.array([0.5]))
    ahead = (0.5 + 1 / (1 + np.exp(-1))) / 2 - 0.5
    assert loss(np.array([0.0, 0.0, 0.0, 1.0]), 0.0)[0] == pytest.approx(0.5 - ahead)
    assert loss(np.array([-9.0, -9.0, 9.0, 9.0]), 0.0)[0] == 0.0


def test_weights_are_found_and_keep_their_sign() -> None:
    truth = np.array([1.5, -0.7, 0.0, 0.4])
    examples = [simulated(k, truth, 800) for k in range(3)]
    assert found(examples, 1e-6).weights == pytest.approx(truth, abs=0.15)
    turned = found(examples, 1e-6, signs=[-1, -1, 1, 1]).weights
    assert turned[0] == 0.0 and (turned * [-1, -1, 1, 1] >= 0).all()


def test_the_optimum_is_flat() -> None:
    """At the weights found no small step that keeps the signs makes the preferences likelier."""
    examples = [simulated(1, np.array([1.0, -0.5, 0.2]))]
    signs, penalty = [1, -1, 1], 1e-4
    loss = sentences_of([examples[0].judgments], "all", hinge=False)
    spread = units(loss.moments(examples[0].features))

    def worth(w: np.ndarray) -> float:
        return loss(examples[0].features @ w, 0.0)[0] + penalty * float(((w * spread) ** 2).sum())

    best = found(examples, penalty, signs=signs).weights
    for k, step in itertools.product(range(3), (-0.01, 0.01)):
        moved = best.copy()
        moved[k] += step
        if moved[k] * signs[k] >= 0:
            assert worth(moved) >= worth(best) - 1e-6


def test_a_hidden_layer_learns_what_no_line_can() -> None:
    rng = np.random.default_rng(3)
    features = rng.normal(size=(600, 2)).astype(np.float32)
    liked = -np.abs(features[:, 0])  # the nearer to 0 the better: no weight of one sign says that
    first, second = np.arange(0, 600, 2), np.arange(1, 600, 2)
    wins = (liked[first] > liked[second]) / 300
    loss = PreferenceLoss(first, second, wins, 1 / 300 - wins)
    line = fit_linear(features, loss, np.eye(2), penalty=1e-5)
    layer = fit_hidden(features, loss, np.eye(2), penalty=1e-5, size=6)

    def right(fitted: FittedWeights) -> float:
        margins = fitted.margins(features)
        return float(((margins[first] > margins[second]) == (wins > 0)).mean())

    assert right(line) < 0.65 < 0.9 < right(layer)
    again = fit_hidden(features, loss, np.eye(2), penalty=1e-5, size=6)
    assert np.array_equal(again.margins(features), layer.margins(features))


def test_which_pairs_are_learned_from() -> None:
    one = judgments(1, 3, pairs=[(0, 1, 3, 1, 0), (1, 2, 1, 0, 0), (0, 2, 1, 1, 0)])
    assert [side.tolist() for side in selected(one, "all")[2:]] == [[3, 1, 1], [1, 0, 1]]
    assert [side.tolist() for side in selected(one, "net")[2:]] == [[2, 1, 0], [0, 0, 0]]
    assert [side.tolist() for side in selected(one, "agreed")[2:]] == [[1, 0, 0], [0, 0, 0]]
    with pytest.raises(BadSetting, match="no preferences are left"):
        sentences_of([judgments(1, 2, pairs=[(0, 1, 1, 0, 0)])], "agreed", hinge=False)


def test_margins_of_systems_are_expected_wins() -> None:
    one = judgments(1, 3, pairs=[(0, 1, 3, 1, 0), (1, 2, 1, 1, 0), (0, 2, 2, 0, 0)])
    wins = {0: (0.75 + 1) / 2, 1: (0.25 + 0.5) / 2, 2: (0.5 + 0) / 2}
    loss = corpora_of([one])
    seen = {(b, w): h for b, w, h in zip(loss.better.tolist(), loss.worse.tolist(), loss.human, strict=True)}
    assert seen == pytest.approx({(a, b): wins[a] - wins[b] for a in wins for b in wins if wins[a] > wins[b]})


def test_a_line_is_fitted_by_support_vector_regression() -> None:
    from scipy.optimize import minimize  # type: ignore[import-untyped, unused-ignore]

    rng = np.random.default_rng(2)
    features = rng.normal(size=(300, 1)).astype(np.float32)
    rated = Examples(judgments(100, 3, ratings=features[:, 0] * 2.0 + 7 + rng.normal(size=300)), features)
    output = linear(FittedWeights(np.ones(1), 0.0), [rated])
    goal = ratings_of([rated.judgments])

    def worth(at: np.ndarray) -> float:
        """What liblinear minimises: ratings of 0 to 100, C = 1, epsilon = 0.1."""
        off = np.abs(100 * (at[0] * features[goal.item, 0] + at[1] - goal.rating))
        return float(((100 * at) ** 2).sum() / 2 + (np.maximum(off - 0.1, 0) ** 2).sum())

    found = minimize(worth, [0.1, 0.1], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-10})
    assert (output.a, output.b) == pytest.approx(found.x.tolist(), abs=1e-6)
    line = np.polyfit(features[goal.item, 0].astype(np.float64), goal.rating, 1)
    assert 1e-5 < abs(output.a - line[0]) < 3e-3  # close to least squares, and not the same


def test_outputs_are_fitted() -> None:
    rng = np.random.default_rng(2)
    features = rng.normal(size=(300, 1)).astype(np.float32)
    rated = Examples(judgments(100, 3, ratings=features[:, 0] * 2.0 + 7), features)
    with pytest.raises(BadSetting, match="ratings fall"):
        linear(FittedWeights(-np.ones(1), 0.0), [rated])
    examples = simulated(4, np.array([1.0]), 2000)
    curve = platt(FittedWeights(np.ones(1), 0.0), [examples], RECIPES["best"])
    # Of two normal outputs, the chance that one is the preferred, given its own feature alone.
    assert curve.kind == "platt" and 0.5 < curve.a < 1.2 and abs(curve.b) < 0.1


def test_platt_scaling_is_the_likeliest_curve() -> None:
    """Of each pair, the output that was preferred is a case for, the other a case against."""
    from scipy.optimize import minimize  # type: ignore[import-untyped, unused-ignore]

    examples = [simulated(k, np.array([1.0, -0.4]), 60) for k in range(2)]
    fitted = FittedWeights(np.array([1.3, -0.2]), 0.7)  # the bias plays no part: the offset is learned
    curve = platt(fitted, examples, RECIPES["best"])

    def unlikely(at: np.ndarray) -> float:
        total = 0.0
        for one in examples:
            margins = fitted.margins(one.features)
            pairs = one.judgments.compared
            number = len(examples) * float((pairs.wins + pairs.losses).sum())
            for a, b, wins, losses in zip(pairs.first, pairs.second, pairs.wins, pairs.losses, strict=True):
                for item, won, lost in ((a, wins, losses), (b, losses, wins)):
                    chance = 1 / (1 + np.exp(-(at[0] * margins[item] + at[1])))
                    total -= (won * np.log(chance) + lost * np.log(1 - chance)) / number
        return total

    best = minimize(unlikely, [1.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12})
    assert (curve.a, curve.b) == pytest.approx(best.x.tolist(), abs=1e-5)


def test_the_offset_does_not_change_the_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence objective has no offset of its own; Platt's is fitted to the same preferences afterwards."""
    base = SMALL.with_settings(templates="char1-3.f1 ngram1.p", signed=False, penalties=(1e-4, 1e-3))
    models = {}
    for output in ("sigmoid", "platt"):
        store = ExampleStore(folder=tmp_path / "kept")
        models[output] = train(sets(), base.with_settings(output=output), store=store).model
        monkeypatch.setattr(BeerTraining, "fit", None)  # the second finds all weights of the first
    assert np.array_equal(models["sigmoid"].weights, models["platt"].weights)
    assert models["sigmoid"].output.b == 0.0 and models["platt"].output.b != 0.0


def test_agreement_counts_ties() -> None:
    one = Examples(
        judgments(1, 3, pairs=[(0, 1, 1, 0, 0), (1, 2, 1, 0, 0)]), np.array([[1], [0], [0]], np.float32)
    )
    assert margin_agreement([one], FittedWeights(np.array([1.0]), 0.0), "tau:ties=counted") == [0.5]


def sets() -> list[Judgments]:
    from wordorder.judge.formats.tables import TableFolder

    (one,) = TableFolder().read(str(sample_judgments()))
    return [replace(one, collection=name) for name in ("wmt12", "wmt13", "wmt14")]


def train(made: list[Judgments], recipe: BeerRecipe = SMALL, **more: object) -> TrainedBeer:
    return BeerTraining(recipe=recipe, **more).run(made)  # type: ignore[arg-type]


def test_held_out_years_are_not_learned_from() -> None:
    made = sets()
    trained = train(made)
    assert [report.name for report in trained.reports] == ["2012", "2013", "2014"]
    preferences = made[0].preferences
    assert preferences is not None
    turned = type(preferences)(
        preferences.first, preferences.second, preferences.losses, preferences.wins, preferences.ties
    )
    other = train([replace(made[0], preferences=turned), *made[1:]])
    assert other.reports[0].mean == pytest.approx(-trained.reports[0].mean)


def test_a_single_year_is_held_out_by_language_pair() -> None:
    one = sets()[0]
    czech, french = replace(one, pair="cs-en"), replace(one, pair="fr-en")
    trained = train([one, czech, french], SMALL.with_settings(penalties=(1e-5, 1e-3)))
    assert [report.name for report in trained.reports] == sorted(["cs-en", "fr-en", one.pair])
    turned = one.preferences
    assert turned is not None
    turned = type(turned)(turned.first, turned.second, turned.losses, turned.wins, turned.ties)
    other = train([one, replace(czech, preferences=turned), french], SMALL)
    again = train([one, czech, french], SMALL)
    assert other.reports[0].mean == pytest.approx(-again.reports[0].mean)  # it was not learned from


def test_a_single_set_is_learned_from_as_a_whole() -> None:
    trained = train(sets()[:1])
    assert trained.reports == () and trained.penalty == 1e-4 and trained.model.card["held_out"] == {}
    for form in ("text", "markdown", "latex"):  # nothing was held out, so there is no table
        told = trained_report(trained, form, folder="x").decode()
        assert told.strip(" %\n").startswith("penalty 0.0001, output quasi") and told.strip().count("\n") == 0
    with pytest.raises(BadSetting, match="the only set, so nothing can be held out"):
        train(sets()[:1], SMALL.with_settings(penalties=(1e-4, 1e-3)))
    with pytest.raises(BadSetting, match="no preferences to learn from"):
        train([])


def test_correlated_features_do_not_stop_the_search_early() -> None:
    """The search in coordinates without correlation ends where one feature at a time cannot improve."""
    rng = np.random.default_rng(8)
    examples = [simulated(k, np.array([1.0, -0.5, 0.3]), 400) for k in range(2)]
    mixing = rng.normal(size=(3, 3)) * 0.02 + 1.0  # features that are nearly the same
    mixed = [Examples(one.judgments, (one.features @ mixing).astype(np.float32)) for one in examples]
    features = np.concatenate([one.features for one in mixed])
    loss = sentences_of([one.judgments for one in mixed], "all", hinge=False)
    moments, penalty = loss.moments(features), 1e-6
    by_pair = features[loss.first] - features[loss.second]
    weight = (loss.wins + loss.losses)[:, None]
    assert moments == pytest.approx((weight * by_pair).T.astype(float) @ by_pair, rel=1e-4)

    def worth(w: np.ndarray) -> float:
        return loss(features @ w, 0.0)[0] + penalty * float(((w * units(moments)) ** 2).sum())

    free = fit_linear(features, loss, moments, penalty=penalty)
    plain = fit_linear(features, loss, moments, penalty=penalty, signs=[0, 0, 0])
    assert worth(free.weights) <= worth(plain.weights) + 1e-7
    truth = np.linalg.solve(mixing, np.array([1.0, -0.5, 0.3]))
    assert worth(free.weights) < worth(truth) < worth(np.zeros(3)) - 0.05


RECIPES_TRIED = [
    {"learner": "svm"},
    {"learner": "hidden", "signed": False},
    {"objective": "corpus", "output": "sigmoid"},
    {"objective": "joint", "output": "sigmoid", "learner": "svm"},
    {"output": "platt"},
    {"select": "net"},
    {"templates": "char1-2.p linked.f1 stem.f1 function.f1 kendall.v monotone.v", "match": "exact+stem"},
]


@pytest.mark.parametrize("change", RECIPES_TRIED)
def test_every_way_of_training(change: dict[str, object], tmp_path: Path) -> None:
    from wordorder.metrics.beer import Beer
    from wordorder.metrics.beer.trained_model import save_model

    recipe = SMALL.with_settings(**{"signed": "templates" not in change, **change})
    trained = train(sets(), recipe)
    assert trained.reports[0].mean > 0.05  # the sample is small, but not without sense
    save_model(trained.model, tmp_path / "model")
    scores = Beer(model=str(tmp_path / "model")).trained.scores(["a b c", "x"], ["a b c d", "a b c d"])
    assert 0 <= scores[1] < scores[0] <= 1
    assert train(sets(), recipe).model.tag == trained.model.tag  # nothing is random


def test_words_are_tokenised_or_not(tmp_path: Path) -> None:
    """With tokenize=none, a full stop apart from its word is a difference in all views, also when loaded."""
    from wordorder.metrics.beer.trained_model import save_model

    base = SMALL.with_settings(templates="lower:char2-3.f1 lower:ngram1.f1 linked.f1", signed=False)
    tags = set()
    for tokenize, equal in (("13a", True), ("none", False)):
        place = tmp_path / tokenize
        save_model(train(sets(), base.with_settings(tokenize=tokenize)).model, place)
        model = load_model(place)
        apart, together = model.raw(["a cat ."], ["a cat."])[0], model.raw(["a cat ."], ["a cat ."])[0]
        assert (apart == together).all() == equal and (apart != together).all() == (not equal)
        tags.add(model.tag)
    assert len(tags) == 2
    with pytest.raises(BadSetting, match="expected one of 13a, none"):
        base.with_settings(tokenize="intl")


def test_regression_on_ratings() -> None:
    made = []
    for k, one in enumerate(sets()):
        rng = np.random.default_rng(k)
        quality = np.array([len(set((text or "").split())) for text in one.outputs]) + rng.normal(
            size=len(one.outputs)
        )
        from wordorder.judge.judgments import Ratings

        made.append(replace(one, preferences=None, ratings=Ratings(np.arange(len(quality)), quality)))
    recipe = SMALL.with_settings(objective="ratings", output="linear", signed=False)
    trained = train(made, recipe)
    assert trained.measure == "pearson" and trained.model.output.kind == "linear"
    assert all(np.isfinite(report.mean) for report in trained.reports)
    with pytest.raises(BadSetting, match="fitted to ratings"):
        train(sets(), SMALL.with_settings(output="linear"))


def test_a_stopped_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train(sets())
    folder = tmp_path / "kept"
    calls = 0
    fit = BeerTraining.fit

    def stopped(self: BeerTraining, examples: list[Examples], penalty: float) -> FittedWeights:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return fit(self, examples, penalty)

    monkeypatch.setattr(BeerTraining, "fit", stopped)
    with pytest.raises(KeyboardInterrupt):
        train(sets(), store=ExampleStore(folder=folder))
    again = train(sets(), store=ExampleStore(folder=folder))
    assert calls == 5  # the two that were done are not done again, of four in all
    assert again.model.tag == whole.model.tag
    other = train(sets(), SMALL.with_settings(select="net"), store=ExampleStore(folder=folder))
    assert calls == 9 and other.model.tag != again.model.tag


def test_what_training_keeps_depends_on_everything(tmp_path: Path) -> None:
    """Features and weights are made again whenever something that they were made of changes."""
    folder = tmp_path / "kept"
    recipe = SMALL.with_settings(templates="content.f1 char1-2.sf1 unknown.n", signed=False)
    first = ExampleStore(folder=folder)
    first.prepared(sets()[:2], recipe)
    files = {path.name for path in folder.iterdir()}
    again = ExampleStore(folder=folder)
    again.prepared(sets()[:2], recipe)
    assert {path.name for path in folder.iterdir()} == files and again.key == first.key
    other = ExampleStore(folder=folder)
    changed = [
        replace(one, references=[[f"{line} zebra" for line in one.references[0]]]) for one in sets()[:2]
    ]
    other.prepared(changed, recipe)
    assert other.key != first.key
    texts = ["a"], ["b"], ["a b"]
    tags = {
        UnlabelledPairs(*texts).tag,
        UnlabelledPairs(*texts[:2], ["c"]).tag,
        UnlabelledPairs(*texts, language="de").tag,
    }
    assert len(tags) == 3
    for path in folder.glob("*.features"):
        path.write_bytes(path.read_bytes()[:20])  # cut short by a full disk, say
    healed = ExampleStore(folder=folder)
    found = healed.prepared(sets()[:2], recipe)
    assert np.array_equal(found[0].features, ExampleStore().prepared(sets()[:2], recipe)[0].features)


def test_nothing_of_the_user_is_deleted(tmp_path: Path) -> None:
    mine = tmp_path / "model.training"
    mine.mkdir()
    (mine / "notes.txt").touch()
    store = ExampleStore(folder=mine)
    with pytest.raises(BadFile, match="not from a training run"):
        store.prepared(sets()[:1], SMALL)
    store.close()
    assert (mine / "notes.txt").exists()


def test_settings_that_contradict() -> None:
    for change, message in (
        ({"learner": "hidden", "signed": True}, "no signs to keep"),
        ({"objective": "ratings", "learner": "svm"}, "squared error"),
        ({"objective": "ratings", "output": "platt"}, "squared error"),
        ({"templates": " "}, "no features"),
    ):
        with pytest.raises(BadSetting, match=message):
            SMALL.with_settings(**change)
    with pytest.raises(BadSetting, match="no feature has a weight"):
        train(sets(), SMALL.with_settings(penalties=(9e5,)))
    assert SMALL.with_settings(penalties=(1e-4, 1e-4)).penalties == (1e-4,)


def test_self_training_turns_against_length(tmp_path: Path) -> None:
    """Pairs of equal quality but for length, which the model labels itself, join those of people."""
    reference = tmp_path / "ref.txt"
    reference.write_text("the cat sat on the mat\na dog barked\n", encoding="utf-8")
    nbest = tmp_path / "nbest.txt"
    nbest.write_text(
        "0 ||| the cat sat ||| -1\n0 ||| the cat on mat sat ||| -2\n1 ||| a dog ||| 0\n1 ||| dog a barked\n"
    )
    drawn = read_nbest(str(nbest), str(reference), language="en", pairs=50, seed=3)
    assert len(drawn) == 50 and set(drawn.references) == {"the cat sat on the mat", "a dog barked"}
    assert all(a != b for a, b in zip(drawn.first, drawn.second, strict=True))
    again = read_nbest(str(nbest), str(reference), language="en", pairs=50, seed=3)
    assert again.first == drawn.first
    plain, taught = train(sets()), train(sets(), unlabelled=drawn)
    assert taught.model.tag != plain.model.tag and taught.model.card["unlabelled_pairs"] == 50
    for wrong, message in (
        (b"7 ||| x\n", ":1: .*below 2"),
        (b"\xc2\xb2 ||| a\n", ":1: "),
        (b"0 ||| \xff\n", ":1: byte 0xff at column 7 is not UTF-8"),
    ):
        nbest.write_bytes(wrong)
        with pytest.raises(BadFile, match=f"nbest.txt{message}"):
            read_nbest(str(nbest), str(reference), language="en", pairs=5, seed=3)


def test_labels_of_unlabelled_pairs() -> None:
    pairs = UnlabelledPairs(["a", "b", "c"], ["d", "e", "f"], ["r"] * 3)
    loss = pairs.loss(np.array([1.0, 2.0, 3.0, 0.0, 2.0, 4.0]), start=10, hinge=False)
    assert loss.first.tolist() == [10, 11, 12] and loss.second.tolist() == [13, 14, 15]
    assert loss.wins.tolist() == [0.5, 0.0, 0.0] and loss.losses.tolist() == [0.0, 0.0, 0.5]


def test_function_words_are_frequent_ones() -> None:
    words = " ".join(f"w{k}" for k in range(2000))
    one = judgments(2, 1, pairs=[], references=["of of of of", words])
    assert function_words([one]) == {"en": ["of"]}


def test_the_command(tmp_path: Path) -> None:
    for name in ("wmt12", "wmt13"):
        shutil.copytree(sample_judgments(), tmp_path / name)
    command = [
        sys.executable,
        "-m",
        "wordorder",
        "learn",
        "beer",
        str(tmp_path / "wmt12"),
        str(tmp_path / "wmt13"),
    ]
    settings = ["--set", "templates=char1-4.sf1 ngram1-2.sf1", "--set", "penalties=1e-4"]
    model, again = tmp_path / "model", tmp_path / "again"
    for place in (model, again):
        done = subprocess.run(
            [*command, "--save-model", str(place), *settings], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0 and "held out" in done.stdout, done.stderr
    card = load_model(model).card
    assert card["judgments"] == 306 and set(card["held_out"]) == {"2012", "2013"}
    for name in ("model.json", "model.safetensors", "README.md"):
        assert (model / name).read_bytes() == (again / name).read_bytes()  # nothing is random
    assert not (tmp_path / "model.training").exists()
    for wrong, message in (
        (["--version", "4"], "recipe '4'"),
        (["--set", "learner=forest"], "expected one of logistic"),
        (["--set", "penalties=x"], "penalties is 'x'"),
        (["--set", "nothing=1"], "no setting 'nothing'"),
        (["--nbest", "x"], "go together"),
        (["--set", "templates=word.f1"], "unknown pieces"),
        (["--version", "treepel"], "parses=FILE"),
    ):
        done = subprocess.run(
            [*command, "--save-model", str(tmp_path / "no"), *wrong],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0 and message in done.stderr and "Traceback" not in done.stderr, done.stderr
