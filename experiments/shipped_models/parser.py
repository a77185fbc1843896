"""Train the parser that comes with wordorder-models.

    python -m experiments.shipped_models.parser PARALLEL TREEBANKS JUDGMENTS [--out HOME] [--limit N] [--card]

PARALLEL and JUDGMENTS hold raw English text, TREEBANKS holds ``en-ewt`` and ``en-gum``. Training needs torch
and a GPU. Four large networks, the teachers, learn from the treebanks. Where the mean of their probabilities
gives a tree to a sentence of the raw text, and they are certain enough of it, a small network learns from
this tree, and at last from the treebanks. It is written to models/wordorder_models or to HOME;
``python -m tools.model_catalogue`` then lists it. With ``--card`` nothing is trained: the shipped parser is
tested, and its card is written again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.shipped_models import PARSERS as HOME
from experiments.shipped_models.parser_text import raw_text
from wordorder.evaluate.columns import ComparisonSettings
from wordorder.io.model_folder import CARD as CARD_FILE
from wordorder.io.read_write import read_records
from wordorder.io.sentence import Row, Sentence
from wordorder.parse.models import load_parser, save_parser
from wordorder.parse.network import TrainedParser
from wordorder.parse.recipe import ParserRecipe
from wordorder.report.parsers import accuracy_table, tested
from wordorder.report.table import write_table

TREEBANKS = ("en-ewt", "en-gum")
TEACHERS = (1, 2, 3, 4)  # seeds
TEACHER = ParserRecipe(
    max_words=30_000, buckets=32_768, word_size=150, piece_size=100, units=400, layers=3, arc_size=400,
    relation_size=100, dropout=0.4, epochs=40, pretraining_epochs=6,
)  # fmt: skip
STUDENT = ParserRecipe(dropout=0.2, word_dropout=0.05, silver_epochs=8, epochs=12, pretraining_epochs=3)
STUDENT_SEED = 7
LEAST = -0.5  # mean log probability of the heads of a tree
BATCH_WORDS = 12_000

CARD = """\
# en: a tagger and dependency parser of English

A bidirectional LSTM (two layers of 256 units) over words, character n-grams and case, with bilinear scores of
heads and relations; trees are found exactly. Weights are stored in 8 bits. Applying it requires neither torch
nor a GPU; see docs/parsing.md.

    wordorder preorder parse --source FILE -o FILE.conllu

Labels are those of Universal Dependencies (UPOS, relations) and of the Penn Treebank (XPOS).

## Data

- Trees: the training parts of UD English EWT 2.15 (annotations CC BY-SA 4.0) and UD English GUM (only genres
  under CC BY or in the public domain).
- Raw text: the English sides of KFTT (CC BY-SA 3.0), Tatoeba (CC BY 2.0 FR), NTREX-128 (CC BY-SA 4.0), UD
  English-ATIS (CC BY-SA 4.0), samples of WMT and WPT, Multi30k and small_parallel_enja, and the English
  sentences of the judgments of WMT.
- Not read: the sentences of all sets that models are tested on, among them Parallel UD, XL-WA, and the
  development parts of KFTT and of the treebanks. Such sentences were also taken out of the raw text.

The model is available under CC BY-SA 4.0; it does not contain the text itself.

## Accuracy

On the development parts, with the words of the treebanks, as they are and in lower case; percent of all
words, including punctuation. The same parts served to choose the size of the network.

{table}
## Limits

- The treebanks hold web text, mail, news, interviews and textbooks. Accuracy on other kinds of text, such as
  encyclopedias and old books, is not known.
- Input must be tokenised. Tokens of other conventions are split by rules, which are not tested for accuracy.
- There are no lemmas and no morphological features; rules that ask for these do not fire.
- A sentence of more than 200 words is parsed in pieces.

## Training

{made}
"""
MADE = """\
Four networks (three layers of 400 units) learned from the treebanks, after they had guessed hidden words of
the raw text. Where the mean of their probabilities gave a tree to a sentence of the raw text, with a mean log
probability of its heads of at least -0.5, the shipped network learned from this tree, and at last from the
treebanks. `python -m experiments.shipped_models.parser PARALLEL TREEBANKS JUDGMENTS` does this. On a GPU,
results are not bit-identical, because the order of summation varies.
"""


def trees_of(treebanks: Path, part: str, limit: int | None = None) -> dict[str, list[Sentence]]:
    """Read one part of all treebanks."""
    return {
        name: list(read_records(str(treebanks / name / f"{part}.conllu.gz"), "conllu"))[:limit]
        for name in TREEBANKS
    }


def print_record(record: dict[str, Any]) -> None:
    """Print the progress of training."""
    print(record, flush=True)


def common_trees(trainer: Any, models: Sequence[Any], text: Sequence[Sequence[str]]) -> Iterator[Sentence]:
    """Yield the trees that several networks find together, if they are certain enough of them."""
    import torch

    from wordorder.parse.examples import text_examples

    examples = list(text_examples(text, trainer.types))
    by_length = sorted(range(len(text)), key=lambda s: -len(text[s]))
    start = 0
    while start < len(by_length):
        size = max(1, BATCH_WORDS // (len(text[by_length[start]]) + 2))
        group = by_length[start : start + size]
        start += size
        batch, _ = trainer.batch([examples[s] for s in group])
        with torch.no_grad():
            scores = [model(batch) for model in models]
            heads = torch.stack([each.heads.softmax(-1) for each in scores]).mean(0)
            chances, chosen = heads.max(-1)
            relations = torch.stack(
                [
                    model.relations(each.states, chosen).softmax(-1)
                    for model, each in zip(models, scores, strict=True)
                ]
            )
            upos, xpos = (
                torch.stack([getattr(each, name).softmax(-1) for each in scores]).mean(0).argmax(-1)
                for name in ("upos", "xpos")
            )
            columns = [each.cpu().numpy() for each in (upos, xpos, chosen, relations.mean(0).argmax(-1))]
            certainty = chances.log().cpu().numpy()
        for row, s in enumerate(group):
            n = len(text[s])
            found = [column[row, :n] for column in columns]
            if is_tree(found[2]) and certainty[row, :n].mean() >= LEAST:
                yield tree_of(text[s], *found, labels=trainer.labels)


def is_tree(heads: np.ndarray) -> bool:
    """Whether all words lead to the root, which has one dependent.

    >>> is_tree(np.array([2, 0])), is_tree(np.array([2, 1])), is_tree(np.array([0, 0]))
    (True, False, False)
    """
    above = np.concatenate([[0], heads])
    for _ in range(int(np.log2(len(above))) + 1):
        above = above[above]
    return bool((heads == 0).sum() == 1 and not above.any())


def tree_of(
    words: Sequence[str], upos: Any, xpos: Any, heads: Any, relations: Any, *, labels: Any
) -> Sentence:
    """Make a tree of numbers."""
    rows = []
    for w, word in enumerate(words):
        tags = labels.upos[upos[w]], labels.xpos[xpos[w]]
        rows.append(Row(str(w + 1), word, "_", *tags, "_", str(heads[w]), labels.relations[relations[w]]))
    return Sentence(rows)


def train(options: argparse.Namespace) -> TrainedParser:
    """Train the teachers, let them parse the raw text, and train the network that is shipped."""
    from wordorder.neural.device import training_device
    from wordorder.parse.training import ParserTrainer

    device = training_device("auto")
    text = raw_text(options.parallel, options.treebanks, options.judgments)[: options.limit]
    treebank = [
        tree for trees in trees_of(options.treebanks, "train", options.limit).values() for tree in trees
    ]
    print(f"{len(treebank):,} trees, {len(text):,} sentences of raw text", flush=True)
    trainer = ParserTrainer(options.teacher, treebank, raw=text, device=device, log=print_record)
    teachers = [trainer.train(seed) for seed in TEACHERS]
    silver = list(common_trees(trainer, teachers, text))
    print(f"{len(silver):,} trees found by the teachers", flush=True)
    last = ParserTrainer(options.student, treebank, silver=silver, device=device, log=print_record)
    return last.trained(last.train(STUDENT_SEED)).rounded()


def card(parser: TrainedParser, treebanks: Path) -> str:
    """Test a parser, and write its card."""
    tests = [
        tested(name, trees, replace(parser, split=False), ComparisonSettings(samples=0))
        for name, trees in trees_of(treebanks, "dev").items()
    ]
    table = write_table(replace(accuracy_table(tests), notes=()), "markdown").decode()
    print(table, flush=True)
    return CARD.format(table=table, made=MADE.rstrip())


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the parser, or only write its card."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("parallel", "treebanks", "judgments"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--out", type=Path, default=HOME, help="folder of the models")
    parser.add_argument("--card", action="store_true", help="train nothing, and write the card again")
    parser.add_argument(
        "--limit", type=int, help="use only the first sentences, and small networks, for a trial"
    )
    options = parser.parse_args(arguments)
    if options.card:
        text = card(load_parser(str(HOME / "en")), options.treebanks)
        (options.out / "en" / CARD_FILE).write_text(text, encoding="utf-8")
        return
    small = {"units": 16, "epochs": 1, "pretraining_epochs": 1, "silver_epochs": 1} if options.limit else {}
    options.teacher, options.student = replace(TEACHER, **small), replace(STUDENT, **small)
    trained = train(options)
    about = {"treebanks": list(TREEBANKS), "seed": STUDENT_SEED, "recipe": asdict(options.student)}
    save_parser(trained, options.out / "en", trained=about, card=card(trained, options.treebanks))


if __name__ == "__main__":
    main()
