"""``wordorder serve``."""

from __future__ import annotations

import contextlib
import os
import sys

import click

from wordorder.cli.vocabulary import (
    align_option,
    links_format,
    links_options,
    quiet_option,
    refuse,
    source_option,
    target_option,
    threads_option,
)

HELP = """\
\b
  wordorder serve
  wordorder serve --port 8080 --aligner en-ja-aligner
  wordorder serve --host 0.0.0.0
  wordorder serve --annotate project -s text.en -t text.ja
  wordorder serve --annotate project

Open a page in the browser that shows word order: paste a permutation, two sentences with their links, or a
translation and its reference; drag words and watch trees and scores; reorder sentences by installed models.
The same server answers programs: its JSON API is described at /api/v1/openapi.json.

--annotate opens a folder in which people draw links between the words of source and target. The first time,
--source and --target give the texts; links to begin with are those of --align, or predicted by an aligner.

The server listens on this machine only (127.0.0.1) unless --host says otherwise; then its address holds a
random token, without which nothing is answered. Stop it with Ctrl-C.
"""


@click.command("serve", help=HELP)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="Port to listen on; 0 takes a free one.",
)  # fmt: skip
@click.option("--aligner", metavar="FOLDER", help="Aligner that 'wordorder align --save-model' wrote.")
@click.option("--annotate", metavar="FOLDER", help="Folder of annotations: links that people draw.")
@source_option
@target_option
@align_option
@links_options
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in a browser.")
@threads_option
@quiet_option
def command(
    host: str,
    port: int,
    aligner: str | None,
    annotate: str | None,
    source: str | None,
    target: str | None,
    align: str | None,
    align_format: str,
    base: str | None,
    browser: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Serve the page."""
    from wordorder.engine.threads import available_threads

    try:
        from wordorder.web.annotation.project import make_project, open_project, owned
        from wordorder.web.app import ServerSettings
        from wordorder.web.server import access_to, address_of, listen, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "wordorder":
            raise
        raise click.UsageError(
            f"the page needs {error.name}, which is not installed: pip install 'wordorder[web]'"
        ) from None
    cores = threads or available_threads()
    if aligner:
        from wordorder.align.aligner_files import load_model

        load_model(aligner)  # errors are reported now, not at the first request
    if not annotate:
        refuse("source", "target", "align", "align_format", "base", why="it belongs to --annotate")
    if bool(source) != bool(target):
        raise click.UsageError("--source and --target go together")
    if not source:
        refuse(
            "align",
            "align_format",
            "base",
            why="the links to begin with are chosen with --source and --target",
        )
    with contextlib.ExitStack() as stack:
        project = None
        if annotate:
            stack.enter_context(owned(annotate))
            if source and target:
                form = links_format(align_format, base)
                project = make_project(
                    annotate, source, target, links=align, form=form, aligner=aligner, threads=cores
                )
            else:
                project = open_project(annotate)
        opened = stack.enter_context(listen(host, port))
        access = access_to(host)
        address = address_of(access, opened, "/annotate" if project else "/")
        settings = ServerSettings(access=access, workers=max(2, cores), aligner=aligner, project=project)

        def ready() -> None:
            click.echo(address)  # the only line on standard output: programs read it
            if not quiet:
                click.echo("Stop with Ctrl-C.", err=True)
            if browser and has_screen():
                import threading
                import webbrowser

                # Starting a browser takes a while, in which requests must be answered.
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        serve(settings, opened, ready=ready)


def has_screen() -> bool:
    """Whether a browser has a screen to open on; one for terminals would take this terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
