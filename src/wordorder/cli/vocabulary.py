"""The vocabulary of the command line: options that several verbs share.

An option has the same name, short form and meaning in every verb; ``tests/cli/test_vocabulary.py``
reads all commands and keeps it so. A verb adds what only it needs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click
from click.core import ParameterSource

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = {".json": "json", ".tsv": "tsv", ".md": "markdown", ".tex": "latex", ".txt": "text"}
PICTURE_FORMATS = {".svg": "svg", ".png": "png", ".tex": "latex", ".tikz": "tikz", ".txt": "text"}
OTHER_FORMATS = {*FORMATS, *PICTURE_FORMATS, ".bmp", ".csv", ".eps", ".gif", ".htm", ".html", ".jpeg", ".jpg",
                 ".pdf", ".webp", ".xlsx", ".xml", ".yaml", ".yml"}  # fmt: skip
TOKENIZERS = ["auto", "none", "13a", "letters", "script", "ar-clitics", "intl", "zh", "ja-mecab", "ko-mecab",
              "char"]  # fmt: skip


def own_output(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Check that no other option writes to the same place; the callback if the rest is checked later."""
    if path and path != "-" and not context.resilient_parsing:
        place = os.path.realpath(path)
        is_device = os.path.exists(place) and not os.path.isfile(place) and not os.path.isdir(place)
        name = parameter.opts[-1]
        writers = context.meta.setdefault("wordorder.outputs", {})
        if not is_device and writers.setdefault(place, name) != name:
            raise click.UsageError(f"{writers[place]} and {name} write to the same place, {path}")
    return path


def output_file(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Check that a file can be written, before any work is done; the callback of options for files."""
    if path and not context.resilient_parsing:
        from wordorder.io.files import check_output

        own_output(context, parameter, path)
        check_output(path)
    return path


def output_folder(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Check that a folder can be filled, before any work is done; the callback of options for folders."""
    if path and not context.resilient_parsing:
        from wordorder.io.folders import check_output_folder

        check_output_folder(path)
    return path


def model_folder(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Check that a folder can be replaced, before any work is done; the callback of options for models."""
    if path and not context.resilient_parsing:
        from wordorder.io.folders import check_output_folder

        own_output(context, parameter, path)
        check_output_folder(path, replaced=True)
    return path


format_option = click.option(
    "-f", "--format", "form", type=click.Choice(["text", "tsv", "json", "markdown", "latex"]), default=None,
    help="Output format. Default: by the ending of --output (.json, .tsv, .md, .tex), else text.",
)  # fmt: skip
explanation_format_option = click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default=None,
    help="Output format. Default: by the ending of --output (.json), else text.",
)  # fmt: skip
output_option = click.option(
    "-o", "--output", callback=output_file, default="-", metavar="FILE",
    help="File to write; it appears only when complete. Default: standard output.",
)  # fmt: skip
outputs_option = click.option(
    "-o", "--output", callback=own_output, default="-", metavar="FILE",
    help="File to write; it appears only when complete. Default: standard output. For a corpus in many "
    "files: a folder, or a pattern such as FOLDER/*.gz.",
)  # fmt: skip
threads_option = click.option(
    "--threads", type=click.IntRange(1, 1024), default=None, help="Number of threads. Default: one per core."
)
cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Dask cluster to work on; local:N starts N processes here."
)
resume_option = click.option(
    "--resume", is_flag=True, help="Continue a run that was interrupted; what is finished is not done again."
)
samples_option = click.option(
    "--samples", type=click.IntRange(0, 1_000_000), default=1000, show_default=True,
    help="Number of resamples for intervals and tests; 0 computes neither.",
)  # fmt: skip
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=12345, show_default=True, help="Random seed."
)
quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Do not print progress and notes to standard error."
)
lenient_option = click.option("--lenient", is_flag=True, help="Skip malformed lines, and report how many.")
names_option = click.option(
    "--names", default="", metavar="NAME,...", help="Names of the systems, in order. Default: file names."
)
paired_option = click.option(
    "--paired", type=click.Choice(["bootstrap", "randomisation", "bootstrap-sacrebleu"]), default=None,
    help="Test the differences between systems on the same sentences. bootstrap-sacrebleu gives the p-values "
    "of sacrebleu, which are of one tail.",
)  # fmt: skip


def joined_names(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str:
    """Join the values of an option that may be repeated, and that takes lists itself."""
    return ",".join(values)


baseline_option = click.option(
    "--baseline", multiple=True, callback=joined_names, metavar="NAME,...",
    help="What to test against. Default: the first system.",
)  # fmt: skip
all_pairs_option = click.option(
    "--all-pairs", is_flag=True, help="Test all pairs of systems, with Holm's correction."
)
plot_option = click.option(
    "--plot", "folder", callback=output_folder, metavar="FOLDER",
    help="Also draw charts (SVG) into this folder.",
)  # fmt: skip
p_values_option = click.option("--p-values", is_flag=True, help="Show p-values in text output.")
model_option = click.option(
    "--model", metavar="NAME|FOLDER", help="Model to use: an installed one by name, or a folder."
)
save_model_option = click.option(
    "--save-model", callback=model_folder, metavar="FOLDER",
    help="Folder to write the model to; it appears only when complete.",
)  # fmt: skip
set_option = click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE",
    help="Change a setting of the model or method; may be repeated.",
)  # fmt: skip
references_option = click.option(
    "-r", "--reference", "references", multiple=True, metavar="FILE", help="Reference; may be repeated."
)
source_option = click.option(
    "-s", "--source", metavar="FILE", help="Source sentences, one per line, words separated by spaces."
)
target_option = click.option(
    "-t", "--target", metavar="FILE", help="Target sentences, one per line, words separated by spaces."
)
words_option = click.option("--words", metavar="TEXT", help="Words of the sentence, separated by blanks.")
parse_option = click.option("--parse", metavar="FILE", help="Dependency trees of the source, CoNLL-U.")
parser_option = click.option(
    "--parser",
    metavar="NAME|FOLDER",
    help="Parser to use: an installed one by name (default: en), or a folder.",
)
udpipe_option = click.option("--udpipe", metavar="FILE", help="UDPipe 1 model to parse with.")
spacy_option = click.option("--spacy", metavar="NAME", help="Name of the spaCy pipeline to parse with.")
parses_option = click.option(
    "--parses", default="", metavar="FILE:...", help="Dependency trees of the texts, CoNLL-U, found by text."
)
raw_option = click.option(
    "--raw", metavar="FILE", help="More source sentences, without annotation (networks)."
)
device_option = click.option(
    "--device", default="auto", show_default=True,
    help="Device on which to train a network: cpu, cuda; auto uses a GPU if there is one.",
)  # fmt: skip
log_option = click.option(
    "--log", callback=output_file, metavar="FILE",
    help="File for a log of the training, one JSON object per iteration.",
)  # fmt: skip
align_option = click.option("--align", metavar="FILE", help="Word alignments of source and target.")
align_format_option = click.option(
    "--align-format", default="pharaoh", show_default=True,
    help="Format of the alignments ('wordorder formats' lists them).",
)  # fmt: skip
base_option = click.option(
    "--base", type=click.Choice(["0", "1"]), default=None,
    help="Smallest number in use: 0 or 1. Default: 0 for alignments; read off the numbers of permutations.",
)  # fmt: skip
_RANKS_HELP = "Whether numbers say which place each word takes, or which word is read next."
ranks_option = click.option("--ranks/--order", "ranks", default=True, show_default=True, help=_RANKS_HELP)
# Files that preorderers write hold orders.
order_option = click.option("--ranks/--order", "ranks", default=False, show_default=True, help=_RANKS_HELP)
escape_option = click.option(
    "--escape", type=click.Choice(["none", "moses"]), default="none", show_default=True,
    help="Escape characters in words that a decoder takes for something else (& | < > ' \" [ ]).",
)  # fmt: skip
language_option = click.option(
    "--language", default="en", show_default=True,
    help="Language of the text, for stemming, synonyms, paraphrases and the lower case of Turkish.",
)  # fmt: skip

tokenize_option = click.option(
    "--tokenize", type=click.Choice(TOKENIZERS), default="auto", show_default=True,
    help="Tokenizer of all metrics that split text into words. auto: by script, and by language if it is "
    "known; where words are separated by spaces, the standard of each metric.",
)  # fmt: skip
lowercase_option = click.option(
    "--lowercase/--cased", default=None,
    help="Ignore case, or distinguish it, in all metrics. Default: the standard of each metric.",
)  # fmt: skip
normalize_option = click.option(
    "--normalize", default=None, metavar="STEPS",
    help="Spellings that all metrics unify before they compare texts: none, standard, or steps such as "
    "standard+alef. Default: the standard of each metric.",
)  # fmt: skip
match_option = click.option(
    "--match", default="exact", show_default=True, metavar="STAGES",
    help="Which words match: exact+stem+synonym+paraphrase, some of them, or ribes.",
)  # fmt: skip
wordnet_option = click.option(
    "--wordnet", default="", metavar="FOLDER", help="Folder of WordNet, if not in a usual place."
)
paraphrases_option = click.option(
    "--paraphrases", default="", metavar="FILE",
    help="Paraphrase table in METEOR's format, if not in a usual place.",
)  # fmt: skip


def metrics_option(
    default: str, *, help: str = "Metrics to compute ('wordorder metrics' lists them); may be repeated."
) -> Callable[[F], F]:
    """Make the option that names metrics; each verb has its own sensible default."""
    return click.option(
        "-m", "--metrics", "specs", multiple=True, default=[default], show_default=True, metavar="METRIC,...",
        help=help,
    )  # fmt: skip


def testset_option(help: str) -> Callable[[F], F]:
    """Make the option that names a test set; -t is its short form in sacrebleu, too."""
    return click.option("-t", "--testset", metavar="NAME", help=help)


def pair_option(help: str) -> Callable[[F], F]:
    """Make the option that names a language pair; -l is its short form in sacrebleu, too."""
    return click.option("-l", "--pair", metavar="PAIR", help=help)


def as_option(*kinds: str, help: str = "What to write.") -> Callable[[F], F]:
    """Make the option that chooses the kind of content; the first kind is the default."""
    return click.option(
        "--as", "kind", type=click.Choice(kinds), default=kinds[0], show_default=True, help=help
    )


def several(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Add several options at once; help lists them in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


parser_options = several(parser_option, udpipe_option, spacy_option)
table_options = several(format_option, output_option)
shards_options = several(cluster_option, resume_option)
links_options = several(align_format_option, base_option)
test_options = several(
    paired_option, baseline_option, all_pairs_option, p_values_option, samples_option, seed_option
)


def chosen_format(
    form: str | None, output: str, known: Mapping[str, str] = FORMATS, *, option: str = "--format"
) -> str:
    """Choose the format of a table or picture: as asked, else by the ending of the file, else text.

    ``known`` are the endings of the formats that can be written.

    >>> chosen_format(None, "scores.json"), chosen_format("latex", "scores.txt"), chosen_format(None, "-")
    ('json', 'latex', 'text')
    """
    ending = os.path.splitext(output.removesuffix(".gz").removesuffix(".zst"))[1].lower()
    if not form and ending in OTHER_FORMATS - known.keys():
        endings = ", ".join(known)
        pages = "; 'wordorder report' writes HTML" if ending in (".htm", ".html") else ""
        raise click.UsageError(
            f"cannot write {ending}; choose {option}, or a file that ends in {endings}{pages}"
        )
    return form or known.get(ending, "text")


def set_by_user(*names: str) -> list[str]:
    """Return those of the parameters that the user set on the command line."""
    ctx = click.get_current_context()
    return [name for name in names if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]


def refuse(*names: str, why: str) -> None:
    """Raise a usage error if the user set one of these parameters, which would have no effect."""
    ctx, used = click.get_current_context(), set_by_user(*names)
    for parameter in ctx.command.params:
        if parameter.name in used:
            options = [*parameter.opts, *parameter.secondary_opts]
            long = [option for option in options if option.startswith("--")] or options
            raise click.UsageError(f"{'/'.join(long)} would have no effect: {why}", ctx=ctx)


def refuse_overwriting(outputs: Mapping[str, str | None], inputs: Iterable[str | None]) -> None:
    """Raise a usage error if an output, by the name of its option, is an input or another output."""
    taken = {os.path.realpath(path): path for path in inputs if path and path != "-"}
    for option, path in outputs.items():
        if path and path != "-":
            place = os.path.realpath(path)
            if place in taken:
                raise click.UsageError(f"{option} {path} would overwrite {taken[place]}")
            taken[place] = f"{option} {path}"


def links_format(align_format: str, base: str | None) -> str:
    """Join --align-format and --base into the name of a format with its settings."""
    if align_format == "pharaoh":
        return f"pharaoh:base={base or 0}"
    if base is not None:
        raise click.UsageError(
            f"--base would have no effect: the format of the alignments is {align_format};"
            " give its settings there, as in pharaoh:base=1"
        )
    return align_format


def wants_color() -> bool:
    """Whether standard output is a terminal that may be coloured."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
