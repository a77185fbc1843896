"""Write docs/scores/*.md, one card per ordering metric, from the files in tools/cards/templates.

In a template, {{verb argument}} is replaced by something computed; VERBS lists the verbs.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
import tomllib
import typing
from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Literal

from tools.cards import definitions, worked
from tools.cards import peers as other_programs
from tools.cards.definitions import Order
from tools.cards.peers import EXAMPLES, ordering_metric
from tools.cards.worked import show, written
from tools.pages import DOCS, markdown_table, write_pages
from tools.pages import out_of_date as pages_out_of_date
from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.tree import tree
from wordorder.metrics import OrderingMetric, metric, metric_names
from wordorder.metrics.matched import SHARED

HERE = Path(__file__).parent
CARDS = DOCS / "scores"
SECTIONS = [
    *("What it measures", "Formula", "Range and direction", "Edge cases", "Settings"),
    *("Worked example", "Who computes it differently", "Exactness and cost", "Source", "Signature"),
]
EDGES: dict[str, Order] = {
    "no words": (),
    "one word": (0,),
    "two words in order": (0, 1),
    "two words inverted": (1, 0),
    "five words inverted": (4, 3, 2, 1, 0),
}
CORPUS: tuple[Order, Order] = (EXAMPLES[0], (1, 3, 0, 2, 4, 5))
WIDTH = 110
SMALL = 6  # properties are checked on every permutation of up to this many words


class CardError(Exception):
    """A template asks for something that cannot be computed."""


def own_metrics() -> list[str]:
    """List the ordering metrics of this package, without those that other packages add."""
    return [
        one.name
        for one in map(metric, metric_names())
        if isinstance(one, OrderingMetric) and type(one).__module__.startswith("wordorder.")
    ]


def numbers(text: str) -> Order:
    """Read a permutation; the default is the first example."""
    return tuple(map(int, text.split())) if text.strip() else EXAMPLES[0]


def split(argument: str) -> tuple[str, Order]:
    """Split ``WHAT @ PERMUTATION``."""
    what, _, order = argument.partition("@")
    return what.strip(), numbers(order)


def specs(argument: str) -> list[str]:
    """Split a list of metrics."""
    return [spec.strip() for spec in argument.split(";")]


# ----- verbs: each takes the name of the card and the argument


def value(_: str, argument: str) -> str:
    """``value METRIC @ PERMUTATION``: a score."""
    spec, order = split(argument)
    return show(ordering_metric(spec)(order))


def exact(_: str, argument: str) -> str:
    """``exact METRIC @ PERMUTATION``: a score with all its digits."""
    spec, order = split(argument)
    return repr(ordering_metric(spec)(order))


def define(_: str, argument: str) -> str:
    """``define NAME @ PERMUTATION``: a function of definitions.py."""
    name, order = split(argument)
    return show(getattr(definitions, name)(order))


def quotient(_: str, argument: str) -> str:
    """``quotient METRIC @ PERMUTATION``: numerator, denominator and their quotient."""
    spec, order = split(argument)
    above, below = (float(count[0]) for count in ordering_metric(spec).counts(Permutations([order])))
    return f"{show(above)} / {show(below)} = {show(ordering_metric(spec)(order))}"


def ranges(_: str, argument: str) -> str:
    """``ranges METRIC; METRIC``: lowest and highest value."""
    rows = []
    for spec in specs(argument):
        low, high = ordering_metric(spec).range
        better = "higher" if ordering_metric(spec).higher_is_better else "lower"
        rows.append((f"`{spec}`", show(low), "none" if high == float("inf") else show(high), better))
    return markdown_table([["metric", "lowest", "highest", "better"], *rows])


def edges(_: str, argument: str) -> str:
    """``edges METRIC; METRIC``: the scores of short and of inverted sentences."""
    columns = [ordering_metric(spec).score_orders(EDGES.values()) for spec in specs(argument)]
    rows = [
        (case, f"`{written(order)}`" if order else "(empty)", *(show(float(column[k])) for column in columns))
        for k, (case, order) in enumerate(EDGES.items())
    ]
    return markdown_table([["sentence", "permutation", *(f"`{spec}`" for spec in specs(argument))], *rows])


def settings(name: str, _: str) -> str:
    """``settings``: name, choices, default and meaning of each setting."""
    cls = type(metric(name))
    known = tomllib.loads((HERE / "settings.toml").read_text("utf-8"))
    if extra := set(known.get(name, {})) - set(cls.setting_names()):
        raise CardError(f"settings.toml explains {name}:{', '.join(extra)}, which does not exist")
    rows = []
    for key in (name for name in cls.setting_names() if name not in SHARED):
        hint, default = typing.get_type_hints(cls)[key], cls.__dataclass_fields__[key].default
        choices = typing.get_args(hint) if typing.get_origin(hint) is Literal else [hint.__name__]
        meaning = {**known["all"], **known.get(name, {})}[key]
        rows.append((f"`{key}`", ", ".join(f"`{choice}`" for choice in choices), f"`{default}`", meaning))
    table = markdown_table([["name", "choices", "default", "meaning"], *rows])
    more = ", ".join(f"`{key}`" for key in SHARED)
    page = "[scores of translations](../text-scores.md)"
    return f"{table}\n\nOn text, all ordering scores also have the settings {more}; see {page}."


def corpus(name: str, _: str) -> str:
    """``corpus``: how a corpus is scored, on a corpus of two sentences."""
    ways = ["macro", "length", *(["micro"] if ordering_metric(name).has_micro else [])]
    scores = [
        f"`{way}` {show(ordering_metric(f'{name}:agg={way}').corpus_score_orders(CORPUS).score)}"
        for way in ways
    ]
    micro = (
        "and with `agg=micro` it is the quotient of the summed numerators and denominators"
        if ordering_metric(name).has_micro
        else "and `agg=micro` is rejected, because the score is not a quotient of counts"
    )
    both = " and ".join(f"`{written(order)}`" for order in CORPUS)
    return (
        "With `agg=macro`, the score of a corpus is the mean over its sentences; with `agg=length`, it is "
        f"the mean weighted by their number of words; {micro}. For the corpus {both}: {', '.join(scores)}."
    )


@cache
def differs_from_inverse(spec: str) -> Permutation | None:
    """Find the first permutation whose score differs from that of its inverse."""
    orders = [Permutation(order) for n in range(SMALL + 1) for order in permutations(range(n))]
    inverses = [order.inverse() for order in orders]
    scores = [ordering_metric(spec).score_orders(some) for some in (orders, inverses)]
    return next((p for p, a, b in zip(orders, *scores, strict=True) if abs(a - b) > 1e-12), None)


def inverse(_: str, argument: str) -> str:
    """``inverse METRIC``: whether it matters which of ranks and order is given."""
    if (order := differs_from_inverse(argument)) is None:
        return (
            "Ranks and orders have the same score: the score of a permutation equals that of its inverse "
            f"(checked for all permutations of up to {SMALL} words)."
        )
    one, two = ((f"`{written(p)}`", show(ordering_metric(argument)(p))) for p in (order, order.inverse()))
    return (
        f"Ranks and orders have different scores: {one[0]} scores {one[1]}, and its inverse {two[0]} scores "
        f"{two[1]}. Make sure which of the two you pass."
    )


def peers(name: str, _: str) -> str:
    """``peers``: other definitions of the score, and their values."""
    rows = []
    for peer in other_programs.peers()[name]:
        values = [show(peer.function(order)) for order in EXAMPLES]
        same = f"`{peer.same}`" if peer.same else ""
        rows.append((peer.who, expand(name, peer.what), *values, same, peer.known))
    mine = [show(ordering_metric(name)(order)) for order in EXAMPLES]
    head = [
        "program or paper",
        "definition",
        *(f"`{written(order)}`" for order in EXAMPLES),
        "same as",
        "known",
    ]
    own_row = ("**wordorder**", "as above, with default settings", *mine, f"`{name}`", "")
    return markdown_table([head, own_row, *rows])


def signature(_: str, argument: str) -> str:
    """``signature METRIC; METRIC``: the signatures."""
    return "\n".join(["```text", *(ordering_metric(spec).order_signature for spec in specs(argument)), "```"])


def index(_: str, argument: str) -> str:
    """``index``: the table of all cards."""
    rows = []
    for name in own_metrics():
        one = ordering_metric(name)
        title = template(name).splitlines()[0].partition(": ")[2]
        better = "higher" if one.higher_is_better else "lower"
        values = [show(one(order)) for order in EXAMPLES]
        give = "any" if differs_from_inverse(name) is None else "ranks"
        rows.append((f"[`{name}`]({name}.md)", title, better, *values, give))
    head = ["metric", "description", "better", *(f"`{written(order)}`" for order in EXAMPLES), "input"]
    return markdown_table([head, *rows])


def steps(function: Callable[[Order], str]) -> Callable[[str, str], str]:
    """Make a verb that shows the steps of a score for a permutation."""
    return lambda _, argument: function(numbers(argument))


VERBS: dict[str, Callable[[str, str], str]] = {
    "value": value,
    "exact": exact,
    "define": define,
    "quotient": quotient,
    "ranges": ranges,
    "edges": edges,
    "settings": settings,
    "corpus": corpus,
    "inverse": inverse,
    "peers": peers,
    "signature": signature,
    "index": index,
    "pairs": steps(worked.pair_steps),
    "squares": steps(worked.square_steps),
    "distances": steps(worked.distance_steps),
    "places": steps(worked.place_steps),
    "rising": steps(worked.rising_steps),
    "joints": steps(worked.joint_steps),
    "guesses": steps(lambda order: worked.guess_steps(order, 1)),
    "waits": steps(worked.wait_steps),
    "crossings": steps(worked.crossing_steps),
    "tree": steps(lambda order: f"`{tree(order).left()}`"),
    "flat": steps(lambda order: f"`{tree(order)}`"),
    "nodes": steps(worked.node_steps),
    "chains": steps(worked.chain_steps),
    "walk_tree": steps(worked.walk_tree),
    "walk_forest": steps(worked.walk_forest),
    "learned": steps(lambda order: worked.learned_weights()),
    "learned_lengths": steps(lambda order: worked.learned_lengths()),
    "learned_steps": steps(worked.learned_steps),
}


# ----- cards


def template(name: str) -> str:
    """Read the template of a card."""
    path = HERE / "templates" / f"{name}.template"
    if not path.exists():
        raise CardError(f"{name} has no card: write {path}")
    return path.read_text("utf-8")


def expand(name: str, text: str) -> str:
    """Replace the verbs of a template by what they compute."""

    def computed(match: re.Match[str]) -> str:
        verb, _, argument = match[1].strip().partition(" ")
        if verb not in VERBS:
            raise CardError(f"{name}: {{{{{match[1]}}}}}: expected one of {', '.join(VERBS)}")
        return VERBS[verb](name, argument.strip())

    return re.sub(r"\{\{(.*?)\}\}", computed, text)


def wrapped(text: str) -> str:
    """Wrap the paragraphs; tables, lists, code blocks and code in backticks stay as they are."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [
        re.sub(r"(?:^(?![|#<\- ]).+\n?)+", _filled, part, flags=re.MULTILINE) for part in parts[::2]
    ]
    return "".join(parts)


def _filled(paragraph: re.Match[str]) -> str:
    whole = " ".join(paragraph[0].split("\n")).strip()
    for together in ("`.*?`", " [-+/=·] "):  # code and formulas stay on one line
        whole = re.sub(together, lambda match: match[0].replace(" ", "\0"), whole)
    lines = textwrap.wrap(whole, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, ""]).replace("\0", " ")


def card(name: str) -> str:
    """Build a whole card."""
    title, _, rest = wrapped(expand(name, template(name))).partition("\n")
    if name != "README" and re.findall(r"^## (.*)$", rest, re.MULTILINE) != SECTIONS:
        raise CardError(f"{name}: expected the sections {', '.join(SECTIONS)}")
    source = f"tools/cards/templates/{name}.template"
    note = f"<!-- Written by tools/cards/build.py from {source}: edit that file, not this one. -->"
    return f"{title}\n\n{note}\n{rest}"


def cards() -> dict[Path, str]:
    """Build all cards by path, after checking the settings that are said to equal other programs."""
    if wrong := other_programs.wrong_settings():
        raise CardError("not the same:\n" + "\n".join(wrong))
    return {CARDS / f"{name}.md": card(name) for name in ["README", *own_metrics()]}


def out_of_date() -> list[Path]:
    """List the cards that differ from what would be written, and those that belong to no metric."""
    wanted = cards()
    return [*pages_out_of_date(wanted), *sorted(set(CARDS.glob("*.md")) - set(wanted))]


def check_peers() -> list[str]:
    """Compare the definitions with the programs that are installed; report which are not installed."""
    wrong = []
    for package, installed in other_programs.packages().items():
        if installed:
            wrong += other_programs.wrong_definitions(package)
        print(f"{package}: {'compared' if installed else 'not installed'}", file=sys.stderr)
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the cards, or check them, or check the definitions of other programs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a card is out of date")
    parser.add_argument("--check-peers", action="store_true", help="compare definitions with other programs")
    options = parser.parse_args(arguments)
    wrong: list[str] = []
    if options.check_peers:
        wrong = check_peers()
    elif options.check:
        wrong = [f"{path} is out of date: run 'make docs'" for path in out_of_date()]
    else:
        write_pages(cards())
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
