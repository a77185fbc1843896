"""todo"""

from pathlib import Path


class WordNet: ...


def find_wordnet(p, l): ...
def load_wordnet(p): ...
