"""Figures of the papers and of the thesis that are reproduced."""

from __future__ import annotations

PAIRS = ("cs-en", "es-en", "de-en", "fr-en")  # the columns of the tables of 2014 and 2016

# Stanojević and Sima'an (2014), table 2 and table 5: sentence-level Kendall tau, WMT13 into English.
SENTENCE_TAU = {
    "kendall": (0.196, 0.265, 0.235, 0.223),
    "spearman": (0.199, 0.265, 0.236, 0.222),
    "hamming": (0.172, 0.239, 0.215, 0.206),
    "fuzzy": (0.184, 0.263, 0.228, 0.216),
    "ulam": (0.188, 0.264, 0.232, 0.221),
    "recpef": (0.201, 0.265, 0.237, 0.228),
    "recpet": (0.200, 0.264, 0.234, 0.221),
}
SENTENCE_TAU_GAMMA = {
    "recpef": (0.201, 0.265, 0.237, 0.228),
    "recpef/gamma=0.5": (0.201, 0.264, 0.235, 0.227),
    "recpet": (0.200, 0.264, 0.234, 0.221),
    "recpet/gamma=0.5": (0.202, 0.263, 0.235, 0.224),
}
# Stanojević and Sima'an (2016), table 2: system-level Spearman, WMT13 into English (same order of pairs).
SYSTEM_SPEARMAN = {
    "hamming": (0.878, 0.880, 0.851, 0.984),
    "kendall": (0.887, 0.831, 0.905, 0.969),
    "spearman": (0.881, 0.826, 0.905, 0.967),
    "fuzzy": (0.931, 0.889, 0.894, 0.977),
    "ulam": (0.909, 0.860, 0.895, 0.974),
    "pet_size": (0.895, 0.818, 0.918, 0.965),
    "pet_count": (0.878, 0.883, 0.786, 0.959),
    "max_operator": (0.895, 0.819, 0.921, 0.966),
    "recpet": (0.872, 0.826, 0.902, 0.963),  # thesis, table 4.2
    "recpef": (0.878, 0.831, 0.896, 0.968),
}
SYSTEM_SPEARMAN_BLEU = (0.936, 0.879, 0.902, 0.993)
# Birch and Osborne (2010), table 2: consistency, WMT09 (de-en, es-en, fr-en, cz-en).
CONSISTENCY = {
    "bleu4": (58.72, 55.48, 57.71, 57.24),
    "LR-HB1": (60.37, 60.55, 58.59, 53.70),
    "LR-HB4": (60.49, 58.88, 58.80, 57.74),
    "LR-KB1": (60.67, 58.54, 58.46, 54.20),
    "LR-KB4": (61.07, 59.86, 58.59, 58.92),
}
# Stanojević and Sima'an (2016), table 3: significantly better / worse / neither, over ten language pairs.
SYSTEM_TESTS = {
    "pet_size": ("5/4/1", "7/2/1", "6/2/2", "5/4/1", "5/4/1"),
    "max_operator": ("5/4/1", "5/2/3", "6/2/2", "5/5/0", "5/4/1"),
    "pet_count": ("2/6/2", "3/7/0", "3/7/0", "2/8/0", "3/7/0"),
}
# The same out of English without Spanish: table 1 of the paper of 2014, and table 4.1 of the thesis.
OUTWARD = ("en-cs", "en-de", "en-fr", "en-ru")
OUTWARD_TAU = {
    "kendall": (0.160, 0.183, 0.218, 0.193),
    "spearman": (0.157, 0.181, 0.215, 0.192),
    "hamming": (0.150, 0.168, 0.196, 0.187),
    "fuzzy": (0.155, 0.178, 0.215, 0.189),
    "ulam": (0.159, 0.181, 0.221, 0.189),
    "recpef": (0.156, 0.185, 0.219, 0.196),
    "recpet": (0.157, 0.182, 0.216, 0.195),
}
OUTWARD_SPEARMAN = {
    "hamming": (0.868, 0.851, 0.911, 0.511),
    "kendall": (0.849, 0.918, 0.907, 0.511),
    "spearman": (0.852, 0.915, 0.907, 0.508),
    "fuzzy": (0.854, 0.897, 0.920, 0.498),
    "ulam": (0.851, 0.908, 0.914, 0.507),
    "pet_size": (0.853, 0.923, 0.907, 0.515),
    "pet_count": (0.879, 0.819, 0.904, 0.538),
    "max_operator": (0.849, 0.924, 0.907, 0.513),
    "recpet": (0.855, 0.911, 0.905, 0.505),
    "recpef": (0.856, 0.907, 0.906, 0.505),
}
# Thesis, table 5.2: tau on WMT12.
WMT12_PAIRS = ("cs-en", "de-en", "es-en", "fr-en", "en-cs", "en-de")
PARAPHRASES = {
    "BEER 0.1 with paraphrases": (0.215, 0.290, 0.267, 0.270, 0.194, 0.228),
    "BEER 0.1 without paraphrases": (0.213, 0.271, 0.249, 0.254, 0.190, 0.217),
    "METEOR 1.4": (0.205, 0.273, 0.247, 0.249, 0.152, 0.180),
}
# Thesis, table A.2: tau on WMT14 into English; tables A.3 and A.4: tau, A.5 and A.6: Pearson's r on WMT15.
WMT14_PAIRS = ("cs-en", "de-en", "fr-en", "hi-en", "ru-en")
WMT14_TAU = {"BEER 0.1": (0.284, 0.337, 0.417, 0.438, 0.337), "METEOR": (0.282, 0.334, 0.406, 0.420, 0.337)}
WMT15_PAIRS = (
    *("cs-en", "de-en", "fi-en", "fr-en", "ru-en"),
    *("en-cs", "en-de", "en-fi", "en-fr", "en-ru"),
)
WMT15_TAU: dict[str, tuple[float | None, ...]] = {
    "BEER 1.1": (0.417, 0.376, 0.392, 0.359, 0.336, 0.410, 0.355, 0.361, 0.323, 0.415),
    "Treepel": (0.435, 0.386, 0.399, 0.358, 0.352, *[None] * 5),
    "chrF3": (0.409, 0.360, 0.361, 0.345, 0.317, 0.408, 0.345, 0.357, 0.309, 0.398),
}
WMT15_SYSTEMS: dict[str, tuple[float | None, ...]] = {
    "BEER 1.1": (0.975, 0.903, 0.952, 0.979, 0.848, 0.951, 0.811, 0.729, 0.970, 0.942),
    "Treepel": (0.985, 0.905, 0.957, 0.981, 0.846, *[None] * 5),
    "chrF3": (0.969, 0.921, 0.893, 0.979, 0.915, 0.976, 0.784, 0.813, 0.949, 0.913),
}
# Thesis, table 5.3: mean tau over eight pairs of WMT12.
ABLATION = {
    "full": 0.239,
    "without Kendall": 0.239,
    "without word order": 0.237,
    "without function words": 0.235,
    "without trees": 0.233,
    "without F-scores": 0.219,
    "without words": 0.213,
    "without characters": 0.146,
}
# Thesis, table 6.4: length of the preferred candidates, in percent of the reference.
LENGTHS = {"biased": "115.7", "self-trained": "99.7", "bleu": "103.0"}
