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
