"""``wordorder align-judgments``."""

from __future__ import annotations

from typing import Any

import click

from wordorder.cli.align import method_option, symmetrise_option, threshold_option
from wordorder.cli.judge_options import data_options
from wordorder.cli.vocabulary import output_option, quiet_option, refuse, threads_option, tokenize_option

HELP = """\
\b
  wordorder align-judgments wmt12-rr -o wmt12.links.tsv
  wordorder judge wmt12-rr --align wmt12.links.tsv -m 'lrscore,lrscore:match=alignments(birch)'

Align the sources of human judgments with their references and with the outputs of all systems. One aligner
is trained for each language pair, on all these texts. Writes a table, with the columns lp, testset, segment,
system ('reference' for references), source_words, target_words, and links i-j (source-target, from 0).
DATA is anything that 'wordorder judge' reads, if it contains the sources.
"""


@click.command("align-judgments", help=HELP)
@data_options
@method_option
@symmetrise_option
@threshold_option
@tokenize_option
@output_option
@threads_option
@quiet_option
def command(
    method: str | None,
    how: str,
    threshold: float,
    tokenize: str,
    output: str,
    threads: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Align judgments."""
    from wordorder.align.bilingual import FEW
    from wordorder.align.symmetrise import symmetry_number
    from wordorder.cli.align import align_lines
    from wordorder.cli.judge_options import chosen_sets
    from wordorder.core.alignment import Alignments
    from wordorder.io.files import open_output
    from wordorder.io.lines import counted
    from wordorder.judge.source_links import align_sets, links_table

    symmetry_number(how)
    if how != "posterior":
        refuse("threshold", why=f"--symmetrise is {how}, not posterior")

    def align(source: list[str], target: list[str]) -> Alignments:
        different = len(set(source))
        if not quiet and different < FEW:
            few = counted(different, "different source sentence")
            click.echo(f"an aligner trained on {few} is unreliable. Align more judgments at once.", err=True)
        return align_lines(source, target, method or "hmm", how, threshold, None, None, False, threads, quiet)

    linked = align_sets(chosen_sets(options), align, tokenize=tokenize)
    with open_output(output) as out:
        for line in links_table(linked):
            out.write(f"{line}\n".encode())
