"""BEER: a metric trained on human rankings, from counted pieces to a score.

``templates`` says what is counted, ``views`` how text is read, ``features`` and ``links`` make numbers of
it, ``model`` weighs them, ``output`` scales, ``explain`` takes a score apart; ``model20`` and ``kernel20``
read folders of the released BEER 2.0; ``metric`` is what users ask for by name.
"""

from wordorder.metrics.beer.metric import Beer

__all__ = ["Beer"]
