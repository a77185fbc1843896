"""``wordorder preorder train-parser``."""

from __future__ import annotations

from collections.abc import Iterable

import click

from wordorder.cli.model_settings import require
from wordorder.cli.vocabulary import (
    device_option,
    log_option,
    quiet_option,
    raw_option,
    save_model_option,
    seed_option,
    set_option,
    threads_option,
)

HELP = """\
\b
  wordorder preorder train-parser --treebank train.conllu --dev dev.conllu --save-model my-parser
  wordorder preorder train-parser --treebank train.conllu --silver chosen.conllu \\
      --start en --set epochs=2 --set silver_epochs=2 --save-model my-parser
  wordorder preorder parse --parser my-parser --source test.en -o test.conllu

Train a tagger and parser on trees (CoNLL-U). It first learns to guess hidden words of all text, including
--raw, then from the trees of --silver, which other parsers have found or 'preorder choose-parses' has
chosen, and at last from the treebank. With --start, training goes on from a parser, whose words and labels
are kept. The accuracy on the trees of --dev is printed at the end.

Training needs torch (pip install 'wordorder[neural]'). A treebank of 20,000 sentences takes a few minutes
on a GPU and an hour or more on a CPU; a training that is interrupted cannot be resumed.
"""


@click.command("train-parser", help=HELP)
@click.option(
    "--treebank", "treebanks", multiple=True, metavar="FILE", help="Trees to learn from; may be repeated."
)
@click.option(
    "--silver", "silver_files", multiple=True, metavar="FILE",
    help="Trees that are less certain, learned before the treebank; may be repeated.",
)  # fmt: skip
@raw_option
@click.option(
    "--dev", "dev_files", multiple=True, metavar="FILE",
    help="Held-out trees, to report the accuracy after training; may be repeated.",
)  # fmt: skip
@click.option("--start", metavar="NAME|FOLDER", help="Parser to go on from.")
@set_option
@save_model_option
@seed_option
@device_option
@log_option
@threads_option
@quiet_option
def command(
    treebanks: tuple[str, ...],
    silver_files: tuple[str, ...],
    raw: str | None,
    dev_files: tuple[str, ...],
    start: str | None,
    changes: tuple[str, ...],
    save_model: str,
    seed: int,
    device: str,
    log: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Train a parser."""
    from dataclasses import asdict

    from wordorder.cli.training_log import training_log
    from wordorder.core.plugins import field_types, read_settings, split_spec
    from wordorder.engine.threads import available_threads
    from wordorder.errors import BadSetting
    from wordorder.evaluate.columns import ComparisonSettings
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_binary
    from wordorder.io.folders import claimed_folder
    from wordorder.io.lines import split_words
    from wordorder.io.model_folder import check_target
    from wordorder.io.read_write import read_records
    from wordorder.io.sentence import Sentence
    from wordorder.parse.models import FORMAT, load_parser, plain_card, save_parser
    from wordorder.parse.recipe import ParserRecipe
    from wordorder.preorder.rules.warnings import UnknownLabels
    from wordorder.report.parsers import ParserTest, accuracy_table, tested
    from wordorder.report.table import write_table

    require(treebank=treebanks, save_model=save_model)
    known = field_types(ParserRecipe)
    settings = read_settings("parser", split_spec(f"--set:{','.join(changes)}")[1], known, known)
    recipe = ParserRecipe(**settings)
    fixed = sorted(settings.keys() & {*recipe.sizes, "max_words", "buckets", "pretraining_epochs"})
    if start and raw:
        raise click.UsageError("--raw would have no effect: the words of --start are kept")
    if start and fixed:
        raise click.UsageError(f"--set {fixed[0]} would have no effect: the sizes of --start are kept")
    check_target(save_model, FORMAT)
    click.get_current_context().with_resource(claimed_folder(save_model))
    begun = load_parser(start) if start else None
    try:
        from wordorder.neural.device import training_device
        from wordorder.parse.training import ParserTrainer
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise BadSetting("training a parser needs torch: pip install 'wordorder[neural]'") from None

    def read(paths: Iterable[str]) -> list[Sentence]:
        trees: list[Sentence] = []
        for path in paths:
            with open_binary(path) as handle:
                trees += Conllu().read(handle, path)
        return trees

    where = training_device(device)
    treebank, silver = read(treebanks), read(silver_files)
    if not treebank:
        raise BadSetting(f"{', '.join(treebanks)}: no tree to learn from")
    text = [words for line in read_records(raw, "text") if (words := split_words(line))] if raw else []
    held_out = [(path, read([path])) for path in dev_files]
    labels = UnknownLabels()
    labels.add(treebank)
    for line in () if quiet else labels.warnings():
        click.echo(f"{line}; the shipped rule sets do not know them", err=True)
    with training_log(log, quiet=quiet) as write_log:
        trainer = ParserTrainer(
            recipe,
            treebank,
            silver=silver,
            raw=text,
            start=begun,
            device=where,
            threads=threads or available_threads(),
            log=write_log,
        )
        parser = trainer.trained(trainer.train(seed)).rounded()
    tests: list[ParserTest] = [
        tested(path, trees, parser, ComparisonSettings(samples=0)) for path, trees in held_out
    ]
    trained = {
        "treebank": len(treebank),
        "silver": len(silver),
        "raw": len(text),
        "start": start or "",
        "seed": seed,
        "recipe": asdict(recipe),
    }
    if tests:
        trained["accuracy"] = list(accuracy_table(tests).records)
    save_parser(parser, save_model, trained=trained, card=plain_card(save_model, trained))
    if not quiet:
        click.echo(f"{save_model}: learned from {len(treebank):,} trees", err=True)
    if tests:
        click.echo(write_table(accuracy_table(tests), "text"), nl=False)
