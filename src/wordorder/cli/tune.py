"""``wordorder tune``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.vocabulary import (
    chosen_format,
    lenient_option,
    metrics_option,
    output_file,
    output_folder,
    quiet_option,
    references_option,
    refuse,
    refuse_overwriting,
    seed_option,
    set_option,
    source_option,
    table_options,
    threads_option,
)

if TYPE_CHECKING:
    from wordorder.tune.candidate_lists import CandidateLists
    from wordorder.tune.tuning import Tuning
    from wordorder.tune.weights import Weights

HELP = """\
\b
  wordorder tune dev.nbest -r dev.ja --weights moses.ini --save-weights tuned.weights
  wordorder tune round1.nbest round2.nbest -r dev.ja -m beer --method mira --seeds 5 --save-weights tuned.json
  wordorder tune -r dev.ja --weights moses.ini --save-weights tuned.weights --folder rounds --rounds 10 \\
      --decoder 'sh decode.sh {weights} {nbest}'

Tune the weights of the features in n-best lists, so that the best candidates score well by a metric.
Candidates of several files are merged, without repetitions. LISTS are n-best lists (Moses, cdec) or JSON
lines with features.

\b
  mert  exact line search from several starts (Och 2003). Setting: restarts
  mira  batch MIRA, also for many features (Cherry and Foster 2012). Settings: passes, largest_step
  pro   logistic regression over sampled pairs (Hopkins and May 2011).
        Settings: sampled, kept, threshold, penalty

With --decoder, your own command translates the text after each round, and its candidates are added. Each
round is kept in --folder; the same command goes on after an interruption.
"""


@click.command("tune", help=HELP)
@click.argument("lists", nargs=-1, metavar="LISTS...")
@references_option
@metrics_option("bleu", help="Metric to tune towards ('wordorder metrics' lists them).")
@click.option(
    "--method", type=click.Choice(["mert", "mira", "pro"]), default="mert", show_default=True,
    help="Algorithm that searches for weights.",
)  # fmt: skip
@click.option(
    "--weights",
    metavar="FILE",
    help="Start weights: lines 'LM0= 0.5' or 'LM 0.5', moses.ini, or JSON. Default: all 1.",
)
@click.option(
    "--save-weights",
    callback=output_file,
    metavar="FILE",
    help="File to write the best weights to: JSON if it ends in .json, else as Moses does.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Number of runs, with consecutive seeds.",
)
@set_option
@source_option
@click.option("--decoder", metavar="COMMAND", help="Shell command that reads {weights} and writes {nbest}.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Maximum number of rounds with the decoder.",
)
@click.option(
    "--folder", callback=output_folder, metavar="FOLDER",
    help="Folder for the weights and candidates of each round.",
)  # fmt: skip
@lenient_option
@table_options
@seed_option
@threads_option
@quiet_option
def command(
    lists: tuple[str, ...],
    references: tuple[str, ...],
    specs: tuple[str, ...],
    method: str,
    weights: str | None,
    save_weights: str | None,
    seeds: int,
    changes: tuple[str, ...],
    source: str | None,
    decoder: str | None,
    rounds: int,
    folder: str | None,
    lenient: bool,
    form: str | None,
    output: str,
    seed: int,
    threads: int | None,
    quiet: bool,
) -> None:
    """Tune the weights of a system."""
    from pathlib import Path

    from wordorder.cli.progress import steps
    from wordorder.engine.runners import runner
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.io.lines import counted
    from wordorder.io.read_write import read_records
    from wordorder.metrics.registry import parse_metrics
    from wordorder.metrics.segments import Segments
    from wordorder.report.html.tuning import TunedRound, tuning_page
    from wordorder.report.table import write_tables
    from wordorder.report.tuning import tuning_tables
    from wordorder.tune.objective import objective
    from wordorder.tune.reading import collect_candidates
    from wordorder.tune.rounds import tuning_rounds
    from wordorder.tune.tuning import tune
    from wordorder.tune.weights import read_weights

    if not references:
        raise click.UsageError("tuning needs a reference: -r FILE")
    if bool(decoder) == bool(lists):
        raise click.UsageError("expected either files with candidates, or --decoder and --folder")
    if decoder and not (folder and weights):
        raise click.UsageError("--decoder needs --folder FOLDER and --weights FILE")
    if decoder:
        refuse("lenient", why="the lists of a decoder must be complete")
    else:
        refuse("folder", "rounds", why="it is about --decoder")
    inputs = (*lists, *references, source, weights)
    refuse_overwriting({"--save-weights": save_weights, "--output": output}, inputs)
    cores = threads or available_threads()
    metrics = parse_metrics(specs)
    if len(metrics) != 1:
        raise click.UsageError(f"tuning is towards one metric, not {len(metrics)}")
    streams = [list(read_records(path, "text")) for path in references]
    sources = list(read_records(source, "text")) if source else None
    for path, stream in zip((*references[1:], source), (*streams[1:], sources), strict=True):
        if stream is not None and len(stream) != len(streams[0]):
            raise click.UsageError(
                f"{path} has {len(stream)} lines, but {references[0]} has {len(streams[0])}"
            )
    metric = metrics[0].for_segments(Segments(streams[0], streams))
    signature = metric.signature_for(len(streams))
    start = read_weights(list(read_records(weights, "text")), weights) if weights else None
    settings = method_settings(method, changes)
    facts = {"metric": signature, "method": method, "seed": seed, "seeds": seeds, **settings}

    def tuned(candidates: CandidateLists, begin: Weights | None) -> Tuning:
        with runner(threads=cores) as run:
            goal = objective(metric, candidates, streams, run)
        with steps("seeds", quiet=quiet, total=seeds) as update:
            return tune(
                candidates, goal, start_vector(candidates, begin), method=method, seeds=seeds, seed=seed,
                threads=cores, report=lambda done, score: update(done, **{metric.name: score}), **settings,
            )  # fmt: skip

    history: list[TunedRound] = []
    if decoder and folder:
        assert start is not None
        latest = None
        for latest in tuning_rounds(
            Path(folder),
            decoder,
            start,
            tuned,
            references=streams[0],
            rounds=rounds,
            settings={**facts, "start": start.as_dict(), "references": digest(streams)},
        ):
            if not quiet:
                new, score = counted(latest.new, "new candidate"), latest.tuning.runs[0].score
                click.echo(f"round {latest.number}: {new}, {metric.name} {score:.4f}", err=True)
            named = dict(zip(latest.lists.names, latest.tuning.weights.tolist(), strict=True))
            history.append(TunedRound(latest.number, latest.new, latest.tuning.runs[0].score, named))
        assert latest is not None
        candidates, result = latest.lists, latest.tuning
        write_weights(str(Path(folder) / "tuned.weights"), candidates.weights(result.weights, start), facts)
    else:
        skipped = Lenient() if lenient else None
        candidates = collect_candidates(lists, references=streams[0], lenient=skipped)
        if skipped is not None and skipped.total:
            click.echo(skipped.report(), err=True)
        result = tuned(candidates, start)
    if save_weights:
        write_weights(save_weights, candidates.weights(result.weights, start), facts)
    tables = tuning_tables(result, candidates, metric, streams[0], sources, facts)
    chosen = chosen_format(form, output)
    with open_output(output) as out:
        if chosen == "html":
            out.write(tuning_page(tables, facts, metric.name, history))
        else:
            out.write(write_tables(tables, chosen))


def method_settings(method: str, changes: tuple[str, ...]) -> dict[str, Any]:
    """Read --set KEY=VALUE for a method."""
    import inspect

    from wordorder.core.plugins import read_setting
    from wordorder.errors import BadSetting
    from wordorder.tune.tuning import METHODS

    fixed = ("lists", "objective", "start", "seed", "threads", "report")
    parameters: Mapping[str, inspect.Parameter] = inspect.signature(METHODS[method]).parameters
    known: dict[str, Any] = {n: type(p.default) for n, p in parameters.items() if n not in fixed}
    settings = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or key not in known:
            raise BadSetting(f"{method} has no setting {key!r}; expected one of {', '.join(known)}")
        settings[key] = read_setting(method, key, value, known[key])
        zero = key in ("restarts", "threshold")
        if not 0 <= settings[key] < float("inf") or not (settings[key] or zero):
            least = "of 0 or more" if zero else "above 0"
            raise BadSetting(f"{method}: {key} is {value}; expected a number {least}")
    return settings


def digest(streams: list[list[str]]) -> str:
    """Return a short fingerprint of the references."""
    import hashlib

    return hashlib.sha256(repr(streams).encode()).hexdigest()[:16]


def start_vector(candidates: CandidateLists, start: Weights | None) -> Any:
    """Return the start weights in the order of the features; say which features have none."""
    import numpy as np

    if start is None:
        return np.ones(len(candidates.names))
    vector = candidates.vector(start)
    if missing := dict.fromkeys(name for name, _ in candidates.keys if name not in start.by_name):
        names = ", ".join(list(missing)[:5]) + (", ..." if len(missing) > 5 else "")
        click.echo(f"no start weight for {names}: 0 is used", err=True)
    return vector


def write_weights(path: str, weights: Weights, facts: dict[str, Any]) -> None:
    """Write weights as JSON or as Moses does, by the ending of the file."""
    from wordorder.io.files import open_output
    from wordorder.report.table import write_json

    with open_output(path) as out:
        if path.removesuffix(".gz").removesuffix(".zst").endswith(".json"):
            out.write(write_json({"weights": weights.as_dict(), **facts}))
        else:
            out.write(str(weights).encode())
