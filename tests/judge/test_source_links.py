"""Links of sources with references and outputs, and metrics of the permutations that they make."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.judge.simulated import judgments
from wordorder.core.alignment import Alignment, Alignments
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.judge.judgments import Judgments, SourceLinks
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.score_cache import ScoreCache
from wordorder.judge.source_links import align_sets, links_table, with_links
from wordorder.metrics.registry import metric, parse_metrics
from wordorder.metrics.segments import given_policy, on_given

SOURCES = ["eins zwei drei, vier.", "rot blau grün", "ja"]
REFERENCES = ["two one three, four.", "red blue green", "yes"]
OUTPUTS = [
    "one two three, four.", "four, three two one.",
    "red green", "blue red green green",
    "", "yes yes",
]  # fmt: skip
WORDS = {
    "eins": "one", "zwei": "two", "drei": "three", "vier": "four", "rot": "red", "blau": "blue",
    "grün": "green", "ja": "yes", ",": ",", ".": ".",
}  # fmt: skip


def by_dictionary(source: list[str], target: list[str]) -> Alignments:
    pairs = [(left.split(), right.split()) for left, right in zip(source, target, strict=True)]
    return Alignments.from_alignments(
        Alignment(
            len(left),
            len(right),
            [(i, j) for i, a in enumerate(left) for j, b in enumerate(right) if WORDS[a] == b],
        )
        for left, right in pairs
    )


def linked(missing: tuple[int, ...] = ()) -> Judgments:
    one = judgments(3, 2, outputs=list(OUTPUTS), references=REFERENCES, missing=missing)
    return align_sets([replace(one, sources=SOURCES)], by_dictionary)[0]


def places_by_birch(alignment: Alignment) -> list[int]:
    """Place source words by the words of the paper: first target word, after the previous one if none."""
    at, keys = -1, []
    for targets in alignment.targets():
        at = min(targets, default=at)
        keys.append(at)
    order = sorted(range(len(keys)), key=lambda word: keys[word])
    return [order.index(word) for word in range(len(keys))]


def kendall_of(first: list[int], second: list[int]) -> float:
    pairs = [(i, j) for i in range(len(first)) for j in range(len(first)) if first[i] < first[j]]
    return 1 - sum(second[i] > second[j] for i, j in pairs) / len(pairs) if pairs else 1.0


def hamming_of(first: list[int], second: list[int]) -> float:
    return sum(a == b for a, b in zip(first, second, strict=True)) / len(first)


@pytest.mark.parametrize(("order", "distance"), [("kendall", kendall_of), ("hamming", hamming_of)])
def test_both_translations_are_permutations_of_the_source(order: str, distance) -> None:  # type: ignore[no-untyped-def]
    one = linked()
    assert one.links is not None
    spec = f"lrscore:order={order},match=alignments(birch),alpha=1"
    ((found,),) = Scorer()([one], parse_metrics([spec]))
    for item, segment in enumerate(one.item_segment.tolist()):
        mine, reference = one.links.items[item], one.links.references[0][segment]
        expected = 0.0
        if mine.links and reference.links:
            t, r = mine.target_size, reference.target_size
            penalty = 1.0 if t > r else np.exp(1 - r / t)
            expected = distance(places_by_birch(mine), places_by_birch(reference)) * penalty
        assert found.segment[item] == pytest.approx(expected), item
    assert "|tokenize:13a|" in found.signature and "|match:alignments(birch)|" in found.signature


def test_bleu_does_not_depend_on_the_links() -> None:
    one = linked()
    (found,) = Scorer()([one], parse_metrics(["lrscore:alpha=0,lrscore:alpha=0,match=alignments(birch)"]))
    assert np.array_equal(found[0].segment, found[1].segment)


def test_direct_matching_and_links_stand_side_by_side(tmp_path: Path) -> None:
    one, specs = linked(missing=(3,)), ["kendall,kendall:match=alignments(birch)"]
    cache = ScoreCache(str(tmp_path))
    (found,) = Scorer(cache=cache)([one], parse_metrics(specs))
    assert [scores.label for scores in found] == [
        "kendall", "kendall:match=alignments(birch)",
    ]  # fmt: skip
    # "four, three two one." against "two one three, four.", by words and by source words
    assert found[0].segment[1] == pytest.approx(1 - 9 / 15) == found[1].segment[1]
    assert found[1].segment[3] == 0.0  # no text
    assert one.links is not None
    others = replace(one, links=SourceLinks(one.links.references, Alignments.from_links(
        [[]] * len(one), one.links.items.source_sizes, one.links.items.target_sizes
    )))  # fmt: skip
    files = len(list(tmp_path.iterdir()))
    (again,) = Scorer(cache=cache)([others], parse_metrics(specs))
    assert not again[1].segment.any() and np.array_equal(again[0].segment, found[0].segment)
    assert len(list(tmp_path.iterdir())) == files + 1  # other links, other scores; the rest is kept


def test_the_same_scores_with_processes() -> None:
    one = linked()
    (alone,), (shared,) = (
        Scorer(processes=n)([one], parse_metrics(["kendall:match=alignments(birch)"])) for n in (1, 2)
    )
    assert np.array_equal(alone[0].stats, shared[0].stats)


def test_links_are_written_and_read(tmp_path: Path) -> None:
    one = linked(missing=(3,))
    path = tmp_path / "links.tsv"
    path.write_text("\n".join(links_table([one])) + "\n")
    lines = path.read_text().splitlines()
    assert len(lines) == 1 + 3 + 6
    assert lines[1] == "de-en\t-\t1\treference\t6\t6\t0-1 1-0 2-2 3-3 4-4 5-5"
    (read,) = with_links([replace(one, links=None)], str(path))
    assert one.links is not None and read.links is not None
    assert read.links.items == one.links.items and list(read.links.references) == list(one.links.references)
    path.write_text("\n".join(lines[:-1]) + "\n")
    with pytest.raises(BadFile, match="no links of de-en -, segment 3, s1"):
        with_links([one], str(path))
    path.write_text("\n".join([*lines, lines[1].replace("0-1 ", "")]) + "\n")
    with pytest.raises(BadFile, match="other links of reference, segment 1"):
        with_links([one], str(path))
    path.write_text("\n".join([lines[0], lines[1].replace("5-5", "5-6")]) + "\n")
    with pytest.raises(BadFile, match="5-6 is past the last target word"):
        with_links([one], str(path))
    wrong = [line.replace("\treference\t6\t6\t", "\treference\t6\t7\t") for line in lines]
    path.write_text("\n".join(wrong) + "\n")
    with pytest.raises(WordOrderError, match="reference 1 has 6 words by tokenize=13a, but 7"):
        Scorer()(with_links([one], str(path)), parse_metrics(["kendall:match=alignments(birch)"]))


def test_what_cannot_be_scored() -> None:
    one = linked()
    with pytest.raises(BadSetting, match="has no word alignments"):
        Scorer()([replace(one, links=None)], parse_metrics(["kendall:match=alignments(birch)"]))
    with pytest.raises(BadSetting, match="full needs matched words"):
        metric("full:match=alignments(birch)")
    with pytest.raises(BadSetting, match="no sources"):
        align_sets([judgments(2, 2)])
    with pytest.raises(BadSetting, match="name of a reference"):
        align_sets([replace(one, systems=["reference", "s1"])])


def test_our_aligner_is_trained_once_per_pair_on_all_texts() -> None:
    one = linked()
    calls: list[int] = []

    def align(source: list[str], target: list[str]) -> Alignments:
        calls.append(len(source))
        return by_dictionary(source, target)

    other = replace(one, collection="wmt14")
    sets = align_sets([one, other, replace(one, pair="cs-en")], align)
    assert calls == [18, 9]
    assert all(each.links is not None and each.links.items == one.links.items for each in sets)  # type: ignore[union-attr]
    (trained,) = align_sets([replace(one, links=None)])
    assert trained.links is not None and len(trained.links.items) == 6
    assert trained.links.items.target_sizes.tolist() == [6, 6, 2, 4, 0, 2]


def test_policies_go_through_signatures() -> None:
    for policy in ("birch", "thesis:link=first,attach=left", "talbot:unaligned=previous"):
        assert given_policy(on_given(policy)) == policy
