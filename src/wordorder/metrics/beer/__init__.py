"""BEER: a metric trained on human rankings, from counted pieces to a score.

``templates`` says what is counted, ``features`` makes numbers of it, ``model20`` reads the folders of
the released BEER 2.0, ``metric`` is what users ask for by name.
"""

from wordorder.metrics.beer.metric import Beer

__all__ = ["Beer"]
