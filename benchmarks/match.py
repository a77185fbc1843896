"""Matching words: speed, and agreement with METEOR 1.5's own matcher.

    python benchmarks/match.py [--data FOLDER] [--meteor METEOR.jar [--paraphrases FILE.gz]]

FOLDER has WMT13's rankings (segments.tsv.gz, outputs.tsv.gz); the jar is part of METEOR 1.5 and of the Python
package pycocoevalcap. Without data, sentences are made up. One core, best of several runs.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
import subprocess
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from wordorder.align.matcher import Matcher
from wordorder.align.ribes import RibesMatcher
from wordorder.report.table import text_table
from wordorder.text.tokens import Words

Pair = tuple[str, str]
Link = tuple[int, int]


def made_up(n: int, count: int) -> list[Pair]:
    """Words with the frequencies of Zipf's law; hypotheses move, change and drop some."""
    rng = random.Random(n)
    words = [f"w{k}" for k in range(20_000)]
    weights = [1 / (k + 1) for k in range(len(words))]
    pairs = []
    for _ in range(count):
        ref = rng.choices(words, weights, k=n)
        hyp = [w if rng.random() < 0.8 else rng.choices(words, weights)[0] for w in ref]
        cut = rng.randrange(n)
        hyp = hyp[cut:] + hyp[:cut] if rng.random() < 0.3 else hyp
        pairs.append((" ".join(hyp), " ".join(ref)))
    return pairs


def rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines][1:]


def real(folder: Path, pair: str, count: int) -> list[Pair]:
    """Some outputs of all systems, with a fixed seed; 13a words in lower case."""
    refs = {row[2]: row[-1] for row in rows(folder / "segments.tsv.gz") if row[0] == pair}
    outputs = [
        (row[-1], refs[row[2]])
        for row in rows(folder / "outputs.tsv.gz")
        if row[0] == pair and row[2] in refs
    ]
    random.Random(2013).shuffle(outputs)
    table = Words("13a", lowercase=True)
    hyps, ids = [table.encode([o[k] for o in outputs[:count]]) for k in (0, 1)], table.words
    text = [[" ".join(ids[w] for w in line) for line in tokens] for tokens in hyps]
    return list(zip(*text, strict=True))


def rate(pairs: list[Pair], matcher: Matcher | RibesMatcher, *, repeat: int = 5) -> float:
    table = Words()
    hyp, ref = table.encode([h for h, _ in pairs]), table.encode([r for _, r in pairs])
    work: Callable[[], object] = lambda: matcher.match(hyp, ref, table).permutations()  # noqa: E731
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return len(pairs) / best


def speed(sets: dict[str, list[Pair]]) -> None:
    table = [["pairs per second, with permutations()", "words", "exact", "exact+stem", "ribes"]]
    for name, pairs in sets.items():
        words = sum(len(h.split()) for h, _ in pairs) / len(pairs)
        matchers = (Matcher(), Matcher(stages=("exact", "stem")), RibesMatcher())
        table.append([name, f"{words:.0f}", *(f"{rate(pairs, m):,.0f}" for m in matchers)])
    print(text_table(table))
    lines = [["one line of 5,000 words", "seconds"]]
    rng = random.Random(0)
    for name, size in (("equal words", 1), ("two words", 2), ("thirty words", 30), ("2,000 words", 2000)):
        pair = [" ".join(str(rng.randrange(size)) for _ in range(5000)) for _ in range(2)]
        lines.append([name, f"{1 / rate([(pair[0], pair[1])], Matcher(), repeat=2):.3f}"])
    print(text_table(lines))


def meteor(jar: str, pairs: list[Pair], stages: tuple[str, ...], extra: list[str]) -> list[set[Link]]:
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder, side)) for side in ("hyp", "ref")]
        for k, name in enumerate(names):
            Path(name).write_text("".join(pair[k] + "\n" for pair in pairs), encoding="utf-8")
        command = ["java", "-Xmx4G", "-Dfile.encoding=UTF-8", "-cp", jar, "Matcher", *names, "-l", "en"]
        done = subprocess.run([*command, "-m", " ".join(stages), *extra], capture_output=True, check=True)
    found = []
    for block in re.split(r"(?m)^Alignment \d+.*\n", done.stdout.decode("utf-8"))[1:]:
        links: set[Link] = set()
        for line in block.split("\n")[3:]:
            if line.strip():
                (j, ref), (i, hyp) = (map(int, field.split(":")) for field in line.split()[:2])
                links |= {(i + k, j + k) for k in range(min(ref, hyp))}
        found.append(links)
    return found


def objective(links: set[Link]) -> tuple[int, int, int]:
    chunks = sum((i - 1, j - 1) not in links for i, j in links)
    return -len(links), chunks, sum(abs(i - j) for i, j in links)


def agreement(name: str, pairs: list[Pair], jar: str, paraphrases: str | None) -> None:
    runs: list[tuple[tuple[str, ...], str, list[str]]] = [
        (("exact",), "first", []),
        (("exact",), "first", ["-x", "1000"]),
        (("exact",), "distance", []),
        (("exact", "stem"), "first", []),
        (("exact", "synonym"), "first", []),
        (("exact", "stem", "synonym"), "first", []),
    ]
    if paraphrases:
        runs.append((("exact", "paraphrase"), "first", ["-a", paraphrases]))
    head = f"{name}: {len(pairs)} pairs"
    table = [[head, "ties", "METEOR's beam", "same links", "same alignment", "same coverage and chunks",
              "ours better", "METEOR's better", "tie", "known best"]]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(jar).extractall(folder, ["synonym/english.synsets", "synonym/english.exceptions"])
        for stages, ties, extra in runs:
            matcher = Matcher(stages=stages, ties=ties, wordnet=f"{folder}/synonym", paraphrases=paraphrases)  # type: ignore[arg-type]
            words = Words()
            hyp, ref = words.encode([h for h, _ in pairs]), words.encode([r for _, r in pairs])
            ours, count = matcher.match(hyp, ref, words), Counter[str]()
            for s, theirs in enumerate(meteor(jar, pairs, stages, extra)):
                mine = set(ours.alignment(s, int(ref.lengths[s])).links)
                a, b = objective(mine)[:2], objective(theirs)[:2]
                count["links"] += len(theirs)
                count["same links"] += len(mine & theirs)
                count["same"] += mine == theirs
                count["equal"] += a == b
                count["ours" if a < b else "theirs" if b < a else "tie" if mine != theirs else ""] += 1
            shares = [
                count["same links"] / count["links"],
                count["same"] / len(pairs),
                count["equal"] / len(pairs),
            ]
            beam = extra[1] if "-x" in extra else "40"
            row = ["+".join(stages), ties, beam, *(f"{share:.3f}" for share in shares)]
            row += [str(count[kind]) for kind in ("ours", "theirs", "tie")]
            table.append([*row, f"{ours.exact.mean():.4f}"])
    print(text_table(table))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--meteor")
    parser.add_argument("--paraphrases")
    options = parser.parse_args()
    sets = {f"made up, {n} words": made_up(n, 200_000 // n) for n in (8, 25, 60)}
    if options.data:
        sets |= {f"WMT13 {pair}": real(options.data, pair, 20_000) for pair in ("de-en", "cs-en")}
    speed(sets)
    if options.data and options.meteor:
        for pair in ("de-en", "cs-en"):
            agreement(f"WMT13 {pair}", real(options.data, pair, 2000), options.meteor, options.paraphrases)


if __name__ == "__main__":
    main()
