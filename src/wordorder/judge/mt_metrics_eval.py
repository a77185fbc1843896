"""Test sets in the layout of mt-metrics-eval, version 2.

::

    sources/LP.txt   references/LP.NAME.txt   system-outputs/LP/SYSTEM.txt      a segment a line
    documents/LP.docs                                                           domain, document
    human-scores/LP.NAME.LEVEL.score   metric-scores/LP/METRIC-REF.LEVEL.score  system, score or None

In segment files each system has a block with a line for every segment. The layout is described in
the README of google-research/mt-metrics-eval.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.builder import Draft
from wordorder.judge.judgments import Judgments
from wordorder.judge.tsv import finite, lines

GOLD = ("mqm", "wmt-z", "wmt", "esa")  # the first there is, unless one is asked for
NONE = "ratings that say None"
OF_REFERENCE = "ratings of the reference itself"
UNUSED = "references that are not used"


@dataclass(frozen=True, eq=False)
class ItemScores:
    """Scores that someone else computed, one an item; where ``known`` is false there is none (and a 0)."""

    score: Doubles
    known: NDArray[np.bool_]

    @property
    def complete(self) -> bool:
        """Whether every item has a score."""
        return bool(self.known.all())


def is_mt_metrics_eval(folder: str) -> bool:
    """Whether a folder has this layout."""
    return all((Path(folder) / name).is_dir() for name in ("sources", "system-outputs", "human-scores"))


def read_mt_metrics_eval(
    folder: str,
    *,
    human: str | None = None,
    reference: str | Mapping[str, str] | None = None,
    pairs: Sequence[str] | None = None,
) -> list[Judgments]:
    """Read a test set; one :class:`Judgments` a language pair.

    ``human`` names the scores that are the ratings: the first of mqm, wmt-z, wmt, esa by default. If it
    is given, only language pairs that have it are read. ``reference`` is a name, ``all``, or a name
    for each language pair; by default the first by name, and the others are counted. A translation that
    is used as reference is no item.
    """
    if not is_mt_metrics_eval(folder):
        raise BadFile("has no folders sources, system-outputs and human-scores", file=folder)
    known = sorted(path.stem for path in (Path(folder) / "sources").glob("*.txt"))
    if pairs is not None and (unknown := [pair for pair in pairs if pair not in known]):
        raise BadSetting(f"{folder} has no {unknown[0]}, only {', '.join(known)}")
    chosen = list(known if pairs is None else pairs)
    if human is not None:
        there = {pair: _gold_names(folder, pair) for pair in chosen}
        chosen = [pair for pair in chosen if human in there[pair]]
        if not chosen:
            names = sorted({name for names in there.values() for name in names})
            raise BadSetting(
                f"{folder} has no segment scores {human!r}; there are: {', '.join(names) or 'none'}"
            )
    return [_read_pair(folder, pair, human, reference) for pair in chosen]


def _read_pair(
    folder: str, pair: str, human: str | None, reference: str | Mapping[str, str] | None
) -> Judgments:
    root = Path(folder)
    draft = Draft()
    sources = list(lines(str(root / "sources" / f"{pair}.txt")))
    names = [str(k) for k in range(1, len(sources) + 1)]
    for name, text in zip(names, sources, strict=True):
        draft.items.segment(name)
        draft.sources[name] = text
    references = _references(folder, pair)
    used = _used(references, reference if not isinstance(reference, Mapping) else reference.get(pair), pair)
    draft.odd[UNUSED] = len(references) - len(used)
    draft.human.update(references)
    for stem in used:
        for name, text in zip(names, _texts(references[stem], len(sources)), strict=True):
            draft.references.setdefault(name, []).append(text)
    files = _outputs(folder, pair)
    for system, path in files.items():
        if system not in used:
            for name, text in zip(names, _texts(path, len(sources)), strict=True):
                draft.outputs[draft.items.add(name, system)] = text
    gold = human or _gold(folder, pair)
    if gold is not None:
        for system, segment, score in _blocks(_human(root, pair, gold, "seg"), files, len(names)):
            if score is None:
                draft.odd[NONE] += 1
            elif system in used:
                draft.odd[OF_REFERENCE] += 1
            else:
                draft.ratings.append((draft.items.add(names[segment], system), score))
    for file in sorted(root.glob(f"human-scores/{pair}.*.sys.score")):
        scores = _system_scores(str(file), files)
        draft.system_scores[file.name[len(pair) + 1 : -len(".sys.score")]] = {
            system: score for system, score in scores.items() if system not in used
        }
    testset = os.path.basename(os.path.abspath(folder))
    return draft.finished(gold or "no ratings", pair, testset, file=folder)


def read_metric_scores(folder: str, judgments: Judgments) -> dict[str, ItemScores]:
    """All segment scores of metrics (``COMET-22-refA``) for the items of one language pair of the folder."""
    files = _outputs(folder, judgments.pair)
    system = {name: number for number, name in enumerate(judgments.systems)}
    keys = zip(judgments.item_segment.tolist(), judgments.item_system.tolist(), strict=True)
    item = {key: number for number, key in enumerate(keys)}
    found = {}
    for metric, path in _metric_files(folder, judgments.pair, "seg"):
        score, known = np.zeros(len(judgments)), np.zeros(len(judgments), dtype=np.bool_)
        for name, segment, value in _blocks(path, files, len(judgments.segments)):
            number = item.get((segment, system.get(name, -1)))  # none: the translation that is the reference
            if number is not None and value is not None:
                score[number], known[number] = value, True
        found[metric] = ItemScores(score, known)
    return found


def read_system_metric_scores(folder: str, judgments: Judgments) -> dict[str, dict[str, float]]:
    """All system scores of metrics for the systems of one language pair of the folder."""
    files = _outputs(folder, judgments.pair)
    return {
        metric: {name: s for name, s in _system_scores(path, files).items() if name in judgments.systems}
        for metric, path in _metric_files(folder, judgments.pair, "sys")
    }


def read_domain_scores(folder: str, pair: str, human: str) -> dict[tuple[str, str], float]:
    """What people said of systems in each domain, by domain and system; ``None`` is left out."""
    path, files = _human(Path(folder), pair, human, "domain"), _outputs(folder, pair)
    found: dict[tuple[str, str], float] = {}
    for line, text in enumerate(lines(path), start=1):
        domain, _, rest = text.partition("\t")
        system, score = _score(rest, files, path, line)
        if (domain, system) in found:
            raise BadFile(f"{domain} {system} stands here twice", file=path, line=line)
        if score is not None:
            found[domain, system] = score
    return found


def read_documents(folder: str, pair: str) -> list[tuple[str, str]]:
    """Domain and document of every segment."""
    path = str(Path(folder) / "documents" / f"{pair}.docs")
    found = []
    for line, text in enumerate(lines(path), start=1):
        cells = text.split()
        if len(cells) != 2:
            raise BadFile(f"has {len(cells)} columns; expected domain and document", file=path, line=line)
        found.append((cells[0], cells[1]))
    return found


def _gold_names(folder: str, pair: str) -> list[str]:
    found = (Path(folder) / "human-scores").glob(f"{pair}.*.seg.score")
    return sorted(path.name[len(pair) + 1 : -len(".seg.score")] for path in found)


def _gold(folder: str, pair: str) -> str | None:
    """The scores to use where none are asked for; None if there are none at all."""
    names = _gold_names(folder, pair)
    gold = next((name for name in GOLD if name in names), None)
    if gold is None and names:
        message = f"has no segment scores of {pair} named {', '.join(GOLD)}; say which: {', '.join(names)}"
        raise BadFile(message, file=str(Path(folder) / "human-scores"))
    return gold


def _human(root: Path, pair: str, name: str, level: str) -> str:
    return str(root / "human-scores" / f"{pair}.{name}.{level}.score")


def _references(folder: str, pair: str) -> dict[str, str]:
    found = sorted((Path(folder) / "references").glob(f"{pair}.*.txt"))
    return {path.name[len(pair) + 1 : -len(".txt")]: str(path) for path in found}


def _used(references: Mapping[str, str], wanted: str | None, pair: str) -> list[str]:
    if wanted == "all":
        return list(references)
    if wanted is None:
        return list(references)[:1]
    if wanted not in references:
        raise BadSetting(f"{pair} has no reference {wanted!r}, only {', '.join(references) or 'none'}")
    return [wanted]


def _outputs(folder: str, pair: str) -> dict[str, str]:
    """The files of all systems; translations by people may stand with the references only."""
    found = sorted((Path(folder) / "system-outputs" / pair).glob("*.txt"))
    return _references(folder, pair) | {path.name.removesuffix(".txt"): str(path) for path in found}


def _texts(path: str, size: int) -> list[str]:
    texts = list(lines(path))
    if len(texts) != size:
        raise BadFile(f"has {len(texts)} lines, the source {size}", file=path)
    return texts


def _metric_files(folder: str, pair: str, level: str) -> Iterator[tuple[str, str]]:
    for path in sorted((Path(folder) / "metric-scores" / pair).glob(f"*.{level}.score")):
        yield path.name.removesuffix(f".{level}.score"), str(path)


def _blocks(path: str, files: Mapping[str, str], size: int) -> Iterator[tuple[str, int, float | None]]:
    """System, segment from 0 and score of each line of a segment file."""
    seen: dict[str, int] = {}
    for line, system, score in _scores(path, files):
        segment = seen.get(system, 0)
        if segment == size:
            raise BadFile(f"{system} has more than {size} lines, one for each segment", file=path, line=line)
        seen[system] = segment + 1
        yield system, segment, score
    for system, count in seen.items():
        if count != size:
            raise BadFile(f"{system} has {count} lines; expected {size}, one for each segment", file=path)


def _system_scores(path: str, files: Mapping[str, str]) -> dict[str, float]:
    found: dict[str, float | None] = {}
    for line, system, score in _scores(path, files):
        if system in found:
            raise BadFile(f"{system} stands here twice", file=path, line=line)
        found[system] = score
    return {system: score for system, score in found.items() if score is not None}


def _scores(path: str, files: Mapping[str, str]) -> Iterator[tuple[int, str, float | None]]:
    for line, text in enumerate(lines(path), start=1):
        yield line, *_score(text, files, path, line)


def _score(text: str, files: Mapping[str, str], path: str, line: int) -> tuple[str, float | None]:
    cells = text.split("\t") if "\t" in text else text.split()
    if len(cells) != 2:
        raise BadFile(f"has {len(cells)} columns; expected system and score", file=path, line=line)
    system, score = cells[0], cells[1].strip()
    if system not in files:
        raise BadFile(f"{system!r} is no system with an output file", file=path, line=line)
    return system, None if score == "None" else finite(score, "score", path, line)
