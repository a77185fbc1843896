"""How a parser is trained: the settings, without torch."""

from __future__ import annotations

from dataclasses import dataclass, fields

from wordorder.core.plugins import check_bounds, check_types, field_types

LARGEST = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class ParserRecipe:
    """How a parser is trained.

    ``max_words`` have vectors of their own; ``lower_share`` of the sentences are shown in lower case and
    ``upper_share`` in capitals. A batch has up to ``batch_words`` words. Weights are averaged over steps
    with the decay ``average``.
    """

    name = "parser"

    max_words: int = 12_000
    buckets: int = 8192
    word_size: int = 100
    piece_size: int = 64
    units: int = 256
    layers: int = 2
    arc_size: int = 200
    relation_size: int = 64
    dropout: float = 0.33
    word_dropout: float = 0.1
    lower_share: float = 0.4
    upper_share: float = 0.03
    pretraining_epochs: int = 4
    silver_epochs: int = 4
    epochs: int = 30
    batch_words: int = 2000
    learning_rate: float = 0.002
    average: float = 0.999

    def __post_init__(self) -> None:
        """Check the settings."""
        check_types(self, field_types(ParserRecipe))
        shares = ("dropout", "word_dropout", "lower_share", "upper_share", "average")
        least = {"max_words": 4, "buckets": 2, "pretraining_epochs": 0, "silver_epochs": 0, "epochs": 0}
        bounds = {each.name: (least.get(each.name, 1), LARGEST) for each in fields(self)}
        check_bounds(self, bounds | dict.fromkeys(shares, (0, 1)) | {"learning_rate": (0, 1)})

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the network that do not depend on the text."""
        names = ("word_size", "piece_size", "units", "layers", "arc_size", "relation_size")
        return {name: getattr(self, name) for name in names}
