"""One-to-one matching of the words of two sentences of one language.

Stages define which words may be linked: ``exact`` (equal words), ``stem`` (equal stems), ``synonym``
(words that share a synset of WordNet), ``paraphrase`` (phrases of a table). The candidates of all
stages are resolved together. The matcher optimises, in this order, the number of words covered, the number
of chunks (runs of links adjacent on both sides) and the distance (the sum of \\|i - j\\| over links):
METEOR's objective (Denkowski and Lavie, 2011). docs/matching.md describes the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from wordorder import _native
from wordorder.align.matches import MatchedOrders, Matches
from wordorder.arrays import Longs
from wordorder.errors import BadSetting, UnknownName
from wordorder.text.tokens import Tokens, Words

# Each stage imports what it needs: most matchers link equal words only.
if TYPE_CHECKING:
    from wordorder.text.paraphrases import ParaphraseTable
    from wordorder.text.stems import Stems
    from wordorder.text.synonyms import WordNet

TIES = {"distance": 0, "first": 1, "meteor": 1}  # the kernel's numbers (native/match/matcher.h)
STAGES = ("exact", "stem", "synonym", "paraphrase")


@dataclass(frozen=True, kw_only=True)
class Matcher:
    """Settings of the matcher.

    ``beam`` is the number of partial alignments kept at each word. If the best alignment may have been lost,
    the search is repeated with up to 64 times as many, within limits; :attr:`Matches.exact` shows for which
    pairs the alignment is known to be the best.

    ``ties`` chooses between alignments with equal coverage and chunks: ``distance`` takes the smallest
    distance, as in METEOR's papers; ``first`` takes the earliest words, as METEOR 1.5's program does.
    ``meteor`` does the same, and links of stages other than ``exact`` count half of their words, rounded
    down, when alignments are compared, unless their words have no other candidate: the program's rule.

    >>> table = Words(lowercase=True)
    >>> hypothesis, reference = table.encode(["the cat saw the dog"]), table.encode(["The dog saw the cat"])
    >>> Matcher().match(hypothesis, reference, table).positions
    array([3, 4, 2, 0, 1], dtype=int32)
    """

    stages: tuple[str, ...] = ("exact",)
    language: str = "en"  # of stems, synonyms and paraphrases
    beam: int = 40
    ties: Literal["distance", "first", "meteor"] = "distance"
    wordnet: str | None = None  # folder of WordNet's files; None looks in the usual places
    paraphrases: str | None = None  # file; None looks in the usual places

    def __post_init__(self) -> None:
        for stage in self.stages:
            if stage not in STAGES:
                raise UnknownName("stage", stage, STAGES)
        if not self.stages or list(self.stages) != [s for s in STAGES if s in self.stages]:
            raise BadSetting(
                f"stages are {self.stages!r}; expected some of {', '.join(STAGES)}, in this order"
            )
        if not 1 <= self.beam <= 10_000:
            raise BadSetting(f"beam is {self.beam}; expected 1 to 10000")
        if self.ties not in TIES:
            raise UnknownName("rule for ties", self.ties, TIES)
        if "stem" in self.stages:
            from wordorder.text.stems import stemmer_name

            stemmer_name(self.language)

    @property
    def signature_part(self) -> str:
        """The settings that can change a score, for signatures.

        >>> Matcher(stages=("exact", "stem"), language="de").signature_part
        'exact+stem(de)'
        """
        parts = []
        for stage in self.stages:
            if stage == "stem":
                stage += f"({self.language})"
            elif stage == "synonym":
                stage += f"({self._wordnet.name})"
            elif stage == "paraphrase":
                stage += f"({self._paraphrases.name})"
            parts.append(stage)
        if self.ties != "distance":
            parts.append(f"{self.ties}-ties")
        if self.beam != Matcher.beam:
            parts.append(f"beam{self.beam}")
        return "+".join(parts)

    @cached_property
    def _numbers(self) -> tuple[int, int, int, int]:
        """The place of each stage that is used, or -1."""
        exact, stem, synonym, paraphrase = (
            self.stages.index(stage) if stage in self.stages else -1 for stage in STAGES
        )
        return exact, stem, synonym, paraphrase

    @cached_property
    def _stems(self) -> Stems:
        from wordorder.text.stems import Stems

        return Stems(self.language)

    @cached_property
    def _wordnet(self) -> WordNet:
        from wordorder.text.synonyms import find_wordnet, load_wordnet

        return load_wordnet(find_wordnet(self.wordnet, self.language))

    @cached_property
    def _paraphrases(self) -> ParaphraseTable:
        from wordorder.text.paraphrases import find_paraphrases, load_paraphrases

        return load_paraphrases(find_paraphrases(self.paraphrases, self.language))

    def match(self, hypotheses: Tokens, references: Tokens, words: Words) -> Matches:
        """Align hypothesis s with reference s, for all s; both were numbered by ``words``."""
        if len(hypotheses) != len(references):
            raise BadSetting(f"{len(hypotheses)} hypotheses, but {len(references)} references")
        keys: dict[str, Any] = {}
        if "stem" in self.stages:
            keys["stems"] = self._stems.numbers(words)
        if "synonym" in self.stages:
            keys["synsets"] = self._wordnet.synsets(words)
        if "paraphrase" in self.stages:
            keys["paraphrases"] = self._paraphrases.numbers(words)
        positions, stages, reference_stages, exact = _native.match(
            hypotheses.ids,
            hypotheses.offsets,
            references.ids,
            references.offsets,
            len(words),
            self.beam,
            TIES[self.ties],
            self.ties == "meteor",
            self._numbers,
            **keys,
        )
        return Matches(positions, hypotheses.offsets, stages, references.offsets, reference_stages, exact)

    @property
    def needs_only_lines(self) -> bool:
        """Whether only equal words are linked: :meth:`match_lines` can do this."""
        return self.stages == ("exact",)

    def match_lines(self, hypotheses: bytes, references: bytes, splitter: int) -> MatchedOrders:
        """Match equal words of line s of both texts, for all s, in one step; see ``tokens.LineWriter``."""
        return MatchedOrders(
            *_native.match_lines(hypotheses, references, splitter, self.beam, TIES[self.ties])
        )

    def match_pairs(self, texts: bytes, first: Longs, second: Longs, splitter: int) -> MatchedOrders:
        """Match equal words of lines ``first[p]`` and ``second[p]`` for all p, in one step."""
        return MatchedOrders(*_native.match_pairs(texts, first, second, splitter, self.beam, TIES[self.ties]))
