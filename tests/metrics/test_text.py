"""Metrics on text: formulas by hand, sacrebleu's own numbers, several references, odd text."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

import wordorder
from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.metrics import Metric, check_metric, from_signature, metric
from wordorder.metrics.given_alignments import GivenAlignments
from wordorder.metrics.registry import parse_metrics
from wordorder.metrics.segments import Segments

REFERENCES = ["i will wait for you tomorrow .", "the cat sat on the mat", "Snow fell .", "good morning"]
OTHERS = ["tomorrow i shall wait for you .", "on the mat sat the cat", "It snowed .", "morning"]
HYPOTHESES = ["tomorrow i will wait for you .", "on the mat the cat sat down", "fell snow", "hello"]
SPECS = [
    "kendall", "recpef", "fuzzy:agg=length", "kendall:agg=micro", "crossings", "anticipation:k=2", "full",
    "full:order=kendall,alpha=0.3,lexical=bleu1", "full:order=recpef/beta=0.5,agg=macro",
    "full:lexical=matched-f1", "full:lexical=matched-bleu1", "lrscore",
    "lrscore:order=hamming,bleu=1,alpha=0.2", "ribes", "meteor", "bleu", "bleu:smooth=add-k,order=2", "chrf",
    "chrf:words=2", "ter",
]  # fmt: skip


def text(spec: str, **shared: object) -> Metric:
    (made,) = parse_metrics([spec], shared)
    return made


@pytest.mark.parametrize("spec", SPECS)
def test_contract_of_metrics_on_text(spec: str) -> None:
    made = text(spec)
    check_metric(made)
    assert f"|nrefs:{2}|" in made.signature_for(2)


@pytest.mark.parametrize("spec", [s for s in SPECS if s.partition(":")[0] not in ("bleu", "chrf", "ter")])
def test_signatures_on_text_rebuild_the_metric(spec: str) -> None:
    made = text(spec, tokenize="none", lowercase=False, match="exact+stem", language="de")
    again = from_signature(made.signature_for(1))
    assert again == made
    assert again.corpus_score(HYPOTHESES, [REFERENCES]) == made.corpus_score(HYPOTHESES, [REFERENCES])


@pytest.mark.parametrize("references", [[REFERENCES], [REFERENCES, OTHERS]], ids=["one", "two"])
def test_peers_are_sacrebleus_to_the_last_digit(references: list[list[str]]) -> None:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    peers = {
        "bleu": BLEU(), "bleu:lowercase=true,smooth=floor": BLEU(lowercase=True, smooth_method="floor"),
        "bleu:tokenize=none,order=2": BLEU(tokenize="none", max_ngram_order=2),
        "chrf": CHRF(), "chrf:words=2": CHRF(word_order=2), "ter": TER(),
        "ter:lowercase=false": TER(case_sensitive=True),
    }  # fmt: skip
    for spec, peer in peers.items():
        theirs = peer.corpus_score(HYPOTHESES, references)
        ours = metric(spec).corpus_score(HYPOTHESES, references)
        assert ours.score == theirs.score, spec
        untold = "|order:2" if "order" in spec else ""
        assert ours.signature.partition("|")[2] == peer.get_signature().format() + untold, spec
    alone = BLEU(effective_order=True)
    for hypothesis, *mine in zip(HYPOTHESES, *references, strict=True):
        ours = metric("bleu").sentence_score(hypothesis, mine).score
        assert ours == pytest.approx(alone.sentence_score(hypothesis, mine).score, abs=1e-12)


@pytest.mark.parametrize(
    "spec",
    [
        "bleu", "bleu:order=2,lowercase=true,tokenize=char", "bleu:smooth=floor", "bleu:smooth=add-k",
        "bleu:smooth=none,effective=true", "chrf", "chrf:beta=3,chars=4,words=2,lowercase=true", "ter",
        "ter:lowercase=false,normalized=true,punctuation=false",
    ],
)  # fmt: skip
def test_signatures_of_peers_tell_all_and_rebuild_them(spec: str) -> None:
    made = text(spec)
    score = made.corpus_score(HYPOTHESES, [REFERENCES])
    used = made.with_tokenizer(None)  # tokenize=auto is settled by the text
    assert used.signature == score.signature.replace("|nrefs:1|", "|")
    assert from_signature(score.signature) == from_signature(used.signature) == used
    assert from_signature(made.signature) == made
    for key, value in (("order", 2), ("beta", 3)):
        assert (f"|{key}:{value}" in score.signature) == (f"{key}={value}" in spec)


def test_signatures_of_peers_that_cannot_be_rebuilt() -> None:
    usual = text("chrf").signature
    with pytest.raises(WordOrderError, match="does not have space:yes"):
        from_signature(usual.replace("space:no", "space:yes"))
    with pytest.raises(WordOrderError, match="case is 'other'; expected one of mixed, lc"):
        from_signature(usual.replace("case:mixed", "case:other"))
    with pytest.warns(UserWarning, match="signature of sacrebleu 1.0.0"):
        assert from_signature(usual.rpartition(":")[0] + ":1.0.0") == text("chrf")
    for bad in ("bleu:tokenize=foo", "bleu:order=0", "chrf:chars=0", "chrf:beta=-1"):
        with pytest.raises(BadSetting, match=bad.partition(":")[0] + ": "):
            text(bad).corpus_score(HYPOTHESES, [REFERENCES])


def test_ordering_scores_see_the_matched_words() -> None:
    # "on the mat the cat sat down" against "the cat sat on the mat": all but "down" is matched.
    order = [3, 4, 5, 0, 1, 2]
    found = text("kendall").sentence_score(HYPOTHESES[1], [REFERENCES[1]])
    assert found.score == metric("kendall")(order) == pytest.approx(6 / 15)
    assert text("recpef").sentence_score(HYPOTHESES[1], [REFERENCES[1]]).score == metric("recpef")(order)


def test_full_metric_by_hand() -> None:
    # 6 of 7 words match 6 of 6: F1 = 12/13, no brevity penalty, kendall 6/15.
    made = text("full:order=kendall,alpha=0.25")
    assert made.sentence_score(HYPOTHESES[1], [REFERENCES[1]]).score == pytest.approx(
        0.25 * 12 / 13 + 0.75 * 0.4
    )
    # 2 of 2 words match 2 of 3, turned: BP(2, 3) = exp(1 - 3/2), kendall 0; unigram BLEU = BP * 1.
    bleu1 = text("full:order=kendall,alpha=0.25,lexical=bleu1")
    assert bleu1.sentence_score("fell snow", ["Snow fell ."]).score == pytest.approx(0.25 * math.exp(-0.5))
    in_order = bleu1.sentence_score("snow fell", ["Snow fell ."]).score
    assert in_order == pytest.approx(0.25 * math.exp(-0.5) + 0.75 * math.exp(-0.5))
    # A corpus is weighted by reference length, as the thesis does (equation 4.2).
    scores = [made.sentence_score(h, [r]).score for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    lengths = [7, 6, 3, 2]
    expected = sum(s * n for s, n in zip(scores, lengths, strict=True)) / sum(lengths)
    assert made.corpus_score(HYPOTHESES, [REFERENCES]).score == pytest.approx(expected)


def test_lrscore_is_mean_ordering_with_corpus_bleu() -> None:
    from sacrebleu.metrics.bleu import BLEU

    for order, bleu, alpha in (("kendall", 4, 0.5), ("hamming", 1, 0.2)):
        made = text(f"lrscore:order={order},bleu={bleu},alpha={alpha}")
        ordering = []
        for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True):
            t, r = len(hypothesis.split()), len(reference.split())
            penalty = 1 if t > r else math.exp(1 - r / t)
            shared = metric(order).sentence_score(hypothesis, [reference]).score
            ordering.append(shared * penalty)
        lexical = (
            BLEU(lowercase=True, max_ngram_order=bleu).corpus_score(HYPOTHESES, [REFERENCES]).score / 100
        )
        expected = alpha * np.mean(ordering) + (1 - alpha) * lexical
        assert made.corpus_score(HYPOTHESES, [REFERENCES]).score == pytest.approx(expected, abs=1e-12)


def test_lrscore_takes_the_closest_reference_length() -> None:
    made = text("lrscore:alpha=1.0")
    # Four words: the reference of five is closer than that of nine, whichever is matched in order.
    score = made.sentence_score("a b c d", ["a b c d x y z v w", "d c b a x"]).score
    assert score == pytest.approx(math.exp(1 - 5 / 4))


def test_sentence_bleu_says_that_its_order_is_effective() -> None:
    assert "|eff:yes|" in metric("bleu").sentence_score("hello", ["hello"]).signature
    assert "|eff:no|" in metric("bleu").corpus_score(["hello"], [["hello"]]).signature


def test_ribes_by_hand_and_by_nltk() -> None:
    made = text("ribes")
    # One matched word in a longer reference is worth nothing; in one of a single word, all of it.
    assert made.sentence_score("morning", ["good morning"]).score == 0.0
    assert made.sentence_score("morning", ["morning"]).score == 1.0
    assert made.sentence_score("good morning everyone", ["good morning"]).score == pytest.approx(
        (2 / 3) ** 0.25
    )
    pytest.importorskip("nltk", minversion="3.10")
    from nltk.translate.ribes_score import corpus_ribes

    theirs = corpus_ribes([[r.split()] for r in map(str.lower, REFERENCES)], [h.split() for h in HYPOTHESES])
    assert made.corpus_score(HYPOTHESES, [REFERENCES]).score == pytest.approx(theirs, abs=1e-12)


def test_several_references_best_or_mean() -> None:
    for spec in ("kendall", "full", "ribes", "crossings", "meteor"):
        best = text(spec)
        mean = metric(spec, refs="mean")
        for h, r, o in zip(HYPOTHESES, REFERENCES, OTHERS, strict=True):
            one, other = best.sentence_score(h, [r]).score, best.sentence_score(h, [o]).score
            top = max(one, other) if best.higher_is_better else min(one, other)
            assert best.sentence_score(h, [r, o]).score == top
            if spec not in ("full", "meteor"):  # whose means weigh references by their length
                assert mean.sentence_score(h, [r, o]).score == pytest.approx((one + other) / 2)


def test_identical_text_is_perfect_and_disjoint_text_is_worst() -> None:
    for spec in (
        "kendall",
        "spearman",
        "fuzzy",
        "pet_size",
        "recpef",
        "full",
        "lrscore",
        "ribes",
        "anticipation",
    ):
        made = text(spec)
        same = made.corpus_score(REFERENCES, [REFERENCES]).score
        assert same == pytest.approx(made.best), spec
        nothing = made.corpus_score(["x y z w"] * 4, [REFERENCES]).score
        assert nothing == (0.0 if made.higher_is_better else 1.0), spec


@pytest.mark.parametrize("spec", ["kendall", "recpef", "pet_count", "full", "lrscore", "ribes", "crossings"])
def test_empty_sides(spec: str) -> None:
    made = text(spec)
    worst = 0.0
    assert made.sentence_score("", [""]).score == pytest.approx(made.best)
    assert made.sentence_score("", ["some words"]).score == worst
    assert made.sentence_score("some words", [""]).score == worst
    assert math.isfinite(made.corpus_score(["", "a", ""], [["", "a", "b"]]).score)


@pytest.mark.parametrize(
    "line",
    [
        "one",
        "word " * 5000,
        " ".join(f"w{k}" for k in range(5000)),
        "שלום עולם טוב",
        "مرحبا بالعالم",
        "👩‍👩‍👧 😀 e\u0301 é n\u0303",
        "a\u2028b c\u2028d",
        "\u3000",
        "... , ; !!",
        "tab\tand\x0bvertical",
    ],
    ids=[
        "one word",
        "5000 equal",
        "5000 words",
        "hebrew",
        "arabic",
        "emoji",
        "u2028",
        "blank",
        "points",
        "tabs",
    ],
)
def test_odd_text_has_a_finite_value_and_is_perfect_against_itself(line: str) -> None:
    turned = " ".join(reversed(line.split()))
    for spec in ("kendall", "recpef", "full", "ribes"):
        made = text(spec)
        if spec != "ribes" or len(set(line.split())) > 1:  # equal words have no context of their own
            assert made.sentence_score(line, [line]).score == pytest.approx(made.best), spec
        assert 0 <= made.sentence_score(turned, [line]).score <= 1


def test_cjk_is_tokenised_by_name_and_by_script() -> None:
    made = text("kendall", tokenize="zh")
    assert made.sentence_score("北京我爱", ["我爱北京"]).score == pytest.approx(2 / 6)
    plain = text("kendall", tokenize="13a")
    assert plain.sentence_score("北京我爱", ["我爱北京"]).score == 0.0  # one word each, and not the same
    for spec in ("kendall", "full", "lrscore", "ribes", "bleu", "ter"):
        score = text(spec).corpus_score(["我爱北京天安门广场"], [["我爱北京天安门广场"]])
        assert score.score == pytest.approx(0.0 if spec == "ter" else 100.0 if spec == "bleu" else 1.0)
        assert re.search(r"\|tok(enize)?:zh\b", score.signature), spec
        assert from_signature(score.signature).tokenize == "zh"  # type: ignore[attr-defined]


def test_intervals_and_misuse() -> None:
    score = text("full").corpus_score(HYPOTHESES, [REFERENCES], n_bootstrap=200)
    assert score.interval and score.interval.low < score.score < score.interval.high
    assert score.as_dict()["low"] == score.interval.low and f"[{score.interval.low:.4f}, " in str(score)
    with pytest.raises(WordOrderError, match="4 hypotheses but 1 segments in reference 1"):
        text("kendall").corpus_score(HYPOTHESES, [[r] for r in REFERENCES])
    with pytest.raises(WordOrderError, match="found a string"):
        text("kendall").corpus_score("a b", [["a b"]])
    with pytest.raises(WordOrderError, match="found a string"):
        text("kendall").corpus_score(["a"], ["a"])
    with pytest.raises(WordOrderError, match="no references"):
        text("kendall").corpus_score(["a"], [])
    for bad in ("full:alpha=2", "full:order=crossings", "full:order=bleu", "lrscore:order=kendall/scale=tau",
                "lrscore:alpha=-1", "ribes:beta=-1", "full:match=magic", "full:lowercase=maybe"):  # fmt: skip
        with pytest.raises(WordOrderError):
            metric(bad)


def test_stems_match_where_asked() -> None:
    pair = "he walked home", ["he walks home"]
    exact = text("full:order=kendall").sentence_score(*pair).score
    stems = text("full:order=kendall", match="exact+stem").sentence_score(*pair).score
    matched = text("full:order=kendall,lexical=matched-f1", match="exact+stem").sentence_score(*pair).score
    # Stems lengthen the permutation; the words that both sides have remain two of three.
    assert exact == pytest.approx((2 / 3 + math.exp(-0.5)) / 2)
    assert stems == pytest.approx((2 / 3 + 1) / 2) and matched == 1.0


LEXICAL = ("f1", "bleu1")


def lexical_part(kind: str, hypotheses: list[str], references: list[str], **shared: object) -> list[float]:
    made = text(f"full:alpha=1,order=none,lexical={kind}", **shared)
    scores: list[float] = made.segment_scores(made.statistics(Segments(hypotheses, [references]))).tolist()
    return scores


def test_the_lexical_part_is_that_of_the_papers_whatever_is_matched() -> None:
    pair = ["the cats walked home"], ["the cat walks home"]
    for match in ("exact", "exact+stem"):
        assert lexical_part("bleu1", *pair, match=match) == lexical_part("f1", *pair, match=match) == [0.5]
    assert lexical_part("matched-bleu1", *pair, match="exact+stem") == [1.0]
    assert lexical_part("matched-f1", *pair, match="exact+stem") == [1.0]


def random_texts() -> tuple[list[str], list[str]]:
    rng = np.random.default_rng(6)
    words = ["walk", "walks", "walked", "the", "The", "a", "house", "houses", "."]
    sides = [[" ".join(rng.choice(words, rng.integers(0, 14))) for _ in range(300)] for _ in range(2)]
    return sides[0], sides[1]


@pytest.mark.parametrize("match", ["exact", "exact@first", "exact+stem", "stem", "ribes"])
def test_f1_is_that_of_bags_of_words(match: str) -> None:
    hypotheses, references = random_texts()
    for score, h, r in zip(lexical_part("f1", hypotheses, references, match=match), hypotheses, references,
                           strict=True):  # fmt: skip
        mine, theirs = Counter(h.lower().split()), Counter(r.lower().split())
        both = sum((mine & theirs).values())
        precision, recall = (both / max(bag.total(), 1) for bag in (mine, theirs))
        f1 = 2 * precision * recall / (precision + recall) if both else float(not (mine or theirs))
        assert score == pytest.approx(f1, abs=1e-12)


@pytest.mark.parametrize("match", ["exact", "exact+stem", "ribes"])
def test_bleu1_is_sacrebleus_of_single_words(match: str) -> None:
    hypotheses, references = random_texts()
    peer = BLEU(max_ngram_order=1, lowercase=True, smooth_method="none", force=True)
    for score, h, r in zip(lexical_part("bleu1", hypotheses, references, match=match), hypotheses, references,
                           strict=True):  # fmt: skip
        expected = peer.corpus_score([h], [[r]]).score / 100 if h or r else 1.0
        assert score == pytest.approx(expected, abs=1e-12)


def test_matched_words_are_common_words_with_exact_matching_only() -> None:
    sides = random_texts()
    for kind in LEXICAL:
        for match in ("exact", "exact@first"):
            exact = lexical_part(kind, *sides, match=match)
            assert exact == lexical_part(f"matched-{kind}", *sides, match=match)
        more = lexical_part(f"matched-{kind}", *sides, match="exact+stem")
        assert more != exact and all(a >= b for a, b in zip(more, exact, strict=True))
        assert lexical_part(f"matched-{kind}", *sides, match="ribes") != exact  # not all equal words match


def test_matching_settings_reach_all_but_those_with_their_own() -> None:
    assert text("full", tokenize="none").tokenize == "none"  # type: ignore[attr-defined]
    assert text("full:tokenize=char", tokenize="none").tokenize == "char"  # type: ignore[attr-defined]
    assert text("ribes", match="exact").match == "ribes"  # type: ignore[attr-defined]
    with pytest.raises(UnknownName, match="Known: exact, paraphrase, stem, synonym"):
        text("full", match="nothing")


def test_unknown_settings_are_told() -> None:
    with pytest.raises(WordOrderError, match=r"no setting 'foo'. It has: scale, .*tokenize, .*refs"):
        metric("kendall", foo=1)
    with pytest.raises(WordOrderError, match="scale is set twice"):
        metric("kendall:scale=tau", scale="sqrt")


def test_given_alignments_stand_in_for_matching() -> None:
    straight = Alignment(3, 3, [(0, 0), (1, 1), (2, 2)])
    turned = Alignment(3, 3, [(0, 2), (1, 1), (2, 0)])
    one = GivenAlignments(hypotheses=[turned, straight], references=[[straight, straight]])
    hypotheses, references = ["c b a", "a b c"], [["x y z", "x y z"]]
    for spec, value in (("kendall", 0.5), ("lrscore:alpha=1", 0.5), ("hamming", (1 / 3 + 1) / 2)):
        score = metric(spec).corpus_score(hypotheses, references, given=one)
        assert score.score == pytest.approx(value) and "|match:alignments(talbot)|" in score.signature
    two = GivenAlignments(hypotheses=[turned], references=[[straight], [turned]])
    assert metric("kendall").sentence_score("c b a", ["x y z", "z y x"], given=two).score == 1.0
    mean = metric("kendall", refs="mean")
    assert mean.sentence_score("c b a", ["x y z", "z y x"], given=two).score == 0.5
    kept = metric("chrf").corpus_score(hypotheses, references, given=one)  # looks at no alignment
    assert kept == metric("chrf").corpus_score(hypotheses, references)
    with pytest.raises(WordOrderError, match="no meaning with given alignments"):
        metric("full").corpus_score(hypotheses, references, given=one)
    with pytest.raises(WordOrderError, match="2 hypotheses, but 1 alignments"):
        metric("kendall").corpus_score(hypotheses, references, given=two)
    with pytest.raises(WordOrderError, match=r"segment 1: the source has 3 words .* 2 with reference 1"):
        GivenAlignments(hypotheses=[straight], references=[[Alignment(2, 2)]])
    with pytest.raises(WordOrderError, match="pass them as given=GivenAlignments"):
        metric("kendall").on_alignments("birch").corpus_score(hypotheses, references)


def test_given_alignments_are_checked() -> None:
    assert wordorder.GivenAlignments is GivenAlignments
    straight = Alignment(3, 3, [(0, 0), (1, 1), (2, 2)])
    given = GivenAlignments(hypotheses=[straight], references=[[straight]])
    with pytest.raises(WordOrderError, match="segment 1: the hypothesis has 2 words between spaces, but 3"):
        metric("kendall").corpus_score(["a b"], [["a b c"]], given=given)
    with pytest.raises(WordOrderError, match="segment 1: reference 1 has 1 word between spaces, but 3"):
        metric("kendall").sentence_score("a b c", ["a"], given=given)
    with pytest.raises(WordOrderError, match="expected GivenAlignments"):
        metric("kendall").sentence_score("a b c", ["a"], given=[straight])  # type: ignore[arg-type]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"references": [straight]}, "expected a list for each reference"),
        ({"references": straight}, "expected lists of alignments"),
        ({"references": ["0-0"]}, "alignments of reference 1 are a str"),
        ({"references": [["0-0"]]}, "segment 1 of reference 1 is a str; expected an Alignment"),
        ({"hypotheses": "0-0"}, "alignments of hypotheses are a str"),
        ({"hypotheses": [None]}, "segment 1 of hypotheses is None"),
        ({"hypotheses": iter([straight])}, "expected a list of Alignment"),
        ({"policy": "magic"}, "unknown policy 'magic'. Known: birch,"),
    ]
    for change, message in wrong:
        with pytest.raises(WordOrderError, match=message):
            GivenAlignments(**{"hypotheses": [straight], "references": [[straight]], **change})


class Column:
    """What a column of a data frame is to us: a sequence that has no truth value."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, at: int) -> str:
        return self.lines[at]

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")


@pytest.mark.parametrize("spec", ["kendall", "full", "lrscore", "ribes", "bleu", "chrf", "ter"])
@pytest.mark.parametrize("kind", [np.array, tuple, Column])
def test_any_sequence_of_texts_is_scored(spec: str, kind: Any) -> None:
    made = text(spec)
    plain = made.corpus_score(HYPOTHESES, [REFERENCES, OTHERS])
    assert made.corpus_score(kind(HYPOTHESES), [kind(REFERENCES), kind(OTHERS)]) == plain
    assert made.corpus_score(np.array(HYPOTHESES), np.array([REFERENCES, OTHERS])) == plain  # type: ignore[arg-type]
    assert made.sentence_score("a b", kind(["b a", "a"])) == made.sentence_score("a b", ["b a", "a"])


def test_iterators_are_explained() -> None:
    made = text("kendall")
    for hypotheses, references in (
        ((line for line in HYPOTHESES), [REFERENCES]),
        (HYPOTHESES, [iter(REFERENCES)]),
        (HYPOTHESES, iter([REFERENCES])),
        (set(HYPOTHESES), [REFERENCES]),
        (dict.fromkeys(HYPOTHESES), [REFERENCES]),
    ):
        with pytest.raises(WordOrderError, match=r"expected a list of .*, found a \w+; .*list\(\.\.\.\)"):
            made.corpus_score(hypotheses, references)  # type: ignore[arg-type]
    with pytest.raises(WordOrderError, match="found a generator"):
        made.sentence_score("a", (line for line in OTHERS))  # type: ignore[arg-type]


def test_places_of_resources_are_settings_but_in_no_signature(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text("0.5\nbig house\nmansion\n")
    made = metric("full", match="exact+paraphrase", paraphrases=str(table))
    assert (
        made.sentence_score("the mansion", ["the big house"]).score
        > metric("full").sentence_score("the mansion", ["the big house"]).score
    )
    assert str(table) not in made.signature and "paraphrase(table" in made.signature


@pytest.mark.parametrize(
    "spec",
    [
        *SPECS,
        "bleu:smooth=none",
        "bleu:smooth=floor",
        "bleu:smooth=add-k",
        "bleu:effective=true",
        "chrf:beta=3",
    ],
)
def test_scores_of_many_sums_equal_one_by_one(spec: str) -> None:
    made = text(spec)
    rng = np.random.default_rng(3)
    longer = [" ".join(rng.choice(list("abcdefg"), rng.integers(0, 12))) for _ in range(40)]
    shuffled = [" ".join(rng.permutation(line.split())[: rng.integers(1, 12)]) for line in longer]
    rows = made.statistics(Segments(shuffled + HYPOTHESES, [longer + REFERENCES]))
    sums = np.vstack([rows, rng.integers(0, 3, size=(30, len(rows))) @ rows, rows[:1] * 0])
    alone = [float(made.scores(row[None])[0]) for row in sums]
    assert made.scores(sums) == pytest.approx(alone, rel=1e-12, abs=1e-9)
    assert np.array_equal(made.statistics(Segments(shuffled, [longer])), rows[:40])


def test_sentence_scores_of_peers_are_sacrebleus_own() -> None:
    rng = np.random.default_rng(4)
    longer = [" ".join(rng.choice(list("abcdefg"), rng.integers(0, 12))) for _ in range(60)]
    shuffled = [" ".join(rng.permutation(line.split())[: rng.integers(1, 12)]) for line in longer]
    bleu, chrf, ter = BLEU(effective_order=True), CHRF(), TER()
    for spec, peer in (("bleu", bleu), ("chrf", chrf), ("ter", ter)):
        ours = text(spec).segment_scores(text(spec).statistics(Segments(shuffled, [longer])))
        theirs = [peer.sentence_score(h, [r]).score for h, r in zip(shuffled, longer, strict=True)]
        assert ours == pytest.approx(theirs, abs=1e-9)
