"""``wordorder score`` without references: the order of translations compared with that of their source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.model_settings import check_annotation, load_with_settings
from wordorder.cli.score import (
    MATCHING,
    refuse_reports_on_shards,
    sentence_notes,
    settle_tests,
    system_names,
    write_sentences,
)
from wordorder.cli.shards import are_sharded
from wordorder.cli.vocabulary import PICTURE_FORMATS, chosen_format, links_format, refuse, refuse_overwriting

if TYPE_CHECKING:
    from wordorder.align.bilingual import BilingualModel
    from wordorder.analyse.linked_texts import LinkedTexts
    from wordorder.analyse.source_order import SourceOrder
    from wordorder.engine.text_blocks import ScoredFiles
    from wordorder.io.lenient import Lenient
    from wordorder.metrics.base import Metric
    from wordorder.preorder.base import Preorderer


def score_source(references: tuple[str, ...], systems: tuple[str, ...], **options: Any) -> None:
    """Score the order of systems, and of references, which are translations by people."""
    from wordorder.analyse.source_order import METRICS, anticipation_curve, with_model
    from wordorder.engine.runners import runner
    from wordorder.engine.threads import available_threads
    from wordorder.io.lenient import Lenient
    from wordorder.metrics.matched import labels
    from wordorder.metrics.registry import parse_source_metrics

    _check_options(options, (*references, *systems))
    names = _names(references, systems, options)
    texts = _files((*references, *systems), len(references), options)
    metrics = parse_source_metrics(options["specs"] or [METRICS], options["policy"])
    keys = labels(metrics)
    if options["picture"] and not anticipation_curve(metrics):
        raise click.UsageError("--picture draws the curve of anticipation, which is not among the metrics")
    settle_tests(options, names)
    if are_sharded(*texts.by_kind().values()):
        _score_shards(texts, names, dict(zip(keys, metrics, strict=True)), options)
        return
    refuse("folder", why="the texts are single files")
    model = _model(options)
    aligner = _aligner(options)
    lenient = Lenient() if options["lenient"] else None
    linked = _linked(texts, aligner, lenient, options)
    with runner(threads=options["threads"] or available_threads()) as run:
        people = len(references)
        if options["level"] == "sentence":
            name = str(options["model"] or "")
            linked, _ = with_model(linked, people, model, name, run) if model else (linked, None)
            labelled: dict[str, Metric] = dict(zip(keys, metrics, strict=True))
            write_sentences([linked.block], labelled, names, 0, options["output"], options["form"], run)
            notes = sentence_notes(labelled, 0, options["form"], list(linked.notes))
        else:
            notes = _write_corpus(linked, names, metrics, people, model, texts, options, run)
    for note in () if options["quiet"] else notes:
        click.echo(note, err=True)
    if lenient is not None and lenient.total:
        click.echo(lenient.report(), err=True)


def _check_options(options: dict[str, Any], inputs: tuple[str, ...]) -> None:
    """Refuse options that go with references, or that have no effect on each other."""
    if not options["source"]:
        raise click.UsageError("--source-order needs the source: -s SOURCE")
    unmatched = [name for name in MATCHING if name != "tokenize"]
    refuse(*unmatched, "refs", why="the order is compared with that of the source, and no words are matched")
    if not options["model"]:
        refuse("changes", why="there is no --model")
    if options["ref_align"] or options["aligns"]:
        refuse("tokenize", "aligner", why="alignments are given (--align), so words are separated by spaces")
    else:
        refuse("align_format", "base", why="no alignments are given (--align)")
    if options["picture"]:
        if options["level"] == "sentence":
            refuse("picture", why="it draws scores of the whole corpus, not of --level sentence")
        chosen_format(None, options["picture"], PICTURE_FORMATS, option="a format")
        files = [options["source"], *inputs, *options["ref_align"], *options["aligns"]]
        refuse_overwriting({"--output": options["output"], "--picture": options["picture"]}, files)


def _names(references: tuple[str, ...], systems: tuple[str, ...], options: dict[str, Any]) -> list[str]:
    """Return the names of references, of the model, and of systems, in the order of the table."""
    names = system_names((*references, *systems)) if not options["names"] else []
    names = names or [*system_names(references), *system_names(systems, options["names"])]
    if options["model"]:
        names.insert(len(references), options["model"])
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two rows would be named {name!r}; name the systems with --names A,B")
    return names


def _files(paths: tuple[str, ...], people: int, options: dict[str, Any]) -> ScoredFiles:
    """Return the files: with alignments if those are given, else the source stands for the references."""
    from wordorder.engine.text_blocks import AlignmentFiles, ScoredFiles
    from wordorder.io.lines import counted

    aligns = (*options["ref_align"], *options["aligns"])
    if not aligns:
        return ScoredFiles((options["source"],), paths)
    given = len(options["ref_align"]), len(options["aligns"])
    if given != (people, len(paths) - people):
        raise click.UsageError(
            f"{given[0]} --ref-align for {counted(people, 'reference')}, {given[1]} --align for"
            f" {counted(len(paths) - people, 'system')}; give one for each, or none"
        )
    form = links_format(options["align_format"], options["base"])
    links = AlignmentFiles(
        source=options["source"], references=(), systems=aligns, form=form, policy=options["policy"]
    )
    return ScoredFiles((), paths, links)


def _model(options: dict[str, Any]) -> Preorderer | None:
    if not options["model"]:
        return None
    model = load_with_settings(options["model"], options["changes"])
    check_annotation(model, parse=None, align=None, quiet=True)
    if "parse" in model.needs and not options["quiet"]:
        click.echo(f"{options['model']}: the source is parsed as English", err=True)
    return model


def _aligner(options: dict[str, Any]) -> BilingualModel | None:
    from wordorder.align.aligner_files import load_model

    return load_model(options["aligner"]) if options["aligner"] else None


def _linked(
    texts: ScoredFiles, aligner: BilingualModel | None, lenient: Lenient | None, options: dict[str, Any]
) -> LinkedTexts:
    """Read all files, and align them unless they have alignments."""
    from wordorder.analyse.linked_texts import LinkedTexts, joined_blocks, link_texts
    from wordorder.cli.progress import steps, track
    from wordorder.engine.threads import available_threads

    blocks = texts.read(lenient)
    read = track(blocks, "segments", size=lambda b: len(b.numbers), quiet=options["quiet"])
    block = joined_blocks(list(read))
    if block.given:
        return LinkedTexts(block)
    with steps("iterations", quiet=options["quiet"]) as update:
        return link_texts(
            block,
            aligner=aligner,
            tokenize=options["tokenize"],
            policy=options["policy"],
            threads=options["threads"] or available_threads(),
            progress=lambda done, total: update(done, total=total),
        )


def _write_corpus(
    linked: LinkedTexts,
    names: list[str],
    metrics: Any,
    people: int,
    model: Preorderer | None,
    texts: ScoredFiles,
    options: dict[str, Any],
    run: Any,
) -> list[str]:
    """Write tables or a page, and the picture; return notes that a table of numbers cannot hold."""
    from wordorder.analyse.buckets import TestSettings
    from wordorder.analyse.source_order import compare_with_source
    from wordorder.io.files import open_output
    from wordorder.report.source_order import source_order_report, system_table
    from wordorder.report.system_table import table_notes

    settings = TestSettings(
        **{key: options[key] for key in ("samples", "seed", "paired", "baseline", "all_pairs")}
    )
    found = compare_with_source(linked, names, metrics, settings, people=people, model=model, run=run)
    table = system_table(found, p_values=options["p_values"])
    if options["form"] == "html":
        from wordorder.cli.score_page import write_page

        write_page(table, found.statistics, [found.texts.block], texts, options, found=found)
    else:
        with open_output(options["output"]) as out:
            out.write(source_order_report(found, table, options["form"]))
    if options["picture"]:
        write_curve(found, options["picture"])
    return table_notes(table) if options["form"] in ("tsv", "json") else []


def write_curve(found: SourceOrder, path: str) -> None:
    """Draw the anticipation curve; the ending of the file decides the format."""
    from wordorder.draw.writing import scene_bytes
    from wordorder.io.files import open_output
    from wordorder.report.source_order import curve_chart, curve_text

    form = chosen_format(None, path, PICTURE_FORMATS)
    content = curve_text(found).encode() + b"\n" if form == "text" else scene_bytes(curve_chart(found), form)
    with open_output(path) as out:
        out.write(content)


def _score_shards(texts: ScoredFiles, names: list[str], metrics: Any, options: dict[str, Any]) -> None:
    from wordorder.cli.score_shards import score_shards

    refuse_reports_on_shards(options)
    refuse("model", "picture", why="the corpus is in many files")
    if texts.alignments is None:
        raise click.UsageError(
            "a corpus in many files needs alignments: one --align for each system ('wordorder align' makes"
            " them)"
        )
    score_shards(texts, names, metrics, options)
