"""Agreement of the metric ``meteor`` with the program METEOR 1.5.

    python -m benchmarks.quality.meteor --data FOLDER ... --meteor METEOR.jar [--paraphrases FILE.gz]

The program scores 2,000 outputs of each set (as benchmarks/quality/match.py does) and writes its alignments.
Both use the program's function words, synonyms and paraphrases. Printed for each choice of stages: how many
segments have the same alignment and how many the same score, the largest difference of scores where the
alignments are the same and where our formula is given the program's alignments, and the scores of the corpus.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.quality.match import Pair, languages, real
from wordorder.align.matches import Matches
from wordorder.arrays import Doubles
from wordorder.metrics.meteor import Meteor
from wordorder.metrics.segments import MatchedTexts, Segments
from wordorder.report.table import text_table

STAGES = ("exact", "stem", "synonym", "paraphrase")
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Printed:
    """What the program prints: scores and links of segments, and the score of the corpus."""

    scores: Doubles
    links: list[list[tuple[int, int, int, int, int]]]  # i, words, j, words, stage
    corpus: float


def program(jar: str, metric: Meteor, pairs: list[Pair]) -> Printed:
    stages = metric.match.partition("@")[0].split("+")
    weights = [1.0, *(getattr(metric.parameters, f"{stage}_weight") for stage in stages[1:])]
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder, side)) for side in ("hyp", "ref")]
        for k, name in enumerate(names):
            Path(name).write_text("".join(pair[k] + "\n" for pair in pairs), encoding="utf-8")
        command = ["java", "-Xmx4G", "-Dfile.encoding=UTF-8", "-jar", jar, *names, "-q", "-writeAlignments"]
        command += ["-l", metric.language, "-m", " ".join(stages), "-w", " ".join(map(str, weights))]
        command += ["-f", f"{folder}/out"] + (["-a", metric.paraphrases] if "paraphrase" in stages else [])
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        blocks = re.split(r"(?m)^(?=Alignment\t)", Path(folder, "out-align.out").read_text("utf-8"))[1:]
    scores, links = [], []
    for block in blocks:
        lines = block.split("\n")
        scores.append(float(lines[0].split("\t")[-1]))
        fields = [re.split(r"[:\t]+", line) for line in lines[4:] if line.strip()]
        links.append([(int(f[2]), int(f[3]), int(f[0]), int(f[1]), int(f[4])) for f in fields])
    return Printed(np.array(scores), links, float(done.stdout.split()[-1]))


def as_matches(ours: Matches, links: list[list[tuple[int, int, int, int, int]]]) -> Matches:
    """The program's alignment in our form."""
    positions, stages = np.full_like(ours.positions, -1), np.full_like(ours.stages, -1)
    reference_stages = np.full_like(ours.reference_stages, -1)
    for s, segment in enumerate(links):
        left, right = int(ours.offsets[s]), int(ours.reference_offsets[s])
        for i, n, j, m, stage in segment:
            stages[left + i : left + i + n] = stage
            reference_stages[right + j : right + j + m] = stage
            positions[left + i : left + i + min(n, m)] = np.arange(j, j + min(n, m))
    return Matches(positions, ours.offsets, stages, ours.reference_offsets, reference_stages, ours.exact)


def compare(jar: str, metric: Meteor, pairs: list[Pair]) -> list[float]:
    segments = Segments([hyp for hyp, _ in pairs], [[ref for _, ref in pairs]])
    (matched,) = segments.matched(metric.matching)
    texts = matched.texts
    assert texts is not None
    rows, scores = metric.reference_statistics(matched)
    printed = program(jar, metric, pairs)
    theirs = as_matches(texts.matches, printed.links)
    given = MatchedTexts(texts.words, texts.hypotheses, texts.references, theirs, texts.stages)
    _, formula = metric.reference_statistics(given.matched())
    same = np.ones(len(pairs), np.bool_)
    for s in range(len(pairs)):
        for name in ("positions", "stages"):
            part = slice(int(texts.matches.offsets[s]), int(texts.matches.offsets[s + 1]))
            same[s] &= np.array_equal(getattr(texts.matches, name)[part], getattr(theirs, name)[part])
        part = slice(int(theirs.reference_offsets[s]), int(theirs.reference_offsets[s + 1]))
        same[s] &= np.array_equal(texts.matches.reference_stages[part], theirs.reference_stages[part])
    away, away_given = np.abs(scores - printed.scores), np.abs(formula - printed.scores)
    corpus = float(metric.scores(rows.sum(axis=0, keepdims=True))[0])
    return [
        len(pairs), float(same.sum()), float((away < SAME).sum()), float(away[same].max(initial=0)),
        float(away_given.max()), float(away.sum()), corpus * len(pairs), printed.corpus * len(pairs),
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="FOLDER")
    parser.add_argument("--pairs", help="such as de-en,fr-en; default: all into English")
    parser.add_argument("--count", type=int, default=2000, help="outputs of each set")
    parser.add_argument("--meteor", metavar="JAR", required=True)
    parser.add_argument("--paraphrases", metavar="FILE")
    parser.add_argument(
        "--ties", default="meteor", help="how alignments are compared: distance, first or meteor"
    )
    options = parser.parse_args()
    wanted = options.pairs.split(",") if options.pairs else None
    sets = [
        real(folder, pair, options.count)
        for folder in options.data
        for pair in languages(folder)
        if (pair in wanted if wanted else pair.endswith("-en"))
    ]
    language = wanted[0].split("-")[-1] if wanted else "en"
    head = ["stages", "segments", "same alignment", "same score", "largest difference if same",
            "formula on METEOR's alignment", "mean difference", "corpus", "METEOR's"]  # fmt: skip
    table = [head]
    with tempfile.TemporaryDirectory() as folder:
        names = ["synonym/english.synsets", "synonym/english.exceptions"]
        zipfile.ZipFile(options.meteor).extractall(folder, names)
        for count in range(1, 5 if options.paraphrases else 4):
            match = "+".join(STAGES[:count])
            metric = Meteor(
                match=f"{match}@{options.ties}", language=language, tokenize="none",
                wordnet=f"{folder}/synonym", paraphrases=options.paraphrases or "",
                function_words=options.meteor,
            )  # fmt: skip
            found = np.array([compare(options.meteor, metric, pairs) for pairs in sets])
            total, n = found.sum(axis=0), found[:, 0].sum()
            shares = [f"{100 * part / n:.1f} %" for part in total[1:3]]
            largest = [f"{found[:, k].max():.0e}" for k in (3, 4)]
            means = [f"{total[5] / n:.4f}", *(f"{part / n:.4f}" for part in total[6:])]
            table.append([match, f"{n:.0f}", *shares, *largest, *means])
            print(text_table([table[0], table[-1]]), flush=True)


if __name__ == "__main__":
    main()
