"""``wordorder serve``."""

from __future__ import annotations

import click

from wordorder.cli.vocabulary import quiet_option, threads_option

HELP = """\
\b
  wordorder serve
  wordorder serve --port 8080 --aligner en-ja-aligner
  wordorder serve --host 0.0.0.0

Open a page in the browser that shows word order: paste a permutation, two sentences with their links, or a
translation and its reference; drag words and watch trees and scores; reorder sentences by the shipped models.
The same server answers programs: its JSON API is described at /api/v1/openapi.json.

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
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in a browser.")
@threads_option
@quiet_option
def command(
    host: str, port: int, aligner: str | None, browser: bool, threads: int | None, quiet: bool
) -> None:
    """Serve the page."""
    from wordorder.engine.threads import available_threads

    try:
        from wordorder.web.app import ServerSettings
        from wordorder.web.server import access_to, address_of, listen, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "wordorder":
            raise
        raise click.UsageError(
            f"the page needs {error.name}, which is not installed: pip install 'wordorder[web]'"
        ) from None
    if aligner:
        from wordorder.align.aligner_files import load_model

        load_model(aligner)  # errors are reported now, not at the first request
    access = access_to(host)
    settings = ServerSettings(access=access, workers=threads or max(2, available_threads()), aligner=aligner)
    with listen(host, port) as opened:
        address = address_of(access, opened)

        def ready() -> None:
            click.echo(address)  # the only line on standard output: programs read it
            if not quiet:
                click.echo("Stop with Ctrl-C.", err=True)
            if browser:
                import webbrowser

                webbrowser.open(address)

        serve(settings, opened, ready=ready)
