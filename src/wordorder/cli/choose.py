"""``wordorder choose``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import (
    as_option,
    lenient_option,
    output_option,
    quiet_option,
    threads_option,
)

if TYPE_CHECKING:
    from wordorder.tune.choice import Method

HELP = """\
\b
  wordorder choose test.nbest --weights tuned.weights -o test.out
  wordorder choose samples.jsonl --risk chrf -o test.out
  wordorder choose system-a.txt system-b.txt system-c.txt --risk recpef
  wordorder choose samples.txt --per-sentence 64 --risk beer --as tsv

Choose the best of the candidates for each sentence: by the model (its scores in the list, or --weights),
or by minimum Bayes risk: the candidate with the highest expected score by a metric, the other candidates
being possible references. LISTS are n-best lists (Moses, cdec), JSON lines, files with one candidate per
sentence (such as the output of one system each), or with --per-sentence N candidates for each sentence.

JSON lines hold one candidate each: {"sentence": 0, "text": "...", "features": {"LM0": -3.5}, "score": -6.5},
or all candidates for a sentence: {"candidates": ["...", "..."]}.
"""


@click.command("choose", help=HELP)
@click.argument("lists", nargs=-1, required=True, metavar="LISTS...")
@click.option(
    "--risk", metavar="METRIC", help="Choose by minimum Bayes risk, with this metric as the utility."
)
@click.option(
    "--method", type=click.Choice(["exact", "pruned", "aggregate"]), default="exact", show_default=True,
    help="Computation of expected scores: exact, from all pairs of candidates; pruned, the same choices, but "
    "candidates are dropped when they cannot win any more; or aggregate, from expected n-gram counts.",
)  # fmt: skip
@click.option(
    "--weights", metavar="FILE", help="Weights of the features; default: the model scores in the lists."
)
@click.option(
    "--temperature", type=float, default=None,
    help="Probabilities of candidates: the softmax of their model scores divided by this number. "
    "Default: all count alike.",
)  # fmt: skip
@click.option(
    "--per-sentence", type=click.IntRange(1), default=None, metavar="N",
    help="Number of candidates for each sentence in a file of plain text.",
)  # fmt: skip
@click.option(
    "--top",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of candidates to write for each sentence.",
)
@as_option(
    "text",
    "nbest",
    "tsv",
    help="Write text, an n-best list with new scores, or sentence, rank, value and text.",
)
@output_option
@lenient_option
@threads_option
@quiet_option
def command(
    lists: tuple[str, ...],
    risk: str | None,
    method: Method,
    weights: str | None,
    temperature: float | None,
    per_sentence: int | None,
    top: int,
    kind: str,
    output: str,
    lenient: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Choose among candidates."""
    from dataclasses import replace
    from threading import Lock

    from wordorder.cli.progress import steps
    from wordorder.cli.vocabulary import refuse, refuse_overwriting
    from wordorder.engine.runners import runner
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.io.read_write import read_records
    from wordorder.io.registry import file_format
    from wordorder.metrics.registry import metric
    from wordorder.tune.choice import choose_by_model, choose_by_risk
    from wordorder.tune.reading import read_candidates
    from wordorder.tune.weights import read_weights

    if not risk:
        refuse("temperature", "threads", "method", why="it is about --risk")
    elif temperature is None:
        refuse("weights", why="all candidates count alike without --temperature")
    if method == "pruned" and top > 1:
        raise click.UsageError("--method pruned finds only the best candidate; use --method exact with --top")
    refuse_overwriting({"--output": output}, (*lists, weights))
    skipped = Lenient() if lenient else None
    groups = read_candidates(lists, per_sentence=per_sentence or 0, lenient=skipped)
    chosen_weights = read_weights(list(read_records(weights, "text")), weights) if weights else None
    with (
        runner(threads=threads or available_threads()) as run,
        open_output(output) as out,
        steps("sentences", quiet=quiet) as update,
    ):
        done = pairs = 0
        lock = Lock()

        def scored(more: int) -> None:
            """Show progress before the first choice, for a sentence may have many candidates."""
            nonlocal pairs
            with lock:
                pairs += more
                update(done, pairs=pairs)

        if risk:
            choices = choose_by_risk(
                groups, metric(risk), method=method, weights=chosen_weights, temperature=temperature,
                run=run, scored=scored,
            )  # fmt: skip
        else:
            choices = choose_by_model(groups, chosen_weights)
        nbest = file_format("nbest")
        expected = 0
        if kind == "tsv":
            out.write(b"sentence\trank\tvalue\ttext\n")
        for choice in choices:
            if choice.sentence != expected and kind == "text":
                from wordorder.errors import BadSetting

                raise BadSetting(
                    f"sentence {expected} has no candidates, so that lines would not match.",
                    suggest={"as": "tsv"},
                )
            expected = choice.sentence + 1
            for rank in range(min(top, len(choice.ranked))):
                candidate, value = choice.ranked[rank], choice.values[rank]
                if kind == "text":
                    out.write(f"{candidate.text}\n".encode())
                elif kind == "tsv":
                    text = candidate.text.replace("\t", " ")
                    out.write(f"{choice.sentence}\t{rank + 1}\t{value!r}\t{text}\n".encode())
                else:
                    nbest.write([replace(candidate, score=value)], out)
            done += 1
            update(done, **({"pairs": pairs} if pairs else {}))
    if skipped is not None and skipped.total:
        click.echo(skipped.report(), err=True)
