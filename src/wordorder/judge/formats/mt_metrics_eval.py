"""Test sets in the folder layout of mt-metrics-eval, version 2.

::

    sources/LP.txt   references/LP.NAME.txt   system-outputs/LP/SYSTEM.txt      one segment per line
    documents/LP.docs                                                           domain, document
    human-scores/LP.NAME.LEVEL.score   metric-scores/LP/METRIC-REF.LEVEL.score  system, score or None

In segment files each system has a block with one line per segment. Texts may also be JSON lines: ``.jsonl``
with the keys ``source``, ``target`` (references) and ``hypothesis`` (outputs). The layout is described in the
README of google-research/mt-metrics-eval.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from wordorder.arrays import Bools, Doubles
from wordorder.errors import BadFile, BadSetting
from wordorder.io.read_write import read_records
from wordorder.judge.builder import JudgmentsBuilder
from wordorder.judge.formats.base import JudgmentFormat, register
from wordorder.judge.judgments import Judgments
from wordorder.judge.tsv import finite, lines

GOLD = ("mqm", "wmt-z", "wmt", "esa")  # the first of these that exists, unless one is given
NO_TRANSLATION = "[No translation supplied]"  # what the package writes where a system has no output
KEYS = {"sources": "source", "references": "target", "system-outputs": "hypothesis"}  # of JSON lines
ENDINGS = (".txt", ".jsonl")
BREAKS = "texts with line breaks, which are read as spaces"
UNTRANSLATED = "segments without a reference"
NONE = "ratings that say None"
OF_REFERENCE = "ratings of the reference itself"
UNUSED = "references that are not used"


@dataclass(frozen=True, eq=False)
class ExternalScores:
    """Scores computed elsewhere.

    Where ``known`` is false an item has none, and ``score`` is 0. ``systems`` are the scores of systems; None
    if there are only those of items.
    """

    score: Doubles
    known: Bools
    systems: Mapping[str, float] | None = None


@register
@dataclass(frozen=True, kw_only=True)
class MtMetricsEval(JudgmentFormat):
    """A test set of mt-metrics-eval, with one set of judgments per language pair.

    ``gold`` names the human scores, by default the first of mqm, wmt-z, wmt and esa that rates segments, else
    that rates systems. If it is given, only language pairs that have it are read. ``reference_name`` is a
    name, ``all``, or a mapping from language pair to name; by default the first by name is used, and the
    others are counted. A translation used as a reference is not an item.
    """

    name: ClassVar[str] = "mt_metrics_eval"
    about: ClassVar[str] = "mt-metrics-eval folder (sources, system-outputs, human-scores)"
    stored_as: ClassVar[Literal["file", "folder"]] = "folder"

    gold: str | None = None
    reference_name: str | Mapping[str, str] | None = None
    pairs: Sequence[str] | None = None

    @classmethod
    def recognises(cls, path: str) -> bool:
        """Return whether a folder has this layout."""
        return all((Path(path) / name).is_dir() for name in ("sources", "system-outputs", "human-scores"))

    def read(self, path: str) -> list[Judgments]:
        """Read the language pairs of a test set."""
        if not self.recognises(path):
            raise BadFile("has no folders sources, system-outputs and human-scores", file=path)
        known = list(_text_files(Path(path) / "sources"))
        if not known:
            raise BadFile("has no sources: expected files such as sources/en-de.txt", file=path)
        if self.pairs is not None and (unknown := [pair for pair in self.pairs if pair not in known]):
            raise BadSetting(f"{path} has no {unknown[0]}, only {', '.join(known)}")
        chosen = list(known if self.pairs is None else self.pairs)
        if self.gold is not None:
            available = {
                pair: {*_gold_names(path, pair, "seg"), *_gold_names(path, pair, "sys")} for pair in chosen
            }
            chosen = [pair for pair in chosen if self.gold in available[pair]]
            if not chosen:
                names = sorted({name for names in available.values() for name in names})
                raise BadSetting(
                    f"{path} has no human scores {self.gold!r}; there are: {', '.join(names) or 'none'}"
                )
        return [_read_pair(path, pair, self.gold, self.reference_name) for pair in chosen]


def _read_pair(
    folder: str, pair: str, human: str | None, reference: str | Mapping[str, str] | None
) -> Judgments:
    root = Path(folder)
    builder = JudgmentsBuilder()
    sources = _texts(_text_files(root / "sources")[pair], builder.odd)
    names = [str(k) for k in range(1, len(sources) + 1)]
    for name, text in zip(names, sources, strict=True):
        builder.items.segment(name)
        builder.sources[name] = text or ""
    references = _references(folder, pair)
    used = _used(references, reference if not isinstance(reference, Mapping) else reference.get(pair), pair)
    builder.odd[UNUSED] = len(references) - len(used)
    builder.human.update(references)
    files = _outputs(folder, pair)
    _read_texts(builder, names, references, used, files)
    gold = human or _gold(folder, pair)
    if gold is not None and gold in _gold_names(folder, pair, "seg"):
        for system, segment, score in _blocks(_human(root, pair, gold, "seg"), files, len(names)):
            if score is None:
                builder.odd[NONE] += 1
            elif system in used:
                builder.odd[OF_REFERENCE] += 1
            else:
                builder.ratings.append((builder.items.add(names[segment], system), score))
    for name in _gold_names(folder, pair, "sys"):
        scores = _system_scores(_human(root, pair, name, "sys"), files)
        builder.system_scores[name] = {
            system: score for system, score in scores.items() if system not in used
        }
    builder.official = gold if gold in builder.system_scores else None
    testset = os.path.basename(os.path.abspath(folder))
    return builder.build(gold or "no ratings", pair, testset, file=folder)


def _read_texts(
    builder: JudgmentsBuilder,
    names: Sequence[str],
    references: Mapping[str, str],
    used: Sequence[str],
    files: Mapping[str, str],
) -> None:
    """Read references and outputs; outputs of a segment without a reference are not comparable."""
    without: set[str] = set()
    for stem in used:
        for name, text in zip(names, _texts(references[stem], builder.odd, len(names)), strict=True):
            builder.references.setdefault(name, []).append(text or "")
            if text is None:
                without.add(name)
    builder.odd[UNTRANSLATED] = len(without)
    for system, path in files.items():
        if system in used:
            continue
        for name, text in zip(names, _texts(path, builder.odd, len(names)), strict=True):
            item = builder.items.add(name, system)
            if text is not None and name not in without:
                builder.outputs[item] = text


def metric_names(folder: str, pair: str) -> list[str]:
    """Return the names of all metrics whose scores of segments or systems are stored."""
    return sorted({metric for level in ("seg", "sys") for metric, _ in _metric_files(folder, pair, level)})


def read_metric_scores(
    folder: str, judgments: Judgments, names: Collection[str] | None = None
) -> dict[str, ExternalScores]:
    """Read the scores of all metrics (``COMET-22-refA``), or of those named, for a set."""
    files = _outputs(folder, judgments.pair)
    by_system = read_system_metric_scores(folder, judgments, names)
    stored = dict(_metric_files(folder, judgments.pair, "seg"))
    by_metric = {}
    for metric in metric_names(folder, judgments.pair):
        if names is not None and metric not in names:
            continue
        score, known = np.zeros(len(judgments)), np.zeros(len(judgments), dtype=np.bool_)
        if metric in stored:
            for name, segment, value in _blocks(stored[metric], files, len(judgments.segments)):
                number = judgments.item_numbers.get((segment, name))  # the reference is not an item
                if number is not None and value is not None:
                    score[number], known[number] = value, True
        by_metric[metric] = ExternalScores(score, known, by_system.get(metric))
    return by_metric


def read_system_metric_scores(
    folder: str, judgments: Judgments, names: Collection[str] | None = None
) -> dict[str, dict[str, float]]:
    """Read the system scores of all metrics, or of those named, for the systems of a set."""
    files = _outputs(folder, judgments.pair)
    return {
        metric: {name: s for name, s in _system_scores(path, files).items() if name in judgments.systems}
        for metric, path in _metric_files(folder, judgments.pair, "sys")
        if names is None or metric in names
    }


def read_domain_scores(folder: str, pair: str, human: str) -> dict[tuple[str, str], float]:
    """Read the human scores of systems by domain and system, leaving out ``None``."""
    path, files = _human(Path(folder), pair, human, "domain"), _outputs(folder, pair)
    scores: dict[tuple[str, str], float] = {}
    for line, text in enumerate(lines(path), start=1):
        domain, _, rest = text.partition("\t")
        system, score = _score(rest, files, path, line)
        if (domain, system) in scores:
            raise BadFile(f"{domain} {system} occurs twice", file=path, line=line)
        if score is not None:
            scores[domain, system] = score
    return scores


def read_documents(folder: str, pair: str) -> list[tuple[str, str]]:
    """Read the domain and the document of every segment."""
    path = str(Path(folder) / "documents" / f"{pair}.docs")
    documents = []
    for line, text in enumerate(lines(path), start=1):
        cells = text.split()
        if len(cells) != 2:
            raise BadFile(f"has {len(cells)} columns; expected domain and document", file=path, line=line)
        documents.append((cells[0], cells[1]))
    return documents


def _gold_names(folder: str, pair: str, level: str) -> list[str]:
    ending = f".{level}.score"
    files = (Path(folder) / "human-scores").glob(f"{pair}.*{ending}")
    return sorted(path.name[len(pair) + 1 : -len(ending)] for path in files)


def _gold(folder: str, pair: str) -> str | None:
    """Return the human scores to use by default, or None if there are none at all."""
    for level in ("seg", "sys"):
        names = _gold_names(folder, pair, level)
        gold = next((name for name in GOLD if name in names), None)
        if gold is None and names:
            message = f"has no scores of {pair} named {', '.join(GOLD)}, only {', '.join(names)}."
            raise BadFile(message, file=str(Path(folder) / "human-scores"), suggest={"gold": names[0]})
        if gold is not None:
            return gold
    return None


def _human(root: Path, pair: str, name: str, level: str) -> str:
    return str(root / "human-scores" / f"{pair}.{name}.{level}.score")


def _references(folder: str, pair: str) -> dict[str, str]:
    return _text_files(Path(folder) / "references", f"{pair}.")


def _text_files(folder: Path, prefix: str = "") -> dict[str, str]:
    """Return the files of texts by their names, without the prefix and the ending."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob(f"{prefix}*")):
        if path.suffix in ENDINGS:
            name = path.name[len(prefix) : -len(path.suffix)]
            if name in found:
                raise BadFile(f"is there beside {os.path.basename(found[name])}; keep one", file=str(path))
            found[name] = str(path)
    return found


def _used(references: Mapping[str, str], wanted: str | None, pair: str) -> list[str]:
    if wanted == "all":
        return list(references)
    if wanted is None:
        return list(references)[:1]
    if wanted not in references:
        raise BadSetting(f"{pair} has no reference {wanted!r}, only {', '.join(references) or 'none'}")
    return [wanted]


def _outputs(folder: str, pair: str) -> dict[str, str]:
    """Return the files of all systems; human translations may be stored with the references only."""
    return _references(folder, pair) | _text_files(Path(folder) / "system-outputs" / pair)


def _texts(path: str, odd: Counter[str], size: int | None = None) -> list[str | None]:
    """Read the segments of a file, as many as the source has; None where there is no translation."""
    texts: list[str | None] = list(_json_texts(path, odd) if path.endswith(".jsonl") else lines(path))
    if size is not None and len(texts) != size:
        raise BadFile(f"has {len(texts)} lines, but the source has {size}", file=path)
    return [None if text is not None and text.strip() == NO_TRANSLATION else text for text in texts]


def _json_texts(path: str, odd: Counter[str]) -> Iterator[str | None]:
    folder = Path(path).parent
    key = KEYS.get(folder.name) or KEYS[folder.parent.name]
    for line, record in enumerate(read_records(path, "jsonl"), start=1):
        text = record.get(key, 0)
        if text is not None and not isinstance(text, str):
            message = f"has no text {key!r}, but {', '.join(map(str, record)) or 'nothing'}"
            raise BadFile(message, file=path, line=line)
        if text is not None and ("\n" in text or "\r" in text):
            odd[BREAKS] += 1
            text = re.sub(r"[\r\n]+", " ", text)
        yield text


def _metric_files(folder: str, pair: str, level: str) -> Iterator[tuple[str, str]]:
    for path in sorted((Path(folder) / "metric-scores" / pair).glob(f"*.{level}.score")):
        yield path.name.removesuffix(f".{level}.score"), str(path)


def _blocks(path: str, files: Mapping[str, str], size: int) -> Iterator[tuple[str, int, float | None]]:
    """Yield system, segment (counted from 0) and score of each line of a segment file."""
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
    scores: dict[str, float | None] = {}
    for line, system, score in _scores(path, files):
        if system in scores:
            raise BadFile(f"{system} occurs twice", file=path, line=line)
        scores[system] = score
    return {system: score for system, score in scores.items() if score is not None}


def _scores(path: str, files: Mapping[str, str]) -> Iterator[tuple[int, str, float | None]]:
    for line, text in enumerate(lines(path), start=1):
        yield line, *_score(text, files, path, line)


def _score(text: str, files: Mapping[str, str], path: str, line: int) -> tuple[str, float | None]:
    cells = text.split("\t") if "\t" in text else text.split()
    if len(cells) != 2:
        raise BadFile(f"has {len(cells)} columns; expected system and score", file=path, line=line)
    system, score = cells[0], cells[1].strip()
    if system not in files:
        raise BadFile(f"{system!r} is not a system with an output file", file=path, line=line)
    return system, None if score == "None" else finite(score, "score", path, line)
