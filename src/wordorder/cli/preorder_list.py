"""``wordorder preorder list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import chosen_format, table_options

if TYPE_CHECKING:
    from wordorder.report.table import Table

HELP = """\
\b
  wordorder preorder list
  wordorder preorder list crf
  wordorder preorder list en-ja-crf
  wordorder preorder list -f json

List the methods and the installed models, or describe one of them.
"""


@click.command("list", help=HELP)
@click.argument("name", metavar="[METHOD|MODEL]", required=False)
@table_options
def command(name: str | None, form: str | None, output: str) -> None:
    """List or describe methods and models."""
    from wordorder.io.files import open_output
    from wordorder.preorder.registry import preorderer_names
    from wordorder.report.table import write_tables

    form = chosen_format(form, output)
    if not name:
        tables = [_methods(), _models()]
        if form == "json":
            content = _json({table.name: list(table.records) for table in tables})
        else:
            content = write_tables(tables, form)
    elif form not in ("text", "json"):
        raise click.UsageError("a single method or model is described as text or json")
    elif name in preorderer_names():
        content = _describe_method(name, form)
    else:
        content = _describe_model(name, form)
    with open_output(output) as handle:
        handle.write(content)


def _json(data: object) -> bytes:
    import orjson

    return orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n"


def _methods() -> Table:
    import inspect

    from wordorder.preorder.registry import preorderer_class, preorderer_names
    from wordorder.report.table import Table

    rows, records = [], []
    for name in preorderer_names():
        cls = preorderer_class(name)
        about = inspect.getdoc(cls) or ""
        rows.append([name, "yes" if cls.learns else "no", about.splitlines()[0].replace("``", "")])
        records.append({"name": name, "learns": cls.learns, "needs": list(cls().needs), "about": about})
    head = ["method", "learns", "what it does"]
    return Table(head=head, rows=rows, records=records, name="methods", left=3)


def _models() -> Table:
    from wordorder.preorder.models import about_model, model_names, model_title
    from wordorder.report.table import Table

    records = [{"name": name, **about_model(name)} for name in model_names()]
    rows = [[record["name"], record["method"], model_title(record["name"])] for record in records]
    head = ["model", "method", "what it does"]
    return Table(head=head, rows=rows, records=records, name="models", left=3)


def _describe_method(name: str, form: str) -> bytes:
    import inspect
    import re
    import typing

    from wordorder.preorder.base import setting_types
    from wordorder.preorder.registry import preorderer_class

    cls = preorderer_class(name)
    defaults = cls().settings
    about = inspect.getdoc(cls) or ""
    if form == "json":
        return _json({"name": name, "about": about, "settings": defaults, "learns": cls.learns})
    text = about.partition("\n>>>")[0].replace("``", "")
    text = re.sub(r":[a-z]+:`~?(?:[\w.]+\.)?(\w+)`", r"\1", text)  # remove the markup of the documentation
    lines = [f"{name}: {text}", ""]
    for key, value in defaults.items():
        choices = typing.get_args(setting_types(cls)[key])
        known = f"  (of {', '.join(map(str, choices))})" if choices else ""
        lines.append(f"setting    {key}={value}{known}")
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _describe_model(name: str, form: str) -> bytes:
    from wordorder.io.model_folder import CARD
    from wordorder.preorder.models import about_model, model_folder

    about = about_model(name)
    if form == "json":
        return _json(about)
    card = model_folder(name) / CARD
    text = card.read_text(encoding="utf-8") if card.is_file() else about["signature"]
    return f"{text}\n".encode()
