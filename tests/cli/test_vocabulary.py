"""One vocabulary: an option has the same name, short form, meaning and default in every verb."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import click
import pytest

from wordorder.cli.main import command as wordorder

# What is sensible depends on the verb: evaluate, for example, always tests against no reordering.
OWN_DEFAULT = {
    "--metrics",
    "--as",
    "--folder",
    "--level",
    "--measure",
    "--method",
    "--name",
    "--paired",
    "--ranks",
    "--variant",
}
OWN_TYPE = {"--as", "--level", "--method", "--paired"}  # judge has tests for correlations, too
RETIRED = {"--out", "--save", "--metric", "--against", "--form", "--system-names", "--out-align"}


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name))
        else:
            yield " ".join((*path, name)), found


def long_name(option: click.Option) -> str:
    return next((name for name in option.opts if name.startswith("--")), option.opts[0])


COMMANDS = dict(commands(wordorder))
OPTIONS = [
    (verb, option)
    for verb, found in COMMANDS.items()
    for option in found.params
    if isinstance(option, click.Option)
]


def test_every_verb_is_read() -> None:
    assert {"score", "judge", "evaluate", "align", "orders", "preorder train"} <= set(COMMANDS)


def test_one_option_one_meaning() -> None:
    seen: defaultdict[str, dict[object, list[str]]] = defaultdict(lambda: defaultdict(list))
    for verb, option in OPTIONS:
        name = long_name(option)
        kind = () if name in OWN_TYPE else repr(option.type)
        if name == "--format" and verb in ("draw", "beer", "preorder explain"):
            continue  # what they write is not a table
        default = () if name in OWN_DEFAULT else repr(option.default)
        short = tuple(sorted(o for o in option.opts + option.secondary_opts if o != name))
        seen[name][short, kind, default, option.is_flag].append(verb)
    assert {name: dict(forms) for name, forms in seen.items() if len(forms) > 1} == {}


def test_one_short_form_one_option() -> None:
    seen = defaultdict(set)
    for _, option in OPTIONS:
        for name in option.opts:
            if not name.startswith("--"):
                seen[name].add(long_name(option))
    # Users of sacrebleu know -t and -l for test sets; no verb has both meanings of -t.
    assert {short: names for short, names in seen.items() if len(names) > 1} == {
        "-t": {"--target", "--testset"}
    }
    for found in COMMANDS.values():
        opts = [name for option in found.params for name in option.opts]
        assert len(set(opts)) == len(opts)


def test_retired_names_are_gone() -> None:
    assert [(verb, o.opts) for verb, o in OPTIONS if RETIRED & set(o.opts)] == []


@pytest.mark.parametrize(("verb", "option"), OPTIONS, ids=[f"{v} {long_name(o)}" for v, o in OPTIONS])
def test_help_says_what_the_option_does(verb: str, option: click.Option) -> None:
    text = option.help or ""
    assert len(text.split()) >= 2 and text[0].isupper() and text.endswith("."), text
    assert text.split()[0].rstrip(",:") not in {"Of", "Likewise", "With", "Where", "How", "Their", "Its"}


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_verb_opens_with_an_example(verb: str) -> None:
    assert f"wordorder {verb}" in (COMMANDS[verb].help or "")
