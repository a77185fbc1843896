"""Labels of words, such as parts of speech, in both kinds of forest CRF."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cli.calls import Done, call
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder import Source, TrainingData, check_preorderer
from wordorder.preorder.crf import FeatureCRF, ForestCRF, NeuralCRF
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.parses import with_parses
from wordorder.preorder.probabilistic import HIDDEN
from wordorder.preorder.word_labels import labelled

FEATURES = FeatureCRF(labels="upos", hash_bits=12, epochs=10, coarse_classes=2, fine_classes=4)
NEURAL = NeuralCRF(labels="upos", epochs=8, units=12, batch_size=8, learning_rate=0.01, dropout=0.1)
BOTH = pytest.mark.parametrize("made", [FEATURES, NEURAL], ids=["features", "neural"])


@pytest.fixture(autouse=True)
def _torch(request: pytest.FixtureRequest) -> None:
    if "neural" in request.node.name:
        pytest.importorskip("torch")


def parsed(words: tuple[str, ...], labels: tuple[str, ...]) -> Source:
    rows = [
        Row(str(k), word, upos=label, head=str(k - 1), deprel="dep" if k > 1 else "root")
        for k, (word, label) in enumerate(zip(words, labels, strict=True), start=1)
    ]
    return Source(words, parse=Sentence(rows))


def corpus(count: int, seed: int = 0) -> tuple[list[Source], list[Alignment]]:
    """One word is a verb, which may be any, and goes to the end."""
    rng = np.random.default_rng(seed)
    sources, alignments = [], []
    for _ in range(count):
        n = int(rng.integers(2, 7))
        words = tuple("abcdef"[k] for k in rng.integers(6, size=n))
        verb = int(rng.integers(n))
        labels = tuple("VERB" if i == verb else "NOUN" for i in range(n))
        rank = Permutation.standardise([i + n * (one == "VERB") for i, one in enumerate(labels)])
        sources.append(parsed(words, labels))
        alignments.append(Alignment(n, n, [(i, int(r)) for i, r in enumerate(rank)]))
    return sources, alignments


def wanted(alignments: list[Alignment]) -> list[Permutation]:
    return [
        Permutation.from_order([i for i, _ in sorted(one.links, key=lambda link: link[1])])
        for one in alignments
    ]


@BOTH
def test_an_order_that_depends_on_labels_is_learned(made: ForestCRF, tmp_path: Path) -> None:
    fitted = made.fit(TrainingData(*corpus(150)))
    sources, alignments = corpus(40, seed=1)
    orders = fitted.reorder_batch(sources)
    expected = wanted(alignments)
    assert sum(a == b for a, b in zip(orders, expected, strict=True)) >= 38
    # Without labels there is nothing to go by.
    bare = [Source(one.words) for one in sources]
    blind = replace(made, labels="none").fit(TrainingData(*corpus(150))).reorder_batch(bare)
    assert sum(a == b for a, b in zip(blind, expected, strict=True)) < 20
    # Kept, and said otherwise.
    fitted.save(str(tmp_path / "m"))
    again = load_preorderer(str(tmp_path / "m"))
    assert again.needs == ("parse",) and again.reorder_batch(sources) == orders
    rows = [tuple(row.upos for row in one.parse.words) for one in sources if one.parse]
    layered = [Source(one.words, layers=(row,)) for one, row in zip(sources, rows, strict=True)]
    assert again.reorder_batch(layered) == orders
    # Text without trees is parsed by the shipped parser.
    plain = Source(("she", "saw", "old", "dogs"))
    tagged = parsed(plain.words, ("PRON", "VERB", "ADJ", "NOUN"))
    assert again.precedence_batch([plain])[0].tolist() == again.precedence_batch([tagged])[0].tolist()
    with pytest.raises(WordOrderError, match="has 2 words, but 1 labels"):
        again.reorder_batch([Source(("a", "b"), layers=(("VERB",),))])
    with pytest.raises(BadSetting, match="labels is upos since the training"):
        again.with_settings(labels="none")
    # A label that was never seen does no harm; a sentence without words needs none.
    assert len(again.reorder_batch([parsed(("a", "b"), ("X", "VERB")), Source(())])) == 2


@BOTH
def test_sentences_to_learn_from_are_parsed_if_they_have_no_tree(made: ForestCRF) -> None:
    sources, alignments = corpus(10)
    bare = [Source(one.words) for one in sources]
    parsed = with_parses(bare)
    made = replace(made, epochs=2)
    for given, same in [
        (TrainingData(bare, alignments), TrainingData(parsed, alignments)),
        (
            TrainingData(sources, alignments, automatic=(bare, alignments)),
            TrainingData(sources, alignments, automatic=(parsed, alignments)),
        ),
    ]:
        found, expected = (made.fit(each).precedence_batch(parsed) for each in (given, same))
        assert [table.tolist() for table in found] == [table.tolist() for table in expected]
    # Raw text has none, and is read all the same; teachers are asked only about text that has.
    more = replace(made, epochs=1)
    if isinstance(more, NeuralCRF):
        more = replace(more, pretraining_epochs=1, teachers=1)
    fitted = more.fit(TrainingData(sources, alignments, raw=[["a", "g"]] * 5))
    assert len(fitted.reorder_batch(sources)) == 10


def test_the_contract() -> None:
    check_preorderer(replace(FEATURES, epochs=2))
    with pytest.raises(BadSetting, match="labels is 'pos'"):
        replace(FEATURES, labels="pos")  # type: ignore[arg-type]
    assert FeatureCRF().needs == () and FEATURES.needs == ("parse",)


def test_labels_go_with_their_words() -> None:
    """Into pieces of long sentences; and a word that is hidden has none."""
    source = parsed(tuple("abcde"), ("A", "B", "C", "D", "E"))
    made = replace(FEATURES, piece=2)
    assert [one.layers for one in made.pieces(source)] == [(("A", "B"),), (("C", "D"),), (("E",),)]
    hidden = replace(source, words=("a", HIDDEN, "c", "d", "e"))
    assert labelled(hidden, "upos").layers == (("A", "", "C", "D", "E"),)
    assert labelled(source, "deprel").layers == (("root", "dep", "dep", "dep", "dep"),)
    assert labelled(replace(source, layers=(("x",) * 5,)), "none").layers == ()
    fitted = made.fit(TrainingData(*corpus(20)))
    (found,) = fitted.explain_batch([source])
    assert len(found.words) == 5


def test_arcs_are_relations_with_the_side_of_the_head() -> None:
    rows = [("1", "I", "2", "nsubj"), ("2", "see", "0", "root"), ("3", "it", "2", "obj")]
    words = [Row(number, form, head=head, deprel=relation) for number, form, head, relation in rows]
    source = Source(("I", "see", "it"), parse=Sentence(words))
    assert labelled(source, "arc").layers == (("nsubj>", "root", "obj<"),)
    without = Sentence([row._replace(head="_") for row in words])
    with pytest.raises(WordOrderError, match=r"labels=arc: the parse of 'I see it' has no heads"):
        labelled(replace(source, parse=without), "arc")
    with pytest.raises(WordOrderError, match="it needs a parse"):
        labelled(replace(source, parse=None), "arc")


def test_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources, alignments = corpus(150)
    blocks = ["\n".join("\t".join(row) for row in one.parse.words) + "\n" for one in sources if one.parse]
    for name, lines in (
        ("source", [" ".join(one.words) for one in sources]),
        ("links", [" ".join(f"{i}-{j}" for i, j in one.links) for one in alignments]),
        ("conllu", blocks),
    ):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    text, trees, model = (str(tmp_path / name) for name in ("source", "conllu", "model"))

    def run(*args: str) -> Done:
        return call(capsys, monkeypatch, "preorder", *args)

    train = ["train", "--method", "crf:labels=upos,hash_bits=12,epochs=10,coarse_classes=2,fine_classes=4",
             "--source", text, "--align", str(tmp_path / "links"), "--save-model", model]  # fmt: skip
    notice = "crf: no --parse, so the text is parsed as English\n"
    done = run(*train)
    assert done.returncode == 0 and notice in done.stderr
    done = run(*train, "--parse", trees)
    assert done.returncode == 0 and notice not in done.stderr
    apply = ["apply", "--model", model, "--source", text, "--as", "order"]
    done = run(*apply)
    assert done.returncode == 0 and done.stderr == notice
    assert run(*apply, "--quiet").stderr == ""
    done = run(*apply, "--parse", trees)
    assert done.returncode == 0 and not done.stderr
    calibration = ["calibration", model, "--source", text, "--align", str(tmp_path / "links")]
    assert run(*calibration, "--parse", trees).returncode == 0
    found = [Permutation.from_order(list(map(int, line.split()))) for line in done.stdout.splitlines()]
    assert sum(a == b for a, b in zip(found, wanted(alignments), strict=True)) > 140
