"""METEOR: the formula by hand, figures printed by METEOR 1.5, and settings."""

from __future__ import annotations

import csv
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from wordorder.align.matcher import STAGES
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_judgments
from wordorder.judge.target_language import suited_metrics
from wordorder.metrics import check_metric, from_signature, metric
from wordorder.metrics.meteor import Meteor, Parameters
from wordorder.metrics.registry import spec_of
from wordorder.metrics.segments import Segments
from wordorder.text.function_words import function_words

GOLDEN = Path(__file__).parents[1] / "golden" / "meteor.tsv"
FUNCTION_WORDS = [
    "the", ",", ".", "of", "to", "a", "in", "was", "on", "not",
    "that", "is", "he", "it", "by", "for", "you", "were", "be", "or",
]  # fmt: skip
SYNSETS = "car\n1 2\nautomobile\n2\nbig\n3\nlarge\n3 4\nstop\n5\nhalt\n5\n"
PARAPHRASES = (
    "0.5\nall of the windows\nevery window\n0.4\nlast week\nthe other week\n"
    "0.3\nwould rise\nwere to go up\n0.2\ntomorrow\non the next day\n"
)


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """Function words, synonyms and paraphrases."""
    (tmp_path / "words").write_text("\n".join(FUNCTION_WORDS))
    (tmp_path / "english.synsets").write_text(SYNSETS)
    (tmp_path / "english.exceptions").write_text("stop\nstopped\n")
    (tmp_path / "table").write_text(PARAPHRASES)
    return {
        "function_words": str(tmp_path / "words"),
        "wordnet": str(tmp_path),
        "paraphrases": str(tmp_path / "table"),
    }


def golden() -> list[dict[str, str]]:
    with GOLDEN.open(encoding="utf-8") as lines:
        return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def twin(hypothesis: str, reference: str, made: Meteor, use: Parameters) -> float:
    """Equations 2.42 to 2.46 of the thesis, word by word, on the matcher's links."""
    words = (segments := Segments([hypothesis], [[reference]])).matched(made.matching)[0].texts
    assert words is not None and len(segments) == 1
    matches = words.matches
    weight = {"exact": 1.0, "stem": use.stem_weight, "synonym": use.synonym_weight}
    weight["paraphrase"] = use.paraphrase_weight

    def part(text: str, stages: Sequence[int]) -> float:
        values = [1 - use.delta if word in FUNCTION_WORDS else use.delta for word in text.split()]
        hits = [weight[words.stages[s]] * v for v, s in zip(values, stages, strict=True) if s >= 0]
        return sum(hits) / sum(values)

    mine, theirs = matches.stages.tolist(), matches.reference_stages.tolist()
    precision, recall = part(hypothesis, mine), part(reference, theirs)
    if not precision:
        return 0.0
    mean = precision * recall / (use.alpha * precision + (1 - use.alpha) * recall)
    chunks = count_chunks(matches.positions.tolist(), mine, theirs)
    covered = [s >= 0 for s in mine], [s >= 0 for s in theirs]
    if chunks == 1 and all(covered[0]) and all(covered[1]):
        chunks = 0
    return mean * (1 - use.gamma * (chunks / ((sum(covered[0]) + sum(covered[1])) / 2)) ** use.beta)


def count_chunks(positions: list[int], stages: list[int], reference_stages: list[int]) -> int:
    """Walk along the hypothesis, each link with the covered words after it on both sides."""
    chunks, expected = 0, -1
    for i, j in enumerate(positions):
        if j < 0:
            if stages[i] < 0:
                expected = -1
            continue
        chunks += j != expected
        expected = j + 1
        while (
            expected < len(reference_stages) and reference_stages[expected] >= 0 and expected not in positions
        ):
            expected += 1
    return chunks


def test_figures_printed_by_the_program(places: dict[str, str]) -> None:
    rows = golden()
    hypotheses, references = ([row[side] for row in rows[:-1]] for side in ("hypothesis", "reference"))
    columns = [name for name in rows[0] if " " in name]
    assert len(columns) == 11 and len(rows) == 22
    for column in columns:
        language, match = column.split()
        made = metric("meteor", tokenize="none", language=language, match=match, **places)
        scores = made.segment_scores(made.statistics(Segments(hypotheses, [references])))
        printed = [float(row[column]) for row in rows]
        assert [*scores, made.corpus_score(hypotheses, [references]).score] == pytest.approx(
            printed, abs=1e-12
        )


def test_scores_are_those_of_the_twin(places: dict[str, str]) -> None:
    rng = random.Random(5)
    phrases = [line for line in PARAPHRASES.splitlines() if not line.startswith("0.")]
    units = [*FUNCTION_WORDS[:6], *phrases, "car", "automobile", "big", "large", "cars", "stopped", "halt"]
    texts = [" ".join(rng.choices(units, k=rng.randint(1, 8))) for _ in range(1000)]
    use = Parameters(0.3, 0.7, 0.4, 0.9, stem_weight=0.2, synonym_weight=0.5, paraphrase_weight=0.7)
    made = metric("meteor", tokenize="none", match="+".join(STAGES), **vars(use), **places)
    assert isinstance(made, Meteor)
    for hypothesis, reference in zip(texts[::2], texts[1::2], strict=True):
        expected = twin(hypothesis, reference, made, use)
        assert made.sentence_score(hypothesis, [reference]).score == pytest.approx(expected, abs=1e-12)
    matched = Segments(texts[::2], [texts[1::2]]).matched(made.matching)[0].texts
    assert matched is not None
    for side in (matched.matches.stages, matched.matches.reference_stages):
        covered = int((side >= 0).sum())
        assert covered > int((matched.matches.positions >= 0).sum())  # longer phrases on both sides


def test_formula_by_hand(places: dict[str, str]) -> None:
    # Matched: "the", a function word, and "cat"; of two and one content words, in one chunk.
    made = metric("meteor:alpha=0.5,beta=1,gamma=0.5,delta=0.8,match=exact,tokenize=none", **places)
    precision, recall = (0.8 + 0.2) / (2 * 0.8 + 0.2), (0.8 + 0.2) / (0.8 + 0.2)
    f = 2 * precision * recall / (precision + recall)
    assert made.sentence_score("the cat sleeps", ["the cat"]).score == pytest.approx(f * (1 - 0.5 * 1 / 2))
    # A corpus adds counts up; a segment that is matched as a whole adds no chunk.
    corpus = made.corpus_score(["the cat sleeps", "the cat"], [["the cat", "the cat"]]).score
    precision = 2 * (0.8 + 0.2) / (3 * 0.8 + 2 * 0.2)
    assert corpus == pytest.approx(2 * precision / (precision + 1) * (1 - 0.5 * 1 / 4))


def test_best_of_several_references() -> None:
    made = metric("meteor")
    one, other = "a red house stood here", "there was a red house"
    alone = [made.sentence_score("a red house was there", [r]).score for r in (one, other)]
    assert alone[0] != alone[1]
    assert made.sentence_score("a red house was there", [one, other]).score == max(alone)


def test_edges() -> None:
    made = metric("meteor")
    assert made.sentence_score("", [""]).score == 1.0
    assert made.sentence_score("", ["a"]).score == made.sentence_score("a", [""]).score == 0.0
    assert made.sentence_score("x", ["y"]).score == 0.0
    # Without weight for function words, text of nothing else has neither precision nor recall, as in METEOR.
    assert metric("meteor:delta=1").sentence_score("the", ["the"]).score == 0.0


@pytest.mark.parametrize("spec", ["meteor", "meteor:language=de", "meteor:beta=1.0,delta=0.5,match=exact"])
def test_contract_and_signature(spec: str) -> None:
    made = metric(spec)
    check_metric(made)
    assert from_signature(made.signature) == made and hash(from_signature(made.signature)) == hash(made)
    assert metric(spec_of(made)) == made and spec_of(made) == spec


def test_parameters_follow_the_language() -> None:
    signature = metric("meteor").signature
    assert "|alpha:0.85|beta:0.2|gamma:0.6|delta:0.75|stem_weight:0.6|synonym_weight:0.8|" in signature
    german = metric("meteor:language=de,alpha=0.5").signature
    assert "|alpha:0.5|beta:1.0|gamma:0.55|delta:0.55|stem_weight:0.8|" in german
    assert (
        "|functions:wordorder.de-" in german and "|functions:none|" in metric("meteor:language=fi").signature
    )


def test_judged_sets_get_the_parameters_of_their_language() -> None:
    (judgments,) = read_judgments(str(Path(__file__).parents[2] / "src/wordorder/data/judgments"))[:1]
    german = Judgments(**{**vars(judgments), "pair": "en-de"})
    for match in ("exact", "exact+stem"):
        ((made, note),) = suited_metrics([metric("meteor", match=match)], [german])[0]
        assert (
            isinstance(made, Meteor) and made.language == "de" and made.parameters.gamma == 0.55 and not note
        )
    ((other, _),) = suited_metrics([metric("full")], [german])[0]
    assert other.language == "en"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "spec", ["meteor:alpha=2", "meteor:gamma=-0.5", "meteor:beta=11", "meteor:match=ribes"]
)
def test_bad_settings(spec: str) -> None:
    with pytest.raises(BadSetting, match="meteor: "):
        metric(spec)


def test_function_words_of_the_package_and_of_the_user(tmp_path: Path) -> None:
    assert {"the", "of", ","} <= function_words("en").words and "house" not in function_words("en").words
    assert function_words("xx").words == frozenset() and function_words("xx").signature_part == "none"
    (tmp_path / "german.words").write_text("der\nDie\n")
    expected = frozenset({"der", "die"})
    assert function_words("de", str(tmp_path)).words == expected
    assert function_words("en", str(tmp_path / "german.words")).words == expected
    with zipfile.ZipFile(tmp_path / "a.jar", "w") as jar:
        jar.writestr("function/german.words", "der\ndie\n")
    assert function_words("de", str(tmp_path / "a.jar")).words == expected
    assert function_words("de", str(tmp_path / "a.jar")).signature_part.startswith("german.words-")
    with pytest.raises(BadSetting, match=r"no function words of 'en' .* has no function/english.words"):
        function_words("en", str(tmp_path / "a.jar"))
    with pytest.raises(BadSetting, match="does not exist"):
        metric("meteor", function_words=str(tmp_path / "none"))
    (tmp_path / "bad").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="bad: cannot be read"):
        metric("meteor", function_words=str(tmp_path / "bad"))


def test_given_alignments_are_refused() -> None:
    with pytest.raises(WordOrderError, match="no meaning with given alignments"):
        metric("meteor").on_alignments("talbot")


def test_late_settings_do_not_change_the_statistics() -> None:
    segments = Segments(["a b c the", "x the y"], [["the a b", "y the"]])
    usual = metric("meteor").statistics(segments)
    for key in Meteor.late:
        assert np.array_equal(metric("meteor", **{key: 0.35}).statistics(segments), usual)
