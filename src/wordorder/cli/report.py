"""``wordorder report``: the results of other verbs as one HTML page.

A report takes the arguments of the verb whose results it shows, and is made by that verb, which knows one
more format here. Its numbers are therefore those that the verb prints.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import click

from wordorder.cli.lazy import LazyGroup
from wordorder.cli.vocabulary import OTHER_FORMATS, output_option, parses_option

HELP = """\
\b
  wordorder report score -r ref.txt system-a.txt system-b.txt -o report.html
  wordorder report evaluate --align test.align -s test.en en-ja-crf my-model -o report.html
  wordorder report judge wmt13-rr -m kendall,full,bleu --baseline bleu -o report.html

Write a report as one HTML file. It opens in any browser, needs no network and can be sent to others.
Each kind takes the arguments of the command of the same name.
"""

KINDS = {
    "align-report": "Report on a file of word alignments, with a drawn sample.",
    "evaluate": "Report on preorderers: scores, misordered words, rules by gain and harm.",
    "judge": "Report on how well metrics agree with human judgments.",
    "score": "Report on scored systems: tests, buckets, n-grams, all sentences with pictures.",
    "tune": "Report on tuned weights.",
}


@dataclass(frozen=True)
class ReportKind:
    """How a verb becomes a report: an example, arguments that are settled, and options of its own."""

    example: str
    settled: Mapping[str, Any] = field(default_factory=dict)
    own: tuple[Callable[[Any], Any], ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)  # options of the verb, and why they are refused


REPORTS = {
    "align-report": ReportKind("text.align -s text.en -t text.ja -o report.html", {"strict": False}),
    "evaluate": ReportKind(
        "--align test.align --parse test.conllu rules:en-ja -o report.html",
        {"level": "corpus", "errors": True, "p_values": True},
    ),
    "judge": ReportKind(
        "wmt13-rr -m kendall,full,bleu --baseline bleu -o report.html",
        {"p_values": True, "folder": None, "curves": ""},
    ),
    "score": ReportKind(
        "-r ref.txt system-a.txt system-b.txt -o report.html",
        {"level": "corpus", "p_values": True, "path": None, "ranks": True, "all_pairs": False}
        | {"folder": None, "cluster": None, "resume": False, "picture": None},
        (parses_option, output_option),
        {
            "--permutations": "a report shows words, and --permutations have none; use 'wordorder score', or "
            "'wordorder draw' for pictures"
        },
    ),
    "tune": ReportKind("candidates.nbest -r ref.txt -m bleu -o report.html"),
}  # fmt: skip


class ReportGroup(LazyGroup):
    """The kinds of reports, each made from the verb of the same name."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a verb and turn it into a report."""
        verb = super().get_command(ctx, name)
        return verb and as_report(name, verb)


def as_report(name: str, verb: click.Command) -> click.Command:
    """Return a command with the arguments of a verb that lets it write HTML."""
    kind = REPORTS[name]
    settled = {**kind.settled, "form": "html"}

    def write(**values: Any) -> Any:
        assert verb.callback is not None
        ending = os.path.splitext(values["output"])[1].lower()
        if ending in OTHER_FORMATS - {".htm", ".html"}:
            raise click.UsageError(f"a report is HTML, not {ending}; choose a file that ends in .html")
        return verb.callback(**{**settled, **values})

    made = click.Command(name, callback=write)
    for option in kind.own:
        option(made)
    made.params += [_refused(option, why) for option, why in kind.refused.items()]
    known = {*settled, *(parameter.name for parameter in made.params)}
    made.params = [*(parameter for parameter in verb.params if parameter.name not in known), *made.params]
    about = f"{KINDS[name]} The options are those of 'wordorder {name}'."
    made.help = f"\b\n  wordorder report {name} {kind.example}\n\n{about}"
    return made


def _refused(option: str, why: str) -> click.Option:
    """Make an option that is not listed and says why it cannot be given."""

    def refuse(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError(why)

    about = f"Not possible: {why}."
    return click.Option([option], hidden=True, expose_value=False, callback=refuse, help=about)


@click.group("report", cls=ReportGroup, verbs=KINDS, modules="wordorder.cli.", help=HELP)
def command() -> None:
    """Group the kinds of reports."""
