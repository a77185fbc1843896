"""Matching words: agreement with METEOR 1.5's own matcher.

    python -m benchmarks.quality.match --data FOLDER ... --meteor METEOR.jar [--exact] [--paraphrases FILE.gz]

A FOLDER has the outputs of translation systems (segments.tsv.gz, outputs.tsv.gz); the jar is part of
METEOR 1.5 and of the Python package pycocoevalcap. Agreement is on 2,000 outputs of each set, with a reason
for every difference.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from wordorder.align.matcher import Matcher
from wordorder.report.table import text_table
from wordorder.text.tokens import Words

Pair = tuple[str, str]
Link = tuple[int, int]
Options = tuple[str, ...]

# How METEOR's program ranks alignments (version 1.5, from its published source):
#  1. words that count. A link of `exact` counts for one on each side. Other stages have weight 0.5, and the
#     sum is cut to a whole number at each link, so that a link of one word counts for nothing. With
#     `-t maxacc` stems and synonyms have weight 1.
#  2. chunks.
#  3. a charge, where distance is meant: each reference word j pays |i - j| not for the hypothesis word i that
#     it is linked with but for the free candidates before i, or for all of them if it is not linked.
# Words that are each other's only candidate are linked in any case.
REASONS = {
    "candidates": "a link is allowed by one program only",
    "lost words": "METEOR's search: our alignment has more words that count, by METEOR's own rank",
    "lost chunks": "METEOR's search: as many words that count, and ours has fewer chunks",
    "lost tie": "METEOR's search: as many words and chunks, and ours has less of METEOR's charge",
    "weights": "METEOR's rank prefers its alignment, as links of stages other than exact count for nothing",
    "tie rule": "as many words and chunks; METEOR's charge prefers its alignment",
    "order": "METEOR's rank is the same for both",
    "ours lost": "our search: METEOR's alignment has more links, or as many in fewer chunks",
}
PLAIN = {  # without METEOR's rank
    "fewer links": "METEOR's alignment has fewer links",
    "more chunks": "as many links, and METEOR's are in more chunks",
    "other tie": "as many links and chunks",
    "more links": "METEOR's alignment has more links, or as many in fewer chunks",
}


def rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines][1:]


def languages(folder: Path) -> list[str]:
    return sorted({row[0] for row in rows(folder / "segments.tsv.gz")})


def real(folder: Path, pair: str, count: int) -> list[Pair]:
    """Some outputs of all systems, with a fixed seed; 13a words in lower case."""
    refs = {(row[1], row[2]): row[-1] for row in rows(folder / "segments.tsv.gz") if row[0] == pair}
    outputs = [
        (row[-1], refs[row[1], row[2]])
        for row in rows(folder / "outputs.tsv.gz")
        if row[0] == pair and (row[1], row[2]) in refs
    ]
    random.Random(2013).shuffle(outputs)
    table = Words("13a", lowercase=True)
    hyps, ids = [table.encode([o[k] for o in outputs[:count]]) for k in (0, 1)], table.words
    text = [[" ".join(ids[w] for w in line) for line in tokens] for tokens in hyps]
    return list(zip(*text, strict=True))


def meteor(jar: str, language: str, pairs: list[Pair], stages: Options, options: Options) -> list[set[Link]]:
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder, side)) for side in ("hyp", "ref")]
        for k, name in enumerate(names):
            Path(name).write_text("".join(pair[k] + "\n" for pair in pairs), encoding="utf-8")
        command = ["java", "-Xmx4G", "-Dfile.encoding=UTF-8", "-cp", jar, "Matcher", *names, "-l", language]
        done = subprocess.run([*command, "-m", " ".join(stages), *options], capture_output=True, check=True)
    found = []
    for block in re.split(r"(?m)^Alignment \d+.*\n", done.stdout.decode("utf-8"))[1:]:
        links: set[Link] = set()
        for line in block.split("\n")[3:]:
            if line.strip():
                (j, ref), (i, hyp) = (map(int, field.split(":")) for field in line.split()[:2])
                links |= {(i + k, j + k) for k in range(min(ref, hyp))}
        found.append(links)
    return found


def objective(links: set[Link]) -> tuple[int, int]:
    return -len(links), sum((i - 1, j - 1) not in links for i, j in links)


FRAME = "|||"  # no word of any stage


@dataclass
class Allowed:
    """The words, not equal, that each program allows to be linked.

    Pairs of words are tried alone, by METEOR between two equal words: there any candidate saves a chunk.
    """

    jar: str
    matcher: Matcher  # for its language and files
    by_meteor: dict[str, set[Pair]] = field(default_factory=dict)
    by_us: dict[str, set[Pair]] = field(default_factory=dict)
    tried: dict[str, set[Pair]] = field(default_factory=dict)

    def try_all(self, stage: str, sentences: Iterable[Pair], options: Options) -> None:
        tried = self.tried.setdefault(stage, set())
        new = {(h, r) for hyp, ref in sentences for h in set(hyp.split()) for r in set(ref.split()) if h != r}
        pairs = sorted(new - tried)
        tried |= new
        framed = [(f"{FRAME} {h} {FRAME}{FRAME}", f"{FRAME} {r} {FRAME}{FRAME}") for h, r in pairs]
        theirs = meteor(self.jar, self.matcher.language, framed, ("exact", stage), options) if pairs else []
        by_meteor = {pair for pair, links in zip(pairs, theirs, strict=True) if (1, 1) in links}
        table = Words()
        hyp, ref = table.encode([h for h, _ in pairs]), table.encode([r for _, r in pairs])
        ours = replace(self.matcher, stages=(stage,)).match(hyp, ref, table).positions.tolist()
        by_us = {pair for pair, place in zip(pairs, ours, strict=True) if place >= 0}
        self.by_meteor.setdefault(stage, set()).update(by_meteor)
        self.by_us.setdefault(stage, set()).update(by_us)

    def candidates(self, pair: Pair, stages: Options) -> list[list[Link]]:
        """Of each reference word: stage and place of the hypothesis words that METEOR allows."""
        hyp, ref = pair[0].split(), pair[1].split()
        allowed = [self.by_meteor.get(stage, set()) for stage in stages]
        return [
            [
                (k, i)
                for k in range(len(stages))
                for i, h in enumerate(hyp)
                if ((h, r) in allowed[k] if k else h == r)
            ]
            for r in ref
        ]


def meteors_rank(links: set[Link], candidates: list[list[Link]], weights: list[int]) -> tuple[int, int, int]:
    """Words that count (more is better, so negative), chunks, charge: see above."""
    partner = {j: i for i, j in links}
    used: set[int] = set()
    words = charge = 0
    for j, places in enumerate(candidates):
        for stage, i in places:
            if i in used:
                continue
            if partner.get(j) == i:
                words += weights[stage]
                used.add(i)
                break
            charge += abs(i - j)
    return -words, objective(links)[1], charge


def reason(pair: Pair, mine: set[Link], theirs: set[Link], run: Run, allowed: Allowed) -> str:
    hyp, ref = pair[0].split(), pair[1].split()
    for i, j in mine ^ theirs:
        by = allowed.by_meteor if (i, j) in mine else allowed.by_us
        if hyp[i] != ref[j] and not any((hyp[i], ref[j]) in by[stage] for stage in run.stages[1:]):
            return "candidates"
    if objective(theirs) < objective(mine):
        return "ours lost"
    candidates = allowed.candidates(pair, run.stages)
    weights = [1] + [int("maxacc" in run.options)] * (len(run.stages) - 1)
    a, b = meteors_rank(mine, candidates, weights), meteors_rank(theirs, candidates, weights)
    if a[:2] < b[:2]:
        return "lost words" if a[0] < b[0] else "lost chunks"
    if b[:2] < a[:2] or objective(mine) != objective(theirs):
        return "weights"
    if run.paraphrases:  # an entry may be in the table twice, and the charge be more than it is here
        return "other tie"
    return "lost tie" if a < b else "tie rule" if b < a else "order"


def plain_reason(mine: set[Link], theirs: set[Link]) -> str:
    a, b = objective(mine), objective(theirs)
    return (
        "more links" if b < a else "fewer links" if a[0] < b[0] else "more chunks" if a < b else "other tie"
    )


@dataclass(frozen=True)
class Run:
    """A setting of both programs."""

    stages: Options
    ties: Literal["distance", "first"] = "first"
    options: Options = ()  # METEOR's
    paraphrases: str | None = None
    phrases: bool = False  # links are of phrases: METEOR's rank is not known

    @property
    def reasons(self) -> list[str]:
        if self.phrases:
            return list(PLAIN)
        ties = {"lost tie", "tie rule", "order"} if self.paraphrases else {"other tie"}
        return [kind for kind in (*REASONS, "other tie") if kind not in ties]

    @property
    def name(self) -> str:
        stages = "+".join(self.stages) + (" of one word" if self.paraphrases and not self.phrases else "")
        return f"{stages}, ties {self.ties}, METEOR {' '.join(self.options) or '-x 40'}"


EXACT = [
    Run(("exact",)),
    Run(("exact",), options=("-x", "1000")),
    Run(("exact",), ties="distance"),
]
ENGLISH = [
    Run(stages, options=options)
    for stages in (("exact", "stem"), ("exact", "synonym"), ("exact", "stem", "synonym"))
    for options in ((), ("-t", "maxacc"), ("-t", "maxacc", "-x", "1000"))
]


LONGEST = 5  # lengths are counted by tens, those of 50 words and more together


def words_only(table: str, path: str) -> str:
    """The entries of a paraphrase table that are of one word on both sides, as another file."""
    with gzip.open(table, "rt", encoding="utf-8") as lines, gzip.open(path, "wt", encoding="utf-8") as out:
        for entry in zip(lines, lines, lines, strict=True):
            if len(entry[1].split()) == len(entry[2].split()) == 1:
                out.writelines(entry)
    return path


def compare(pairs: list[Pair], run: Run, jar: str, allowed: Allowed) -> Counter[str]:
    words = Words()
    hyp, ref = words.encode([h for h, _ in pairs]), words.encode([r for _, r in pairs])
    matcher = replace(allowed.matcher, stages=run.stages, ties=run.ties, paraphrases=run.paraphrases)
    table = ("-a", run.paraphrases) if run.paraphrases else ()
    ours, count = matcher.match(hyp, ref, words), Counter[str]()
    theirs = meteor(jar, matcher.language, pairs, run.stages, (*run.options, *table))
    mine = [set(ours.alignment(s, int(ref.lengths[s])).links) for s in range(len(pairs))]
    different = [s for s, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    count["pairs"], count["same"] = len(pairs), len(pairs) - len(different)
    count["best"], count["words"] = int(ours.exact.sum()), int(ref.lengths.sum())
    for a, b, length in zip(mine, theirs, ref.lengths.tolist(), strict=True):
        count["links"] += len(b)
        count["same links"] += len(a & b)
        size = min(length // 10, LONGEST)
        count[f"pairs {size}"] += 1
        count[f"same {size}"] += a == b
    if run.phrases:
        return count + Counter(plain_reason(mine[s], theirs[s]) for s in different)
    for stage in run.stages[1:]:
        allowed.matcher = replace(allowed.matcher, paraphrases=run.paraphrases)
        allowed.try_all(stage, (pairs[s] for s in different), table)
    return count + Counter(reason(pairs[s], mine[s], theirs[s], run, allowed) for s in different)


def agreement(sets: dict[str, list[Pair]], runs: list[Run], jar: str, wordnet: str) -> None:
    """For each setting a table, with a line for each set and one for all."""
    counts: dict[Run, dict[str, Counter[str]]] = {run: {} for run in runs}
    for name, pairs in sets.items():
        language = name.split("-")[-1]
        allowed = Allowed(jar, Matcher(language=language, wordnet=wordnet))
        for run in runs if language == "en" else EXACT:
            counts[run][name] = compare(pairs, run, jar, allowed)
        print(f"{name} done", file=sys.stderr)
    for run, found in counts.items():
        table = [[run.name, "pairs", "words", "same", "same %", "links %", "known best %", *run.reasons]]
        found["all"] = sum(found.values(), Counter[str]())
        for name, count in found.items():
            parts = ("same", "pairs"), ("same links", "links"), ("best", "pairs")
            shares = [f"{100 * count[a] / count[b]:.1f}" if count[b] else "-" for a, b in parts]
            words = f"{count['words'] / max(1, count['pairs']):.0f}"
            numbers = [str(count[kind]) for kind in run.reasons]
            table.append([name, str(count["pairs"]), words, str(count["same"]), *shares, *numbers])
        print(text_table(table))
    sizes = range(LONGEST + 1)
    names = [f"{10 * size}-{10 * size + 9} words" for size in sizes[:-1]] + [f"{10 * LONGEST}- words"]
    table = [["same %, all sets, by length of the reference", *names]]
    for run, found in counts.items():
        count = found["all"]
        bins = [(count[f"same {size}"], count[f"pairs {size}"]) for size in sizes]
        table.append([run.name, *(f"{100 * a / b:.1f} of {b}" if b else "-" for a, b in bins)])
    print(text_table(table))
    for kind, meaning in (PLAIN | REASONS).items():
        print(f"{kind}: {meaning}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="FOLDER")
    parser.add_argument("--pairs", help="such as de-en,fr-en; default: all that a set has")
    parser.add_argument("--count", type=int, default=2000, help="outputs of each set")
    parser.add_argument("--meteor", metavar="JAR", required=True)
    parser.add_argument("--exact", action="store_true", help="compare the stage exact only")
    parser.add_argument("--paraphrases", metavar="FILE")
    options = parser.parse_args()
    wanted = options.pairs.split(",") if options.pairs else None
    sets = {
        f"{folder.name} {pair}": real(folder, pair, options.count)
        for folder in options.data
        for pair in languages(folder)
        if wanted is None or pair in wanted
    }
    runs = EXACT if options.exact else EXACT + ENGLISH
    with tempfile.TemporaryDirectory() as folder:
        names = ["synonym/english.synsets", "synonym/english.exceptions"]
        zipfile.ZipFile(options.meteor).extractall(folder, names)
        if options.paraphrases and not options.exact:
            single = words_only(options.paraphrases, f"{folder}/words.gz")
            stages = ("exact", "paraphrase")
            runs = [*runs, Run(stages, paraphrases=single)]
            runs += [Run(stages, paraphrases=options.paraphrases, phrases=True)]
        agreement(sets, runs, options.meteor, f"{folder}/synonym")


if __name__ == "__main__":
    main()
