"""Write the word orders of rated translation systems, for the ratings of docs/results/evaluating.md.

    python -m experiments.rated_orders JUDGMENTS FOLDER --pair zh-en [--testset newstest2021]

JUDGMENTS are a set of human ratings that ``wordorder judge`` reads. Sources, references and outputs are
tokenised, and one aligner is trained on the source with the reference and with all outputs. The links of an
output give the order into which its system brings the source words, those of the reference the reference
order (both by the policy talbot). FOLDER gets source, reference, reference.align, ratings.tsv, and for each
system NAME.order and NAME.txt. Segments without an output of some system are left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from wordorder.align.bilingual import train_aligner
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.io.ratings import Rating
from wordorder.io.read_write import write_records
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_sets
from wordorder.text.segmentation import tokenizer_for
from wordorder.text.tokens import sacrebleu_tokenizer

HUMAN = "people"  # the ratings of these sets are means over raters


def tokenised(lines: list[str]) -> list[str]:
    """Split text into words by the tokenizer of its script."""
    split = sacrebleu_tokenizer(tokenizer_for(lines) or "intl")
    return [" ".join(split(line).split()) for line in lines]


def outputs_of(judgments: Judgments) -> tuple[list[int], dict[str, list[str]]]:
    """Return the segments that all machine systems translated, and the translations of each."""
    systems = [name for name in judgments.systems if name not in judgments.human]
    texts: dict[tuple[int, str], str] = {}
    for segment, system, text in zip(
        judgments.item_segment.tolist(), judgments.item_system.tolist(), judgments.outputs, strict=True
    ):
        if text is not None:
            texts[segment, judgments.systems[system]] = text
    complete = [s for s in range(len(judgments.segments)) if all((s, name) in texts for name in systems)]
    return complete, {name: [texts[s, name] for s in complete] for name in systems}


def write(judgments: Judgments, folder: Path, threads: int) -> None:
    """Write all files of one set."""
    if judgments.sources is None or judgments.rated is None:
        raise SystemExit(f"{judgments.name} has no sources or no ratings")
    segments, outputs = outputs_of(judgments)
    source = tokenised([judgments.sources[s] for s in segments])
    texts = {"reference": [judgments.references[0][s] for s in segments], **outputs}
    words = {name: tokenised(lines) for name, lines in texts.items()}
    model = train_aligner(
        source * len(words), [line for lines in words.values() for line in lines], threads=threads
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_records(str(folder / "source"), source, "text")
    for name, lines in words.items():
        alignments = list(model.align(source, lines, threads=threads))
        if name == "reference":
            write_records(str(folder / "reference"), lines, "text")
            text = "".join(" ".join(f"{i}-{j}" for i, j in one.links) + "\n" for one in alignments)
            (folder / "reference.align").write_text(text, encoding="utf-8")
            continue
        ranks = orders_from_links(alignments, "talbot").ranks
        orders = [Permutation.from_order(np.argsort(rank, kind="stable")) for rank in ranks]
        write_records(str(folder / f"{name}.order"), orders, "order:empty=true")
        write_records(str(folder / f"{name}.txt"), lines, "text")
    place = {segment: number for number, segment in enumerate(segments, start=1)}
    rated = judgments.rated
    rows = []
    for item, score in zip(rated.item.tolist(), rated.score.tolist(), strict=True):
        segment, system = int(judgments.item_segment[item]), judgments.systems[judgments.item_system[item]]
        if segment in place and system in outputs:
            rows.append(Rating(system, place[segment], HUMAN, score))
    write_records(str(folder / "ratings.tsv"), rows, "ratings")


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judgments")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pair", required=True)
    parser.add_argument("--testset", default="newstest2021")
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    for judgments in read_sets([chosen.judgments]):
        if (judgments.pair, judgments.testset) == (chosen.pair, chosen.testset):
            write(judgments, chosen.folder, chosen.threads)
            return
    raise SystemExit(f"{chosen.judgments} has no {chosen.pair} {chosen.testset}")


if __name__ == "__main__":
    main()
