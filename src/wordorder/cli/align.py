"""``wordorder align``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wordorder.cli.shards import are_sharded, fingerprint, outputs_of, run_sharded, shards_of, where
from wordorder.cli.vocabulary import (
    as_option,
    lenient_option,
    outputs_option,
    quiet_option,
    refuse,
    save_model_option,
    shards_options,
    threads_option,
)

if TYPE_CHECKING:
    from wordorder.align.bilingual import AlignerSettings, BilingualModel
    from wordorder.core.alignment import Alignments
    from wordorder.engine.shards import Outcome
    from wordorder.errors import BadFile
    from wordorder.io.aligned import Pair
    from wordorder.io.lenient import Lenient

HELP = """\
\b
  wordorder align -s text.en -t text.ja -o text.align
  wordorder align -s text.en -t text.ja --save-model en-ja -o text.align
  wordorder align -s new.en -t new.ja --model en-ja --as scores -o new.align
  wordorder align -s crawl/en -t crawl/ja --model en-ja -o crawl/links --resume

Align the words of two languages. Sentences are one per line, words separated by spaces; gzip and zstd
files are unpacked. Writes links i-j (source-target, from 0), one line per sentence. The aligner is
trained on the text itself unless --model names a saved one. The same text gives the same links,
whatever the number of threads. Folders and patterns ('crawl/*.en.gz') name corpora in many files.
"""
method_option = click.option(
    "--method", type=click.Choice(["hmm", "ibm1", "eflomal"]), default=None,
    help="Aligner: hmm (default), an HMM trained jointly in both directions; ibm1; or the program eflomal.",
)  # fmt: skip
symmetrise_option = click.option(
    "--symmetrise", "how", default="grow-diag-final-and", show_default=True, metavar="HOW",
    help="Method: intersection, union, grow-diag, grow-diag-final(-and), forward, reverse or posterior.",
)  # fmt: skip
threshold_option = click.option(
    "--threshold", type=click.FloatRange(0, 1), default=0.3, show_default=True,
    help="Smallest score of a link with --symmetrise posterior.",
)  # fmt: skip
TEXT = "text"  # the setting of a run that changes with every input, because the aligner is trained on all
TRAINING = ".training"  # the folder for the state of a training, among the outputs
BLOCK = 2048  # pairs per unit of work of a thread
BLANKS = "skipped pairs have an empty line in the output"


@click.command("align", help=HELP)
@click.option(
    "-s", "--source", required=True, metavar="FILE",
    help="Source sentences; without --target, the file holds both: a ||| b, two columns, or JSON lines.",
)  # fmt: skip
@click.option("-t", "--target", metavar="FILE", help="Target sentences.")
@method_option
@symmetrise_option
@threshold_option
@click.option("--model", metavar="FOLDER", help="Use a saved aligner; nothing is trained.")
@save_model_option
@click.option("--keep-case", is_flag=True, help="Do not lower-case words.")
@as_option("links", "scores", help="Write links i-j, or links with scores i-j:score.")
@click.option("--gold", metavar="FILE", help="Manual links (i-j sure, ipj possible); report the error rate.")
@click.option("--gold-format", default="pharaoh", show_default=True, help="Format of --gold, such as wpt.")
@outputs_option
@lenient_option
@shards_options
@threads_option
@quiet_option
def command(
    source: str,
    target: str | None,
    method: str | None,
    how: str,
    threshold: float,
    model: str | None,
    save_model: str | None,
    keep_case: bool,
    kind: str,
    gold: str | None,
    gold_format: str,
    output: str,
    lenient: bool,
    cluster: str | None,
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Align two files, or two sets of files."""
    from dataclasses import replace

    from wordorder.align.aligner_files import FORMAT
    from wordorder.align.bilingual import AlignerSettings
    from wordorder.align.symmetrise import symmetry_number
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.io.model_folder import check_target
    from wordorder.io.pharaoh import Pharaoh

    symmetry_number(how)  # an unknown name is reported before anything is read
    scores = kind == "scores"
    if model and (method or save_model or keep_case):
        raise click.UsageError("--model cannot go with --method, --save-model or --keep-case")
    if method == "eflomal" and (save_model or scores or keep_case or how == "posterior"):
        raise click.UsageError(
            "eflomal has no --save-model, --as scores, --keep-case or --symmetrise posterior"
        )
    if how != "posterior":
        refuse("threshold", why=f"--symmetrise is {how}, not posterior")
    if not gold:
        refuse("gold_format", why="there is no --gold")
    if [source, target, gold].count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    if save_model:
        check_target(save_model, FORMAT)
    decoding: dict[str, Any] = {"how": how, "threshold": threshold, "scores": scores, "lenient": lenient}
    if are_sharded(source, target):
        refuse("gold", "gold_format", why="it is for a single file")
        if method == "eflomal":
            raise click.UsageError("eflomal aligns single files only; use hmm or ibm1")
        settings = replace(AlignerSettings.for_method(method or "hmm"), lowercase=not keep_case)
        align_shards(
            source, target, model, save_model, settings, output, decoding, cluster, resume, threads, quiet
        )
        return
    files = {"source": source, **({"target": target} if target else {})}
    if model and not gold:
        each = threads or available_threads()
        done = align_files(files, output, model=model, key=fingerprint(model), threads=each, **decoding)
        for note in done.notes if lenient or not quiet else ():
            click.echo(note, err=True)
        return
    skipped, unjudged = (Lenient(), Lenient()) if lenient else (None, None)
    pairs = read_texts(source, target, skipped)
    judged = read_gold(gold, gold_format, pairs, source, unjudged) if gold else None
    texts = [pair.source for pair in pairs], [pair.target for pair in pairs]
    if not quiet:
        for warning in _warnings(source, target, *texts, trained=not model):
            click.echo(warning, err=True)
    links = align_lines(*texts, method or "hmm", how, threshold, model, save_model, keep_case, threads, quiet)
    with open_output(output) as out:
        out.write(Pharaoh().to_text(links, scores=scores).encode())
    if skipped is not None and skipped.total:
        click.echo(f"{skipped.report()}\n{BLANKS}", err=True)
    if judged:
        _report_error_rate(links, judged, unjudged, pairs=len(pairs))


def align_shards(
    source: str,
    target: str | None,
    model: str | None,
    save_model: str | None,
    settings: AlignerSettings,
    output: str,
    decoding: Mapping[str, Any],
    cluster: str | None,
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Align a corpus in many files, with a saved aligner or with one that is trained on all of them."""
    from dataclasses import asdict

    from wordorder.align.aligner_files import save_model as save
    from wordorder.cli.progress import steps
    from wordorder.engine.align_shards import text_key, train_on_shards, training_key
    from wordorder.engine.runners import runner
    from wordorder.engine.shards import Job
    from wordorder.engine.threads import available_threads

    outputs = outputs_of(output, ".align")
    shards = shards_of({"source": source, "target": target})
    place = model or save_model or str(Path(outputs).parent / TRAINING / "model")
    # An aligner that is to be trained is known by what it is trained on.
    text = "" if model else text_key(shards)
    key = fingerprint(place) if model else training_key(text, settings, decoding["lenient"])
    trained = {} if model else {"aligner": asdict(settings), TEXT: text}
    here = threads or available_threads()
    with where(cluster, threads) as (run, each):
        work = partial(align_files, model=place, key=key, threads=each, shard=True, **decoding)
        known = {"verb": "align", "model": key if model else "trained", **trained, **decoding}
        job = Job(work, known, shards, outputs, text="" if model else TEXT)
        with job.folder.held(), ExitStack() as stack:
            job.check(resume=resume)
            if not model:
                on_threads = stack.enter_context(runner(threads=here))
                update = stack.enter_context(steps("iterations", quiet=quiet, total=settings.iterations))
                aligner = train_on_shards(
                    shards,
                    job.folder.path / TRAINING,
                    settings=settings,
                    run=run if cluster else on_threads,
                    lenient=decoding["lenient"],
                    threads=here,
                    progress=update,
                )
                save(aligner, place)
                for warning in () if quiet else _few(source, aligner.pairs):
                    click.echo(warning, err=True)
            run_sharded(job, run=run, resume=resume, quiet=quiet, held=True)


def align_files(
    files: Mapping[str, str],
    output: str,
    *,
    model: str,
    key: str,
    how: str,
    threshold: float,
    scores: bool,
    lenient: bool,
    threads: int,
    shard: bool = False,
) -> Outcome:
    """Align files with a saved aligner, block by block; ``key`` is the fingerprint of the model.

    Files without any pair are an error unless they are a ``shard`` of a corpus.
    """
    from wordorder.cli.shards import outcome
    from wordorder.engine.runners import runner
    from wordorder.io.aligned import Pair, read_pairs
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.io.parallel import batches, placed
    from wordorder.io.pharaoh import Pharaoh

    aligner = _loaded(model, key)
    skipped = Lenient() if lenient else None
    pairs = read_pairs(files["source"], files.get("target"), lenient=skipped)
    blocks = batches(placed(pairs, Pair(0, "", ""), skipped), BLOCK)
    first = next(blocks, [])
    if not first and not shard:
        raise no_pairs(files["source"])
    sides = [pair.source for pair in first], [pair.target for pair in first]
    notes = list(_warnings(files["source"], files.get("target"), *sides, trained=False))

    def align_block(block: list[Pair]) -> bytes:
        sides = [pair.source for pair in block], [pair.target for pair in block]
        links = aligner.align(*sides, symmetrise=how, threshold=threshold)
        return Pharaoh().to_text(links, scores=scores).encode()

    with open_output(output) as out, runner(threads=threads) as run:
        for text in run(align_block, chain([first] if first else [], blocks)):
            out.write(text)
    if skipped is not None and skipped.total:
        notes.append(BLANKS)
    return outcome(notes, skipped)


@lru_cache(maxsize=1)
def _loaded(model: str, key: str) -> BilingualModel:
    """Load an aligner once; ``key`` changes with its content."""
    from wordorder.align.aligner_files import load_model

    return load_model(model)


def _warnings(
    source: str, target: str | None, sources: Sequence[str], targets: Sequence[str], *, trained: bool
) -> Iterator[str]:
    """Point out texts that cannot be aligned well."""
    from wordorder.text.segmentation import looks_unsegmented

    for file, side, lines in ((source, "source", sources), (target or source, "target", targets)):
        if looks_unsegmented(lines):
            yield (
                f"{file}: the {side} text seems to have no spaces between words."
                " Segment it first: words are aligned as they are separated by spaces."
            )
    if trained:
        yield from _few(source, sum(bool(line.strip()) for line in sources))


def _few(source: str, size: int) -> Iterator[str]:
    """Warn about an aligner that is trained on very little text."""
    from wordorder.align.bilingual import FEW
    from wordorder.io.lines import counted

    if size < FEW:
        few = counted(size, "pair of sentences", "pairs of sentences")
        yield (
            f"{source}: an aligner trained on {few} is unreliable."
            " Align more text at once, or use a saved aligner (--model)."
        )


def align_lines(
    source: list[str],
    target: list[str],
    method: str,
    how: str,
    threshold: float,
    model: str | None,
    save_model: str | None,
    keep_case: bool,
    threads: int | None,
    quiet: bool,
) -> Alignments:
    """Align lines of text by the options of the verb."""
    from dataclasses import replace

    from wordorder.align import aligner_files
    from wordorder.align.bilingual import AlignerSettings, train_aligner
    from wordorder.cli.progress import steps
    from wordorder.engine.threads import available_threads

    if method == "eflomal":
        from wordorder.align.eflomal import run_eflomal
        from wordorder.align.symmetrise import symmetrise

        return symmetrise(*run_eflomal(source, target), how)
    threads = threads or available_threads()
    if model:
        aligner = aligner_files.load_model(model)
    else:
        settings = replace(AlignerSettings.for_method(method), lowercase=not keep_case)
        with steps("iterations", quiet=quiet, total=settings.iterations) as update:
            aligner = train_aligner(
                source, target, settings=settings, threads=threads, progress=lambda done, _: update(done)
            )
        if save_model:
            aligner_files.save_model(aligner, save_model)
    return aligner.align(source, target, symmetrise=how, threshold=threshold, threads=threads)


def _report_error_rate(links: Alignments, judged: Judged, unjudged: Lenient | None, *, pairs: int) -> None:
    from wordorder.align.error_rate import error_rate

    if unjudged is not None and unjudged.total:
        click.echo(unjudged.report(), err=True)
    rate = error_rate(links.take(judged.places), judged.links)
    text = f"AER {rate.aer:.4f}  precision {rate.precision:.4f}  recall {rate.recall:.4f}"
    if missing := pairs - len(judged.places):
        text += f"  (without {missing:,} skipped of {pairs:,} pairs)"
    click.echo(text, err=True)


def read_texts(source: str, target: str | None, lenient: Lenient | None) -> list[Pair]:
    """Read all pairs; a skipped one is empty and has number 0, so that lines keep their numbers."""
    from wordorder.io.aligned import Pair, read_pairs
    from wordorder.io.parallel import placed

    pairs = list(placed(read_pairs(source, target, lenient=lenient), Pair(0, "", ""), lenient))
    if not pairs:
        raise no_pairs(source)
    return pairs


def no_pairs(source: str) -> BadFile:
    """Return the error for empty files."""
    from wordorder.errors import BadFile

    return BadFile("has no pair of sentences to align", file=source)


class Judged(NamedTuple):
    """Manual links, and the places (from 0) of the pairs that have them."""

    places: list[int]
    links: Alignments


def read_gold(path: str, form: str, pairs: list[Pair], source: str, lenient: Lenient | None) -> Judged:
    """Read manual links for the pairs; each link must be between words that exist."""
    from wordorder.io.aligned import alignment_format, fitted
    from wordorder.io.lenient import BadLine
    from wordorder.io.lines import split_words
    from wordorder.io.links import collect_links
    from wordorder.io.parallel import read_beside

    gold_format = alignment_format(form)
    places, alignments = [], []
    for number, (record,) in read_beside(path, gold_format, of=source, count=len(pairs), lenient=lenient):
        pair = pairs[number - 1]
        if not pair.number:
            continue
        sizes = len(split_words(pair.source)), len(split_words(pair.target))
        try:
            alignments.append(fitted(record, *sizes, path=path, form=gold_format, number=number))
        except BadLine as bad:
            if lenient is None:
                raise
            lenient.skip(bad)
        else:
            places.append(number - 1)
    if lenient and lenient.total and not places:
        raise lenient.nothing_left()
    return Judged(places, collect_links(alignments))
