"""Models and their settings on the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import (
    align_option,
    links_options,
    model_option,
    output_option,
    quiet_option,
    set_option,
    several,
    source_option,
    threads_option,
)

if TYPE_CHECKING:
    from wordorder.preorder.base import Preorderer

NO_TREES = "no --parse, so the text is parsed as English"

aligned_text_options = several(source_option, align_option, links_options)
output_options = several(output_option, threads_option, quiet_option)
preorderer_options = several(model_option, set_option)


def load_with_settings(model: str | None, changes: Sequence[str]) -> Preorderer:
    """Load what --model names, with the settings that --set changes."""
    from wordorder.core.plugins import split_spec
    from wordorder.preorder.models import load_preorderer

    if not model:
        raise click.UsageError("missing option --model ('wordorder preorder list' lists the models)")
    return load_preorderer(model, **split_spec(f"--set:{','.join(changes)}")[1])


def model_key(preorderer: Preorderer, model: str | None) -> str:
    """Return a text that changes with the content of a model: its signature, and a checksum of its files."""
    import hashlib
    from pathlib import Path

    from wordorder.cli.shards import fingerprint
    from wordorder.preorder.models import model_folder, model_names

    name = (model or "").partition(":")[0]
    if name in model_names() or Path(name).is_dir():
        return f"{preorderer.signature} {fingerprint(str(model_folder(name)))}"
    rules = Path(model or "")
    content = hashlib.sha256(rules.read_bytes()).hexdigest()[:16] if rules.is_file() else ""
    return f"{preorderer.signature} {content}".rstrip()


def unsegmented_warning(sentences: Sequence[Sequence[str]], path: str) -> list[str]:
    """Return a warning if text seems to have no spaces between words, else nothing."""
    from wordorder.text.segmentation import looks_unsegmented

    if not looks_unsegmented([" ".join(words) for words in sentences[:1000]]):
        return []
    name = "standard input" if path == "-" else path
    return [f"{name}: this text seems to have no spaces between words; segment it first"]


def write_drawing(path: str | None, draw: Callable[[], str], *, quiet: bool) -> None:
    """Write a drawing if --svg names a file, and report it."""
    from wordorder.io.files import open_output

    if path:
        with open_output(path) as handle:
            handle.write(draw().encode("utf-8"))
        if path != "-" and not quiet:
            click.echo(f"wrote {path}", err=True)


def require(**options: object) -> None:
    """Raise a usage error for an option that is missing."""
    for name, value in options.items():
        if not value:
            raise click.UsageError(f"missing option --{name.replace('_', '-')}")


def check_annotation(
    preorderer: Preorderer, *, parse: str | None, align: str | None = "-", quiet: bool = False
) -> None:
    """Raise a usage error if a preorderer needs links and has none; say so if trees will be made for it."""
    if "alignment" in preorderer.needs and not align:
        raise click.UsageError(f"{preorderer.name} needs --align FILE")
    if "parse" in preorderer.needs and not parse and not quiet:
        click.echo(f"{preorderer.name}: {NO_TREES}", err=True)
