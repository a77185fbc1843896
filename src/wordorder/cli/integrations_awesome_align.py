"""``wordorder integrations awesome-align``."""

from __future__ import annotations

import click

from wordorder.cli.vocabulary import output_option, refuse_overwriting

HELP = """\
\b
  wordorder integrations awesome-align links.txt probabilities.txt -o scored.align

Join the links that awesome-align writes (--output_file) with their probabilities (--output_prob_file) into
one file of links with scores, i-j:score. Without probabilities, nothing has to be converted: LINKS is a
file in the format pharaoh.
"""


@click.command("awesome-align", help=HELP)
@click.argument("links")
@click.argument("probabilities")
@output_option
def command(links: str, probabilities: str, output: str) -> None:
    """Join two files."""
    from wordorder.io.awesome_align import read_scored_links
    from wordorder.io.files import open_output
    from wordorder.io.pharaoh import Pharaoh

    refuse_overwriting({"--output": output}, [links, probabilities])
    with open_output(output) as out:
        Pharaoh().write(read_scored_links(links, probabilities), out, file=output)
