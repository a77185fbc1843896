"""BEER: a metric trained on human rankings.

``templates`` defines what is counted, ``views`` how text is read; ``features`` and ``links`` compute
features, ``trained_model`` weights them, ``output`` scales scores, ``explain`` splits a score into its
parts; ``beer20_model`` and ``beer20_kernel`` read folders of the released BEER 2.0; ``metric`` is ``beer``.
"""

from wordorder.metrics.beer.metric import Beer

__all__ = ["Beer"]
