"""Write docs/scores/*.md, one card a score, from the texts in docs/cards.

python docs/make_cards.py                write the cards
python docs/make_cards.py --check        exit 1 if a card is out of date
python docs/make_cards.py --check-peers  run the other programs that are installed against their definitions

In a text, {{verb argument}} stands for something computed; VERBS below lists what there is.
"""

from __future__ import annotations

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

import cards_definitions
import cards_peers
import cards_worked
from cards_definitions import Order
from cards_peers import EXAMPLES, made
from cards_worked import show, table, written

from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.tree import tree
from wordorder.metrics import OrderingMetric, metric, metric_names
from wordorder.metrics.matched import SHARED

DOCS = Path(__file__).parent
TEXTS, CARDS = DOCS / "cards", DOCS / "scores"
SECTIONS = [
    *("What it tells", "Formula", "Range and direction", "Edge cases", "Settings"),
    *("Worked example", "Who computes it differently", "Exactness and cost", "Source", "Signature"),
]
EDGES: dict[str, Order] = {
    "no words": (),
    "one word": (0,),
    "two words in order": (0, 1),
    "two words turned": (1, 0),
    "five words inverted": (4, 3, 2, 1, 0),
}
CORPUS: tuple[Order, Order] = (EXAMPLES[0], (1, 3, 0, 2, 4, 5))
WIDTH = 110
SMALL = 6  # properties are tried on every permutation of up to so many words


class CardError(Exception):
    """A text asks for something that cannot be computed."""


def own_metrics() -> list[str]:
    """The metrics of this package, without those that other packages add."""
    made = [metric(name) for name in metric_names()]
    return [
        m.name for m in made if isinstance(m, OrderingMetric) and type(m).__module__.startswith("wordorder.")
    ]


def numbers(text: str) -> Order:
    """A permutation written in a text; the first example if none is."""
    return tuple(map(int, text.split())) if text.strip() else EXAMPLES[0]


def split(argument: str) -> tuple[str, Order]:
    """Take apart ``WHAT @ PERMUTATION``."""
    what, _, order = argument.partition("@")
    return what.strip(), numbers(order)


def specs(argument: str) -> list[str]:
    """Take apart a list of metrics."""
    return [one.strip() for one in argument.split(";")]


# ----- verbs: each takes the name of the card and the argument


def value(_: str, argument: str) -> str:
    """``value METRIC @ PERMUTATION``: a score."""
    spec, order = split(argument)
    return show(made(spec)(order))


def exact(_: str, argument: str) -> str:
    """``exact METRIC @ PERMUTATION``: a score with all its digits."""
    spec, order = split(argument)
    return repr(made(spec)(order))


def define(_: str, argument: str) -> str:
    """``define NAME @ PERMUTATION``: a function of cards_definitions.py."""
    name, order = split(argument)
    return show(getattr(cards_definitions, name)(order))


def quotient(_: str, argument: str) -> str:
    """``quotient METRIC @ PERMUTATION``: numerator over denominator, and what it comes to."""
    spec, order = split(argument)
    above, below = (float(count[0]) for count in made(spec).counts(Permutations([order])))
    return f"{show(above)} / {show(below)} = {show(made(spec)(order))}"


def ranges(_: str, argument: str) -> str:
    """``ranges METRIC; METRIC``: least and greatest value."""
    rows = []
    for spec in specs(argument):
        low, high = made(spec).range
        better = "higher" if made(spec).higher_is_better else "lower"
        rows.append((f"`{spec}`", show(low), "none" if high == float("inf") else show(high), better))
    return table(["metric", "least", "greatest", "better"], rows)


def edges(_: str, argument: str) -> str:
    """``edges METRIC; METRIC``: the scores of short and of inverted sentences."""
    columns = [made(spec).score_orders(EDGES.values()) for spec in specs(argument)]
    rows = [
        (case, f"`{written(order)}`" if order else "(empty)", *(show(float(column[k])) for column in columns))
        for k, (case, order) in enumerate(EDGES.items())
    ]
    return table(["sentence", "permutation", *(f"`{spec}`" for spec in specs(argument))], rows)


def settings(name: str, _: str) -> str:
    """``settings``: name, choices, default and meaning of each setting."""
    cls = type(metric(name))
    known = tomllib.loads((TEXTS / "settings.toml").read_text("utf-8"))
    if extra := set(known.get(name, {})) - set(cls.setting_names()):
        raise CardError(f"settings.toml explains {name}:{', '.join(extra)}, which does not exist")
    rows = []
    for key in (name for name in cls.setting_names() if name not in SHARED):
        hint, default = typing.get_type_hints(cls)[key], cls.__dataclass_fields__[key].default  # type: ignore[attr-defined]
        choices = typing.get_args(hint) if typing.get_origin(hint) is Literal else [hint.__name__]
        meaning = {**known["all"], **known.get(name, {})}[key]
        rows.append((f"`{key}`", ", ".join(f"`{one}`" for one in choices), f"`{default}`", meaning))
    return table(["name", "choices", "default", "meaning"], rows)


def corpus(name: str, _: str) -> str:
    """``corpus``: how a corpus is scored, on a corpus of two sentences."""
    ways = ["macro", "length", *(["micro"] if made(name).has_micro else [])]
    found = [f"`{way}` {show(made(f'{name}:agg={way}').corpus_score_orders(CORPUS).score)}" for way in ways]
    micro = (
        "with `agg=micro` the quotient of the summed numerators and denominators"
        if made(name).has_micro
        else "and `agg=micro` is refused: the score is no quotient of counts"
    )
    both = " and ".join(f"`{written(order)}`" for order in CORPUS)
    return (
        "The score of a corpus is with `agg=macro` the mean of its sentences, with `agg=length` the mean "
        f"weighted by their words, {micro}. {both} together: {', '.join(found)}."
    )


@cache
def upset(spec: str) -> Permutation | None:
    """The first permutation that scores differently from its inverse."""
    some = [Permutation(order) for n in range(SMALL + 1) for order in permutations(range(n))]
    here, there = (made(spec).score_orders(one) for one in (some, [p.inverse() for p in some]))
    return next((p for p, a, b in zip(some, here, there, strict=True) if abs(a - b) > 1e-12), None)


def inverse(_: str, argument: str) -> str:
    """``inverse METRIC``: whether it matters which of order and rank is given."""
    if (found := upset(argument)) is None:
        return (
            "`order` or `rank`: the score of a permutation is that of its inverse "
            f"(tried on all of up to {SMALL} words)."
        )
    one, two = ((f"`{written(p)}`", show(made(argument)(p))) for p in (found, found.inverse()))
    return (
        f"`order` or `rank`: it matters. {one[0]} scores {one[1]} and its inverse {two[0]} scores {two[1]}, "
        "so make sure which of the two you hold."
    )


def peers(name: str, _: str) -> str:
    """``peers``: who else computes it, and what they get."""
    rows = []
    for peer in cards_peers.peers()[name]:
        found = [show(peer.function(order)) for order in EXAMPLES]
        same = f"`{peer.same}`" if peer.same else ""
        rows.append((peer.who, expand(name, peer.what), *found, same, peer.known))
    mine = [show(made(name)(order)) for order in EXAMPLES]
    head = ["who", "what", *(f"`{written(order)}`" for order in EXAMPLES), "same as", "known"]
    return table(head, [("**wordorder**", "as above, default settings", *mine, f"`{name}`", ""), *rows])


def signature(_: str, argument: str) -> str:
    """``signature METRIC; METRIC``: the signatures."""
    return "\n".join(["```text", *(made(spec).order_signature for spec in specs(argument)), "```"])


def index(_: str, argument: str) -> str:
    """``index``: the table of all cards."""
    rows = []
    for name in own_metrics():
        one = made(name)
        title = text_of(name).splitlines()[0].partition(": ")[2]
        better = "higher" if one.higher_is_better else "lower"
        found = [show(one(order)) for order in EXAMPLES]
        give = "any" if upset(name) is None else "order"
        rows.append((f"[`{name}`]({name}.md)", title, better, *found, give))
    head = ["metric", "what it is", "better", *(f"`{written(order)}`" for order in EXAMPLES), "give it"]
    return table(head, rows)


def steps(function: Callable[[Order], str]) -> Callable[[str, str], str]:
    """A verb that shows the steps of a score for a permutation."""
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
    "pairs": steps(cards_worked.pair_steps),
    "squares": steps(cards_worked.square_steps),
    "distances": steps(cards_worked.distance_steps),
    "places": steps(cards_worked.place_steps),
    "rising": steps(cards_worked.rising_steps),
    "joints": steps(cards_worked.joint_steps),
    "guesses": steps(lambda order: cards_worked.guess_steps(order, 1)),
    "crossings": steps(cards_worked.crossing_steps),
    "tree": steps(lambda order: f"`{tree(order).left()}`"),
    "flat": steps(lambda order: f"`{tree(order)}`"),
    "nodes": steps(cards_worked.node_steps),
    "chains": steps(cards_worked.chain_steps),
    "walk_tree": steps(cards_worked.walk_tree),
    "walk_forest": steps(cards_worked.walk_forest),
    "learned": steps(lambda order: cards_worked.learned_weights()),
    "learned_lengths": steps(lambda order: cards_worked.learned_lengths()),
    "learned_steps": steps(cards_worked.learned_steps),
}


# ----- cards


def text_of(name: str) -> str:
    """The hand-written text of a card."""
    path = TEXTS / f"{name}.md"
    if not path.exists():
        raise CardError(f"{name} has no card: write {path}")
    return path.read_text("utf-8")


def expand(name: str, text: str) -> str:
    """Put in what is computed."""

    def found(match: re.Match[str]) -> str:
        verb, _, argument = match[1].strip().partition(" ")
        if verb not in VERBS:
            raise CardError(f"{name}: {{{{{match[1]}}}}}: expected one of {', '.join(VERBS)}")
        return VERBS[verb](name, argument.strip())

    return re.sub(r"\{\{(.*?)\}\}", found, text)


def wrapped(text: str) -> str:
    """Fill the paragraphs; tables, lists, code blocks and what is inside backticks stay as they are."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [
        re.sub(r"(?:^(?![|#<\- ]).+\n?)+", _filled, part, flags=re.MULTILINE) for part in parts[::2]
    ]
    return "".join(parts)


def _filled(paragraph: re.Match[str]) -> str:
    whole = " ".join(paragraph[0].split("\n")).strip()
    for together in ("`.*?`", " [-+/=·] "):  # code and formulas stay on one line
        whole = re.sub(together, lambda found: found[0].replace(" ", "\0"), whole)
    lines = textwrap.wrap(whole, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, ""]).replace("\0", " ")


def card(name: str) -> str:
    """A whole card."""
    title, _, rest = wrapped(expand(name, text_of(name))).partition("\n")
    if name != "README" and re.findall(r"^## (.*)$", rest, re.MULTILINE) != SECTIONS:
        raise CardError(f"{name}: expected the sections {', '.join(SECTIONS)}")
    note = f"<!-- Written by docs/make_cards.py from docs/cards/{name}.md: edit that file, not this one. -->"
    return f"{title}\n\n{note}\n{rest}"


def cards() -> dict[Path, str]:
    """Every card by its place; the settings of ours that peers are said to equal are checked first."""
    if wrong := cards_peers.wrong_settings():
        raise CardError("not the same:\n" + "\n".join(wrong))
    return {CARDS / f"{name}.md": card(name) for name in ["README", *own_metrics()]}


def out_of_date() -> list[str]:
    """The cards that differ from what would be written, and those that belong to no metric."""
    wanted = cards()
    differ = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return [str(path) for path in [*differ, *sorted(set(CARDS.glob("*.md")) - set(wanted))]]


def check_peers() -> list[str]:
    """Run the programs that are installed; say which are not."""
    wrong = []
    for package, there in cards_peers.packages().items():
        if there:
            wrong += cards_peers.wrong_definitions(package)
        print(f"{package}: {'compared' if there else 'not installed'}", file=sys.stderr)
    return wrong


def main(arguments: Sequence[str]) -> int:
    """Write the cards, or compare them, or compare the definitions."""
    match list(arguments):
        case []:
            CARDS.mkdir(exist_ok=True)
            for path, text in cards().items():
                path.write_text(text, "utf-8")
            return 0
        case ["--check"]:
            wrong = [f"{path} is out of date: run python docs/make_cards.py" for path in out_of_date()]
        case ["--check-peers"]:
            wrong = check_peers()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
