"""Trained BEER: a copy is perfect, nothing beats it, length is judged evenly; model folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save

from tests.models import describe
from wordorder.data import package_file
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.metrics import check_metric, metric
from wordorder.metrics.beer import Beer
from wordorder.metrics.beer.metric import SAME
from wordorder.metrics.beer.output import ScoreScaling
from wordorder.metrics.beer.trained_model import Hidden, Model, load_model, read_model, save_model
from wordorder.metrics.beer.views import Sources, feature_names, views_of
from wordorder.metrics.segments import Matching
from wordorder.text.lexicon import Lexicon
from wordorder.text.pairs import Pairs

VERSIONS = ("4.0", "best", "0.1", "1.0", "1.1", "2.0", "3.0")  # treepel needs parses
words = st.lists(st.sampled_from(["the", "Cat", "sat", "on", "mat", ".", "ö", "x"]), max_size=8).map(" ".join)


def model_of(weights: dict[str, float], output: ScoreScaling, **more: object) -> Model:
    views = views_of(list(weights), Sources())
    return Model(views, np.array(list(weights.values())), output, {}, {}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("version", VERSIONS)
def test_contract(version: str) -> None:
    made = metric(f"beer:version={version}")
    check_metric(made)
    folder = package_file(f"beer/{SAME.get(version, version)}")
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("# A BEER model")
    assert sum(path.stat().st_size for path in folder.iterdir()) < 200_000


def test_version_10_scores_a_corpus_by_its_mean_features() -> None:
    """The program of BEER 1.0: features weighted by the words of the reference, then the sigmoid."""
    outputs = ["the cat sits", "a dog ran across the long road today", ""]
    references = ["the cat sat on a mat", "a dog ran over the road", "one two"]
    old, new = metric("beer:version=1.0"), metric("beer:version=0.1")
    lengths = np.array([6.0, 6.0, 2.0])
    features = new.trained.features(outputs, references)
    margin = float((lengths @ features / lengths.sum()) @ new.trained.weights)
    assert old.corpus_score(outputs, [references]).score == pytest.approx(1 / (1 + np.exp(-margin)))
    assert "corpus:features" in old.signature and "corpus:mean" in new.signature
    for hypothesis, reference in zip(outputs, references, strict=True):
        one, other = (made.sentence_score(hypothesis, [reference]).score for made in (old, new))
        assert one == other
    assert new.corpus_score(outputs, [references]).score == pytest.approx(
        np.mean([new.sentence_score(h, [r]).score for h, r in zip(outputs, references, strict=True)])
    )


def test_version_11_scores_a_corpus_by_the_mean_of_its_scores() -> None:
    """The program of BEER 1.1: the plain mean of 2 P(output beats reference)."""
    outputs, references = ["the cat sits", "a dog ran over road"], ["the cat sat on a mat", "a dog ran over"]
    made = metric("beer:version=1.1")
    below = made.trained.raw(outputs, references) - made.trained.raw(references, references)
    chance = 1 / (1 + np.exp(-(below @ made.trained.weights)))
    assert made.corpus_score(outputs, [references]).score == pytest.approx(float((2 * chance).mean()))


def test_version_40_weights_segments_by_the_length_of_the_reference() -> None:
    """In scores of corpora, unknown words count a quarter of what they count in scores of segments."""
    outputs, references = (
        ["the кот sits here", "a dog ran over the road", ""],
        ["the cat sat on the mat", "a dog ran", ""],
    )
    made = metric("beer")
    model = made.trained
    unknown = np.array([name.startswith(("english:", "other:")) for name in model.names])
    features = model.features(outputs, references)
    assert features[0, unknown].any() and not features[1:, unknown].any()
    in_corpora = np.where(unknown, 0.25 * model.weights, model.weights)
    for size in (2, 3, 4):  # recall has the weights of F1
        both, recall = (model.names.index(f"solid:char{size}.{measure}") for measure in ("sf1", "r"))
        in_corpora[recall], in_corpora[both] = model.weights[both] + model.weights[recall], 0.0
    scores = model.output(features @ in_corpora)
    assert made.sentence_score(outputs[0], references[:1]).score < scores[0]
    lengths = np.array([max(len(reference), 1) for reference in references])
    for way, weights in (("root", np.sqrt(lengths)), ("length", lengths), ("mean", np.ones(3))):
        other = metric(f"beer:corpus={way}")
        expected = np.average(scores, weights=weights)
        assert other.corpus_score(outputs, [references]).score == pytest.approx(expected)
        assert f"corpus:{way}" in other.signature
    assert made == metric("beer:corpus=root")
    assert made.corpus_score(["", ""], [["", ""]]).score == 1.0  # nothing to weight by
    two = made.corpus_score(outputs, [references, outputs]).score  # the best reference of each segment
    assert two == 1.0


def test_lost_order_by_hand() -> None:
    text = "one two three four five six seven eight nine ten"
    halves = "six seven eight nine ten one two three four five"
    pairs = "two one four three six five eight seven ten nine"
    views = views_of(["begin:lost_neighbours.n", "begin:lost_order.n"], Sources())
    found = views[0].raw(Pairs.of([text, halves, pairs, "ten nine"], [text] * 4))
    # Halves: 8 of 9 neighbours, 20 of 45 pairs. Swapped neighbours: none, 40 of 45.
    assert found[:, 0] == pytest.approx([0, 0, 0.5 - 2 / 11, 0])
    assert found[:, 1] == pytest.approx([0, 0.75 - 24 / 49, 0, 0])
    # Written twice, all pairs are in order, which does not count. With 1.75 times the words, half of it does.
    twice = views[0].raw(Pairs.of([f"{halves} {halves}", f"{pairs} {pairs}"], [text] * 2))
    assert twice[:, 0] == pytest.approx([0.5 - 2 / 11] * 2)
    assert twice[:, 1] == pytest.approx([0.75 - 4 / 49] * 2)
    four = "one two three four"
    longer = views[0].raw(Pairs.of([f"{four} a b", f"{four} a b c", f"{four} a b c d"], [four] * 3))
    assert longer[:, 0] == pytest.approx([0, 0, 0.5 - 2 / 5])
    assert longer[:, 1] == pytest.approx([0, 0.75 - 7 / 10, 0.75 - 4 / 10])


def test_scrambled_text_gains_nothing_by_being_repeated() -> None:
    made = metric("beer")
    reference = "the president said on tuesday that the new law would come into force next year"
    backwards = " ".join(reversed(reference.split()))
    once, twice = (made.sentence_score(text, [reference]).score for text in (backwards, f"{backwards} " * 2))
    assert twice < once


def test_scrambled_text_gains_little_by_leaving_words_out() -> None:
    made = metric("beer")
    reference = (
        "the president said on tuesday that the new law would come into force next year after a long debate"
    )
    shuffled = (
        "year debate a would the after law new said come that on into tuesday force next the president long"
    )
    words = shuffled.split()
    whole, shorter, spoiled = (
        made.sentence_score(text, [reference]).score
        for text in (
            shuffled,
            " ".join(word for k, word in enumerate(words) if k % 4),
            " ".join(word if k % 3 else f"x1{word}" for k, word in enumerate(words)),
        )
    )
    honest = "on tuesday the president said that the law will be enforced next year after much discussion"
    assert max(whole, shorter, spoiled) < 0.8 * made.sentence_score(honest, [reference]).score


def test_scrambled_references_lose() -> None:
    made = metric("beer")
    reference = "the president said on Tuesday that he would not sign the new law before the end of the year"
    output = "On Tuesday the president said he will not sign the law before the year ends"
    words = reference.split()
    swapped = [words[k ^ 1] for k in range(len(words) - 1)]
    for scrambled in (words[9:] + words[:9], swapped, sorted(words)):
        text = " ".join(scrambled)
        assert made.sentence_score(text, [reference]).score < made.sentence_score(output, [reference]).score


@settings(max_examples=100, deadline=None)
@given(words, words)
def test_a_copy_is_perfect_and_nothing_is_better(hypothesis: str, reference: str) -> None:
    for spec in ("beer", "beer:version=1.1"):
        made = metric(spec)
        assert made.sentence_score(reference, [reference]).score == 1.0
        assert 0.0 <= made.sentence_score(hypothesis, [reference]).score <= 1.0


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("text", ["", "a", "hello", "你好", "🙂", "word " * 300, "x" * 100_000])
def test_odd_texts(version: str, text: str) -> None:
    made = metric(f"beer:version={version}")
    for a, b in ((text, text), (text, ""), ("", text), (text, "b"), ("b", text)):
        assert 0.0 <= made.sentence_score(a, [b]).score <= 1.0
    if version in ("4.0", "best"):
        assert made.sentence_score(text, [text]).score == 1.0
    with pytest.raises(WordOrderError):
        made.sentence_score("\ud800", ["a"])


def test_scores_by_hand() -> None:
    weights = {"cased:ngram1.sf1": 2.0, "cased:len_disbalance_word.d": -1.0}
    model = model_of(weights, ScoreScaling("quasi", 2.0))
    # F1 of 2 of 3 and 2 of 4 words: 4 / 7; lengths 3 and 4: 4 / 3 - 1.
    margin = 2 * (4 / 7 - 1) - 1 / 3
    assert model.margins(["a b x"], ["a b c d"])[0] == pytest.approx(margin)
    assert model.margins(["a b c d", ""], ["a b c d", ""]).tolist() == [0.0, 0.0]
    assert model.scores(["a b x"], ["a b c d"])[0] == pytest.approx(2 / (1 + np.exp(-margin / 2)))
    plain = model_of(weights, ScoreScaling("sigmoid", 1.0, 0.5))
    raw = 2 * (4 / 7) - 1 / 3
    assert plain.margins(["a b x"], ["a b c d"])[0] == pytest.approx(raw)
    assert plain.scores(["a b x"], ["a b c d"])[0] == pytest.approx(1 / (1 + np.exp(-raw - 0.5)))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("quasi", [0.2384, 1.0, 1.0]), ("sigmoid", [0.1824, 0.6225, 0.9241]), ("linear", [0.0, 0.5, 1.0])],
)
def test_outputs(kind: str, expected: list[float]) -> None:
    found = ScoreScaling(kind, 1.0, 0.5)(np.array([-2.0, 0.0, 2.0]))  # type: ignore[arg-type]
    assert found.round(4).tolist() == expected
    huge = ScoreScaling(kind, 1.0, 0.5)(np.array([-1e4, 1e4]))  # type: ignore[arg-type]
    assert huge.round(6).tolist() == [0.0, 1.0]


def test_a_longer_and_a_shorter_text_are_equally_far() -> None:
    """The features of version best are symmetric: it does not matter which of two texts is the longer one."""
    model = read_model(version="best")
    assert all(name.partition(":")[2].partition(".")[2][0] in "absdn" for name in model.names)
    text = "the cat sat on the old mat in the sun"
    for other in (text + " today again", "the cat", "no", "the the the cat sat sat"):
        longer, shorter = model.margins([other, text], [text, other])
        assert longer == pytest.approx(shorter, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(words, words)
def test_what_is_below_a_copy_is_the_difference(hypothesis: str, reference: str) -> None:
    """Cased and lower-cased views need not count the reference against itself; the slow way agrees."""
    names = feature_names(
        "char1-4.p ngram1-2.sg skip.b len_disbalance_word.d kendall.v stem.p solid:char1-5.sf1 "
        "begin:ngram1-2.sf1 begin:skip.sf1 solid:len_disbalance_char.d unknown.n foreign.n "
        "begin:lost_neighbours.n lower:lost_order.n solid:short_char.d cased:long_char.d"
    )
    words = Lexicon("en", ("the", "cat"), 1, 2)
    for view in views_of(names, Sources(matching=Matching(match="exact+stem"), lexicon=words)):
        slow = view.raw(Pairs.of([hypothesis], [reference])) - view.raw(Pairs.of([reference], [reference]))
        assert view.below(Pairs.of([hypothesis], [reference])) == pytest.approx(slow, abs=1e-12)


def test_explanations_add_up() -> None:
    for version in VERSIONS:
        told = Beer(version=version).explain("The cat sits on a mat", "the cat sat on the mat")  # type: ignore[arg-type]
        model = Beer(version=version).trained  # type: ignore[arg-type]
        assert sum(told.groups.values()) == pytest.approx(told.margin, abs=1e-9)
        assert sum(told.features.values()) == pytest.approx(told.margin, abs=1e-9)
        assert told.score == model.scores(["The cat sits on a mat"], ["the cat sat on the mat"])[0]
    good = Beer(version="1.0").explain("the cat sat on the mat today .", "the cat sat on the mat today .")
    assert 0.9999 < good.score < 1 and good.text().startswith(f"score {good.score:.6f}, ")
    copy = Beer().explain("a b", "a b")
    assert copy.score == 1.0 and set(copy.groups.values()) == {0.0}
    assert copy.text().splitlines()[0] == "score 1.0000, margin 0.0000"


def test_a_hidden_layer() -> None:
    rng = np.random.default_rng(1)
    names = ["cased:char2.sf1", "lower:ngram1.sf1"]
    hidden = Hidden(np.array([0.5, 2.0]), rng.normal(size=(3, 2)), rng.normal(size=3), rng.normal(size=3))
    model = model_of(dict.fromkeys(names, 1.0), ScoreScaling("quasi"), hidden=hidden)
    below = model.features(["a b"], ["a c"])[0] / hidden.spread
    units = np.tanh(hidden.inner @ below + hidden.shift) - np.tanh(hidden.shift)
    assert model.margins(["a b", "a"], ["a c", "a"]) == pytest.approx([hidden.outer @ units, 0.0])


def test_language_chooses_stems_and_function_words() -> None:
    en, de, none = (read_model("", "1.1", language) for language in ("en", "de", "none"))
    assert "the" in en.views[-1].sources.function_words and "der" in de.views[-1].sources.function_words
    assert {"the", "der"} <= none.views[-1].sources.function_words
    assert en.views[-1].sources.matching.match == "exact+stem"
    assert none.views[-1].sources.matching.match == "exact"
    german = Beer(version="1.1", language="de")
    assert "|language:de|" in german.signature + "|"
    with pytest.raises(WordOrderError, match="xx"):
        Beer(version="1.1", language="xx").sentence_score("a", ["a"])
    with pytest.raises(WordOrderError, match="no stems or function words"):
        Beer(language="de")
    assert "language" not in Beer().signature


def test_folders(tmp_path: Path) -> None:
    model = read_model()
    place = tmp_path / "model"
    save_model(model, place, card="# Mine\n")
    again = metric(f"beer:model={place}")
    score = again.sentence_score("a b", ["a c"])
    assert score.score == metric("beer").sentence_score("a b", ["a c"]).score
    assert str(place) not in again.signature and "|recipe:own|" in again.signature
    assert load_model(place).tag == model.tag
    save_model(model, place)  # in place of itself
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "thesis.tex").touch()
    with pytest.raises(BadFile, match="is no wordorder-beer"):
        save_model(model, tmp_path / "else")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["else", "model"]  # nothing half done is left


BAD: list[tuple[dict[str, object], str]] = [
    ({"format": "wordorder-aligner"}, "is no wordorder-beer"),
    ({"version": 9}, "format version 9; this program reads 1"),
    ({"features": ["cased:char1.q"]}, "unknown measure 'q'"),
    ({"features": ["upper:char1.a"]}, "unknown feature 'upper:char1.a'"),
    ({"features": ["match:char1.a"]}, "belongs to cased or lower"),
    ({"features": ["cased:char1.a"]}, "weights for 1 features"),
    ({"features": []}, "weights for 0 features"),
    ({"features": ["lower:char1.a", "cased:char1.a"]}, "not grouped by view"),
    ({"output": {"kind": "cubic", "a": 1, "b": 0}}, "output is 'cubic'"),
    ({"output": {"kind": "quasi", "a": 0, "b": 0}}, "expected a above 1e-6"),
    ({"output": {}}, "is damaged"),
    ({"function_words": []}, "is damaged"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_damaged_folders(tmp_path: Path, change: dict[str, object], message: str) -> None:
    place = tmp_path / "model"
    shutil.copytree(package_file("beer/best"), place)
    about = json.loads((place / "model.json").read_text(encoding="utf-8"))
    describe(place, {**about, **change})
    with pytest.raises(BadFile, match=message):
        Beer(model=str(place))


def replace_arrays(place: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write other arrays, with the right checksum."""
    packed = save(arrays)
    (place / "model.safetensors").write_bytes(packed)
    describe(place, json.loads((place / "model.json").read_text(encoding="utf-8")))


def test_a_changed_bit_is_noticed(tmp_path: Path) -> None:
    place = tmp_path / "model"
    shutil.copytree(package_file("beer/best"), place)
    data = bytearray((place / "model.safetensors").read_bytes())
    data[len(data) // 2] ^= 4
    (place / "model.safetensors").write_bytes(data)
    with pytest.raises(BadFile, match="the checksum does not fit"):
        load_model(place)


def test_damaged_arrays(tmp_path: Path) -> None:
    place = tmp_path / "model"
    with pytest.raises(BadFile, match="is no wordorder-beer"):
        Beer(model=str(place))
    shutil.copytree(package_file("beer/best"), place)
    arrays = place / "model.safetensors"
    whole = arrays.read_bytes()
    arrays.write_bytes(whole[:50])
    with pytest.raises(BadFile, match="is damaged"):
        Beer(model=str(place))
    width = len(read_model(version="best").names)
    words = load_file(package_file("beer/best/model.safetensors"))["lexicon"]
    for weights, message in (
        (np.full(width, np.inf), "not finite"),
        (np.ones(width + 1), f"{width + 1} weights for {width} features"),
    ):
        replace_arrays(place, {"weights": weights, "lexicon": words})
        with pytest.raises(BadFile, match=message):
            load_model(place)
    replace_arrays(place, {"weights": np.ones(width), "lexicon": words, "inner": np.ones((2, 2))})
    with pytest.raises(BadFile, match="is damaged"):
        load_model(place)
    (place / "model.json").write_text('{"format":')
    with pytest.raises(BadFile, match="is not JSON"):
        load_model(place)


def test_one_side_that_is_empty_is_worst_and_short_texts_are_compared() -> None:
    made = metric("beer")
    for other in ("x", "hello there", "word " * 300):
        assert made.sentence_score(other, [""]).score == made.sentence_score("", [other]).score == 0.0
    assert made.sentence_score("", [""]).score == 1.0
    # An empty reference beside another is no help.
    pair = "hello there", "completely different words"
    assert made.sentence_score(pair[0], [pair[1], ""]).score == made.sentence_score(pair[0], [pair[1]]).score
    assert made.sentence_score("x", ["y"]).score < 0.5
    assert made.sentence_score("Yes", ["No"]).score > made.sentence_score("No", ["Yes"]).score  # too short
    assert made.sentence_score("t h e d o g", ["thedog"]).score < 1.0


def test_a_model_that_changes_is_read_again(tmp_path: Path) -> None:
    place = tmp_path / "model"
    for weight in (1.0, 9.0):
        save_model(model_of({"cased:ngram1.sf1": weight}, ScoreScaling()), place)
        found = Beer(model=str(place)).sentence_score("a b", ["a c"]).score
        assert found == pytest.approx(2 / (1 + np.exp(0.5 * weight)))


def test_treepel(tmp_path: Path) -> None:
    rows = "1\tit\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\trains\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    path = tmp_path / "parses.conllu"
    path.write_text(
        f"# text = it rains\n{rows}# text = he rains\n{rows.replace('it', 'he')}", encoding="utf-8"
    )
    made = metric(f"beer:version=treepel,parses={path}")
    assert made.sentence_score("it rains", ["it rains"]).score == 1.0
    assert 0 < made.sentence_score("he rains", ["it rains"]).score < 1
    with pytest.raises(WordOrderError, match="there is no parse"):
        made.sentence_score("it pours", ["it rains"])
    with pytest.raises(BadSetting, match="parses=FILE"):
        metric("beer:version=treepel").sentence_score("it rains", ["it rains"])
    with pytest.raises(BadSetting, match="no effect"):
        metric(f"beer:parses={path}")


def test_settings_without_effect_are_told(tmp_path: Path) -> None:
    save_model(read_model(), tmp_path / "model")
    with pytest.raises(BadSetting, match="leave version out"):
        metric(f"beer:version=3.0,model={tmp_path / 'model'}")
    (tmp_path / "feature_names_mapping").touch()
    with pytest.raises(BadSetting, match=r"set version=2\.0"):
        metric(f"beer:model={tmp_path}")
    with pytest.raises(BadSetting, match=r"compat=original is a defect of version=2\.0"):
        metric("beer:compat=original")


def test_an_empty_reference_counts_in_a_corpus() -> None:
    hypotheses, references = ["The cat", "garbage garbage"], ["The cat", ""]
    assert Beer().sentence_score(hypotheses[1], [""]).score == 0
    assert 0.5 < Beer().corpus_score(hypotheses, [references]).score < 0.9
