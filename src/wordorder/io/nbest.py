"""N-best lists of Moses, cdec and others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown, split_words
from wordorder.io.registry import register

_BAR = " ||| "
Features = tuple[tuple[str, tuple[float, ...]], ...]


@register
@dataclass(frozen=True, kw_only=True)
class NBest(LineFormat[CandidateTranslation]):
    """Candidates as ``sentence ||| text ||| name= value ... ||| score``; features and score may be missing.

    Features are written ``name= value value``, as Moses does, or ``name=value``, as cdec does. Fields after
    the score, such as word alignments, are ignored.

    >>> NBest().parse("0 ||| a house ||| LM0= -3.5 TM0= -1 -2 ||| -6.5").features
    (('LM0', (-3.5,)), ('TM0', (-1.0, -2.0)))
    """

    name = "nbest"
    about = "candidate translations: 0 ||| text ||| LM0= -3.5 ||| -6.5 (Moses, cdec)"
    extensions = (".nbest",)

    def parse(self, line: str) -> CandidateTranslation:
        """Read a candidate."""
        fields = f" {line} ".split(_BAR)
        if len(fields) < 2:
            raise Problem(
                f"{shown(line)}; expected sentence ||| text ||| features ||| score", reason="no fields"
            )
        number = fields[0].strip()
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise Problem(f"{shown(number)} is not the number of a sentence", reason="no number")
        features = _features(split_words(fields[2])) if len(fields) > 2 else ()
        score = _number(fields[3].strip(), "score") if len(fields) > 3 and fields[3].strip() else None
        return CandidateTranslation(int(number), " ".join(split_words(fields[1])), features, score)

    def to_line(self, record: CandidateTranslation) -> str:
        """Write a candidate; its text must not contain the separator."""
        fields = [str(record.sentence), record.text]
        fields.append(" ".join(f"{name}= {' '.join(map(repr, values))}" for name, values in record.features))
        if record.score is not None:
            fields.append(repr(record.score))
        line = " ||| ".join(fields)
        if self.parse(line) != record:
            raise Problem(f"{shown(line)} would be read back changed", reason="separator in the text")
        return line

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require three fields and a number in every line."""
        return float(all(line.count("|||") > 1 for line in lines) and cls.parses(lines))

    def examples(self) -> list[CandidateTranslation]:
        """Return candidates with one, several and no features."""
        return [
            CandidateTranslation(0, "a house", (("LM0", (-3.5,)), ("TM0", (-1.0, 2e-05))), -6.5),
            CandidateTranslation(0, "", (("LM0", (0.0,)),), None),
            CandidateTranslation(12, "家 です", (), 1.5),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines without fields, with a bad number, a bad feature and a feature that is not finite."""
        good = b"0 ||| a ||| LM= 1 ||| 2\n"
        return [
            (good + b"a house\n", 2),
            (good + b"x ||| a ||| LM= 1 ||| 2\n", 2),
            (good + b"0 ||| a ||| 1 ||| 2\n", 2),
            (good + b"0 ||| a ||| LM= nan ||| 2\n", 2),
            (good + b"0 ||| a ||| LM= ||| 2\n", 2),
        ]


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise Problem(f"{what} is {shown(text)}; expected a number", reason="not a number") from None
    if not math.isfinite(value):
        raise Problem(f"{what} is {text}; expected a finite number", reason="not finite")
    return value


def _features(words: Sequence[str]) -> Features:
    found: list[tuple[str, list[float]]] = []
    for word in words:
        name, equals, value = word.rpartition("=")
        if equals:
            found.append((name, [_number(value, f"feature {name}")] if value else []))
        elif not found:
            raise Problem(f"{shown(word)} has no name; expected features like LM0= -3.5", reason="no name")
        else:
            found[-1][1].append(_number(word, f"feature {found[-1][0]}"))
    for name, values in found:
        if not name or not values:
            raise Problem(f"feature {shown(name)} has no name or no value", reason="no value")
    return tuple((name, tuple(values)) for name, values in found)
