"""The forest CRFs: preorderers that score all binary trees of a sentence with features or a network."""

from wordorder.preorder.crf.feature_crf import FeatureCRF
from wordorder.preorder.crf.forest_crf import ForestCRF
from wordorder.preorder.crf.neural_crf import NeuralCRF

__all__ = ["FeatureCRF", "ForestCRF", "NeuralCRF"]
