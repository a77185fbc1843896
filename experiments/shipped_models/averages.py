"""Make the average of a network, feature CRFs and learned rules that comes with wordorder-models.

    python -m experiments.shipped_models.averages --work WORK [--parts 0 1 2 3 4 -1] [--jobs 2]

WORK has the text of experiments.shipped_models.text and the networks of
experiments.shipped_models.distillation. For each language with manual links, a feature CRF with dependency
trees and a set of rules learn from the links outside a part (-1: from all), features also from phrases with
names; they are kept in WORK. Nothing needs torch.

Settings and the weight of the rules were chosen on part 1 of the treebank (ja, ko, zh) and on a fifth of KFTT
dev, with features and rules that had learned from neither these nor part 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from experiments.parallel import Corpus, concatenate
from experiments.shipped_models.text import LANGUAGES, LINKED, StoredText
from wordorder.preorder import RunOptions, TrainingData
from wordorder.preorder.average import Average, member_list
from wordorder.preorder.crf import FeatureCRF
from wordorder.preorder.parses import trees_of
from wordorder.preorder.rules.counting import linked_ranks
from wordorder.preorder.rules.learning import learn_rules
from wordorder.preorder.rules.writing import to_toml

FEATURES = FeatureCRF(labels="tree", hash_bits=17, epochs=10, tune_min_gain=False)
MORE_BITS = {"ja": 2}  # Japanese has more text, and loses more by features that share a weight
AUTOMATIC_SENTENCES = 9000  # with automatic links of one language, the same share of each set
RULES = 0.25  # the weight of rules; all other weights are 1
# French has articles, which a network that carries words along takes from their nouns.
NOT_CARRIED = ("fr",)


class AverageTraining:
    """The members of the average of a part, in a folder."""

    def __init__(self, work: Path, part: int, *, text: StoredText | None = None, threads: int = 1):
        self.text = text or StoredText(work)
        self.work, self.part, self.threads = work, part, threads

    def features(self, language: str) -> Path:
        """Return the folder of the feature CRF of a language, which is trained if it is not there yet."""
        place = self.work / f"features-{language}-{self.part}"
        if not place.exists():
            automatic = self.text.automatic(language)
            step = -(-len(automatic.sources) // AUTOMATIC_SENTENCES) or 1
            chosen = automatic.select(range(len(automatic.sources))[::step])
            links = concatenate([self._manual(language), self.text.names("phrases", language)])
            data = TrainingData(*links, automatic=chosen if chosen.sources else None)
            settings = replace(FEATURES, hash_bits=FEATURES.hash_bits + MORE_BITS.get(language, 0))
            settings.fit(data, RunOptions(seed=1, threads=self.threads)).save(str(place))
        return place

    def rules(self, language: str) -> Path:
        """Return the file of the learned rules of a language."""
        place = self.work / f"rules-{language}-{self.part}.toml"
        if not place.exists():
            corpus = self._manual(language)
            ranks = [linked_ranks(alignment) for alignment in corpus.alignments]
            learned = learn_rules(trees_of(corpus.sources), ranks, name=f"en-{language}")
            place.write_text(to_toml(learned.rules), encoding="utf-8")
        return place

    def _manual(self, language: str) -> Corpus:
        return self.text.training(language, self.part)

    def average(self, network: str = "", *, rules: float = RULES) -> Average:
        """Return the average of a network, by default that of the part, and all other members."""
        network = network or f"small-{self.part}"
        others = [language for language in LANGUAGES if language not in NOT_CARRIED]
        names = [f"{network}@{'/'.join(others)}", f"{network}:min_linked=0@{'/'.join(NOT_CARRIED)}"]
        weights = [1.0, 1.0]
        for language in LINKED:
            for place, weight in ((self.features(language), 1.0), (self.rules(language), rules)):
                names.append(f"{place.name}@{language}")
                weights.append(weight)
        return self.joined(names, weights)

    def joined(self, names: Sequence[str], weights: Sequence[float] = ()) -> Average:
        """Return an average whose names of members do not depend on the place of the folder."""
        with chdir(self.work):
            average = Average(members=member_list(names, weights))
            assert all(member.preorderer.is_fitted for member in average.joined)  # all are loaded here
        return average


def train(work: Path, part: int, language: str) -> None:
    """Train the members of a language that are not there yet."""
    training = AverageTraining(work, part)
    training.features(language)
    training.rules(language)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the members of all languages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, help="folder of text, networks and members")
    parser.add_argument("--parts", type=int, nargs="+", default=[-1], help="parts to leave out; -1: none")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    options = parser.parse_args(arguments)
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = [
            pool.submit(train, options.work, part, language) for part in options.parts for language in LINKED
        ]
        for job in jobs:
            job.result()


if __name__ == "__main__":
    main()
