"""``wordorder preorder list``."""

from __future__ import annotations

import click

HELP = """\
\b
  wordorder preorder list
  wordorder preorder list grammar
  wordorder preorder list --output json

List the methods and the models that come with the package, or explain one of them.
"""


@click.command("list", help=HELP)
@click.argument("name", metavar="[METHOD|MODEL]", required=False)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(name: str | None, output: str) -> None:
    """List or explain methods and models."""
    import inspect
    import re
    import typing

    import orjson

    from wordorder.io.model_folder import CARD
    from wordorder.preorder.models import about_model, find_model, shipped_models
    from wordorder.preorder.registry import preorderer_class, preorderer_names
    from wordorder.report.table import text_table

    methods = {one: preorderer_class(one) for one in preorderer_names()}
    if name and name not in methods:
        about = about_model(name)
        if output == "json":
            click.echo(orjson.dumps(about, option=orjson.OPT_INDENT_2))
            return
        card = find_model(name) / CARD
        click.echo(card.read_text(encoding="utf-8") if card.is_file() else about["signature"])
        return
    if name:
        cls = methods[name]
        hints = typing.get_type_hints(cls)
        defaults = cls().settings
        if output == "json":
            data = {"name": name, "about": inspect.getdoc(cls), "settings": defaults, "learns": cls.learns}
            click.echo(orjson.dumps(data, option=orjson.OPT_INDENT_2))
            return
        told = (inspect.getdoc(cls) or "").partition("\n>>>")[0].replace("``", "")
        told = re.sub(r":[a-z]+:`~?(?:[\w.]+\.)?(\w+)`", r"\1", told)  # marks of the documentation
        click.echo(f"{name}: {told}\n")
        for key, value in defaults.items():
            known = typing.get_args(hints.get(key))
            click.echo(
                f"setting    {key}={value}" + (f"  (of {', '.join(map(str, known))})" if known else "")
            )
        return
    models = {one: about_model(one) for one in shipped_models()}
    if output == "json":
        click.echo(
            orjson.dumps(
                {
                    "methods": [
                        {
                            "name": one,
                            "learns": cls.learns,
                            "needs": list(cls.needs),
                            "about": inspect.getdoc(cls),
                        }
                        for one, cls in methods.items()
                    ],
                    "models": [{"name": one, **about} for one, about in models.items()],
                },
                option=orjson.OPT_INDENT_2,
            )
        )
        return
    rows = [["method", "learns", "what it does"]]
    for one, cls in methods.items():
        line = (inspect.getdoc(cls) or "").splitlines()[0].replace("``", "")
        rows.append([one, "yes" if cls.learns else "no", line])
    click.echo(text_table(rows, left=3), nl=False)
    if models:
        rows = [["model", "method", "what it does"]]
        for one, about in models.items():
            card = find_model(one) / CARD
            title = card.read_text(encoding="utf-8").partition("\n")[0] if card.is_file() else ""
            rows.append([one, about["method"], title.removeprefix(f"# {one}").lstrip(": ")])
        click.echo("\n" + text_table(rows, left=3), nl=False)
