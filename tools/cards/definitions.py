"""Definitions of other programs, each restated in a line or two, for the cards of docs/scores.

No code is taken from these programs: each function computes what a program returns for a permutation
(numbered from 0). peers.toml lists who computes what, and names the functions here.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import combinations, groupby, pairwise
from math import floor, sqrt

from wordorder.core.forest import Forest, catalan
from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree

Order = tuple[int, ...]


# ----- counts


def pairs(p: Order) -> int:
    """Count the pairs of words."""
    return len(p) * (len(p) - 1) // 2


def moves(p: Order) -> list[int]:
    """How far each word stands from its place."""
    return [value - place for place, value in enumerate(p)]


def rising(p: Order) -> int:
    """The length of the longest rising subsequence."""
    ends: list[int] = []
    for value in p:
        at = bisect_left(ends, value)
        ends[at : at + 1] = [value]
    return len(ends)


def chunks(p: Order) -> list[Order]:
    """List the runs that go up in steps of one."""
    runs = groupby(enumerate(p), key=lambda pair: pair[1] - pair[0])
    return [tuple(value for _, value in run) for _, run in runs]


def operators(p: Order) -> list[int]:
    """The length of each operator of a tree, where chains are bracketed into binary operators."""
    nodes = tree(p).nodes()
    return [n for node in nodes for n in ([node.arity] if node.kind == "prime" else [2] * node.chain)]


# ----- kendall and crossings


def inversions(p: Order) -> float:
    """Permuta, astred ``word_cross``: pairs out of order, links that cross."""
    return sum(a > b for a, b in combinations(p, 2))


def in_order(p: Order) -> float:
    """LRscore, LADER, top-down BTG, RIBES, NLTK today: share of pairs in order; (tau + 1) / 2."""
    return 1 - inversions(p) / pairs(p)


def out_of_order(p: Order) -> float:
    """Kendall's distance, divided by the number of pairs."""
    return inversions(p) / pairs(p)


def square_root(p: Order) -> float:
    """Birch et al. (2010): the square root of the distance, subtracted from 1."""
    return 1 - sqrt(inversions(p) / pairs(p))


def tau(p: Order) -> float:
    """Scipy: pairs in order minus pairs turned, over all pairs. A permutation has no ties."""
    return (pairs(p) - 2 * inversions(p)) / pairs(p)


def inside_runs(p: Order) -> float:
    """NLTK before pull request 3900: only pairs inside one run of steps of one count as in order."""
    return sum(map(pairs, chunks(p))) / pairs(p)


def doubled_pairs(p: Order) -> float:
    """A public script: the formula of tau with n (n - 1) for the number of pairs."""
    return 2 * (pairs(p) - inversions(p)) / (len(p) * (len(p) - 1)) - 1


def between_chunks(p: Order) -> float:
    """Astred ``seq_cross``: links that cross when each chunk is one unit."""
    return inversions(tuple(chunk[0] for chunk in chunks(p)))


def crossings_per_link(p: Order) -> float:
    """Crossings, divided by the number of links."""
    return inversions(p) / len(p)


# ----- spearman, footrule, hamming, ulam


def rho(p: Order) -> float:
    """Scipy: Spearman's correlation of places and values."""
    return 1 - 6 * sum(d * d for d in moves(p)) / (len(p) * (len(p) ** 2 - 1))


def rho_from_zero(p: Order) -> float:
    """NLTK, the RIBES paper: (rho + 1) / 2."""
    return (rho(p) + 1) / 2


def squared_moves(p: Order) -> float:
    """Spearman's distance."""
    return sum(d * d for d in moves(p))


def summed_moves(p: Order) -> float:
    """Scipy ``cityblock``: the footrule distance."""
    return sum(map(abs, moves(p)))


def depth(p: Order) -> float:
    """Permuta: moves to the front only, half of all."""
    return sum(d for d in moves(p) if d > 0)


def footrule_unrounded(p: Order) -> float:
    """The footrule over n^2 / 2, which an odd number of words cannot reach."""
    return 1 - summed_moves(p) / (len(p) ** 2 / 2)


def mean_move(p: Order) -> float:
    """The footrule distance per word."""
    return summed_moves(p) / len(p)


def fixed_points(p: Order) -> float:
    """Permuta: number of words in their place."""
    return moves(p).count(0)


def in_place(p: Order) -> float:
    """LRscore: share of words in their place."""
    return fixed_points(p) / len(p)


def out_of_place(p: Order) -> float:
    """Scipy ``hamming``: share of words that are not in their place."""
    return 1 - in_place(p)


def words_to_move(p: Order) -> float:
    """Ulam's distance: words that must be taken out and put back."""
    return len(p) - rising(p)


def rising_share(p: Order) -> float:
    """Birch et al. (2010), ROUGE-L: longest common subsequence over the number of words."""
    return rising(p) / len(p)


def longest_run(p: Order) -> float:
    """Permuta: the longest stretch of neighbours without a fall."""
    best = now = 1
    for a, b in pairwise(p):
        now = now + 1 if a < b else 1
        best = max(best, now)
    return best


# ----- fuzzy


def fuzzy(p: Order) -> float:
    """Talbot et al. (2011), equation 1."""
    return 1 - (len(chunks(p)) - 1) / (len(p) - 1)


def fuzzy_boundary(p: Order) -> float:
    """LADER, top-down BTG: the begin and the end of the sentence are neighbours too, n + 1 joints."""
    breaks = sum(b != a + 1 for a, b in pairwise((-1, *p, len(p))))
    return 1 - breaks / (len(p) + 1)


def fuzzy_over_n(p: Order) -> float:
    """A public script: divided by the number of words instead of joints."""
    return 1 - (len(chunks(p)) - 1) / len(p)


def fragmentation(p: Order) -> float:
    """METEOR: chunks over matched words."""
    return len(chunks(p)) / len(p)


def meteor_penalty(p: Order) -> float:
    """METEOR as first published: half the cube of the fragmentation."""
    return fragmentation(p) ** 3 / 2


# ----- trees


def operator_count(p: Order) -> float:
    """The number of operators."""
    return len(operators(p))


def operator_ratio(p: Order) -> float:
    """Operators divided by those of the identity, as the text (not the figure) of the 2016 paper has it."""
    return len(operators(p)) / (len(p) - 1)


def strong_intervals(p: Order) -> float:
    """Nodes of the flat tree: the strong intervals of more than one word."""
    return len(tree(p).table)


def tree_count(p: Order) -> float:
    """The number of trees."""
    return Forest(p).count


def tree_ratio(p: Order) -> float:
    """Trees divided by those of the identity, as the text (not the figure) of the 2016 paper has it."""
    return Forest(p).count / catalan(len(p) - 1)


def longest_operator(p: Order) -> float:
    """The length of the longest operator."""
    return max(operators(p))


def separable(p: Order) -> float:
    """Permuta: contains neither 2413 nor 3142, so that all operators are binary."""
    return max(operators(p)) == 2


def mean_length(p: Order) -> float:
    """The mean length of operators."""
    return sum(operators(p)) / len(operators(p))


def mean_length_floored(p: Order) -> float:
    """BEER 1.1 ``PETarity``: the mean by whole-number division."""
    return (len(p) - floor(mean_length(p))) / (len(p) - 2)


def longer_share(p: Order) -> float:
    """BEER 1.1, features for arity 4 and above, added up."""
    return sum(n > 2 for n in operators(p)) / len(operators(p))


def longer_count(p: Order) -> float:
    """Stanojević and Sima'an (2016), section 4: the number of operators that are not binary."""
    return sum(n > 2 for n in operators(p))


# ----- anticipation


def lag_from_zero(p: Order) -> float:
    """A lag of 1, read as: source position later than t + 1."""
    return sum(move > 1 for move in moves(p)) / len(p)


def rank_for_order(p: Order) -> float:
    """Our formula, applied to the inverse."""
    return sum(move >= 1 for move in moves(tuple(Permutation(p).order.tolist()))) / len(p)


def lag_needed(p: Order) -> float:
    """The smallest lag without guesses."""
    return max(1, max(moves(p)) + 1)


def largest_lead(p: Order) -> float:
    """Permuta: how far ahead of its place any word is read."""
    return max(moves(p))


# ----- lag and chunks


def words_read(p: Order) -> list[int]:
    """How many source words have been read when each word is written, if nothing is guessed."""
    return [max(p[: t + 1]) + 1 for t in range(len(p))]


def average_lagging(p: Order) -> float:
    """Ma et al. (2019), of the policy that waits for each word."""
    read = words_read(p)
    last = read.index(len(p)) + 1
    return sum(read[t] - t for t in range(last)) / last


def average_proportion(p: Order) -> float:
    """Cho and Esipova (2016), of the same policy."""
    return sum(words_read(p)) / len(p) ** 2


def chunk_count(p: Order) -> float:
    """METEOR: the number of chunks."""
    return len(chunks(p))


def breakpoints(p: Order) -> float:
    """Neighbours that are not kept, with the borders of the sentence."""
    return sum(b != a + 1 for a, b in pairwise((-1, *p, len(p))))
