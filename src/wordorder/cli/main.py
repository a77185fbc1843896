"""The ``wordorder`` command.

Every verb has its own file, which is imported only when the verb runs, so that help is instant.
Exit codes: 0 success, 1 a check failed, 2 wrong usage, 3 bad data, 130 interrupted.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
import threading
from typing import NoReturn

import click

from wordorder._version import __version__
from wordorder.cli.lazy import LazyGroup
from wordorder.cli.signals import stopping_on_signals, told
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.math_threads import use_one_math_thread

# New objects after which Python looks for garbage. The usual 700 would cost a tenth of the time of a short
# command, all of it during imports, which leave no garbage.
COLLECT_AFTER = 50_000

VERBS = {
    "align": "Align the words of two languages; train, save and reuse an aligner.",
    "align-judgments": "Align the sources of human judgments with references and outputs.",
    "align-report": "Check a file of word alignments and draw a sample of it.",
    "beer": "Explain BEER scores.",
    "choose": "Choose among candidate translations: by weights, or by minimum Bayes risk.",
    "demo": "Score and draw the bundled sample corpus.",
    "draw": "Draw a sentence: its tree, its links, or what a model predicts.",
    "evaluate": "Score the word order of preorderers against manual alignments.",
    "formats": "List the file formats, or identify files.",
    "integrations": "Write what other programs load, and convert what they write.",
    "judge": "Measure how well metrics agree with human judgments.",
    "learn": "Learn a metric, or the settings of a metric, from human judgments.",
    "metrics": "List the metrics, or describe one.",
    "models": "List, install and check the models that commands find by name.",
    "orders": "Order source words by their word alignments.",
    "preorder": "Put source sentences into target order: train and apply models.",
    "report": "Write a report as one HTML file that opens anywhere, without a network.",
    "score": "Score translations or permutations with many metrics at once.",
    "scorer": "Answer tuners and decoders: a metric for Moses and cdec.",
    "serve": "Open a local page in the browser: paste, see, drag, reorder, annotate; with a JSON API.",
    "stress": "Find out what metrics can be fooled by: shuffled, truncated, negated texts and more.",
    "tree": "Draw the tree of a permutation, or count all its trees.",
    "tune": "Tune the weights of a translation system towards a metric.",
}

EXAMPLES = """\
\b
  wordorder score -r reference.txt system-a.txt system-b.txt --paired bootstrap
  wordorder tree "2 4 5 6 1 3" --words "I will wait for you tomorrow"
  wordorder preorder apply --model en-ja-crf -s text.en

Word order in translation: measure it, explain it, predict it.

Results are written to standard output; progress and warnings go to standard error. Exit
codes: 0 success, 1 a check failed, 2 wrong usage, 3 bad data, 130 interrupted.
"""


@click.group(
    cls=LazyGroup,
    verbs=VERBS,
    modules="wordorder.cli.",
    help=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="wordorder")
@click.option(
    "--longest-line",
    type=click.IntRange(1 << 20),
    metavar="BYTES",
    help="Refuse longer lines. Default: 64 MiB.",
)
@click.option(
    "--longest-sentence",
    type=click.IntRange(1),
    metavar="WORDS",
    help="Refuse to reorder longer sentences by models. Default: 2000.",
)
def command(longest_line: int | None, longest_sentence: int | None) -> None:
    """Group the verbs."""
    # Environment variables, so that other processes have the limits, too.
    if longest_line:
        os.environ["WORDORDER_LONGEST_LINE"] = str(longest_line)
    if longest_sentence:
        os.environ["WORDORDER_LONGEST_SENTENCE"] = str(longest_sentence)


def main() -> NoReturn:
    """Run the command; signals end it within a second."""
    use_one_math_thread()  # work is divided by --threads; more threads beside them only cost time
    open_missing_streams()
    with stopping_on_signals():
        run()


def program() -> NoReturn:
    """Run the command as a program that ends at once: Python would first take apart all that was imported.

    Programs that watch this one, such as profilers, and threads that are still at work need the usual end.
    """
    gc.set_threshold(COLLECT_AFTER)
    code: str | int | None = 0
    try:
        main()
    except SystemExit as stop:
        code = stop.code
    alone = all(thread is threading.main_thread() or thread.daemon for thread in threading.enumerate())
    if not alone or sys.getprofile() or sys.gettrace() or not isinstance(code, int):
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # closed, or nobody reads it any more
            if stream is not None:
                stream.flush()
    os._exit(code)


def open_missing_streams() -> None:
    """Put nothing in the place of closed streams: else the next file to be opened would take their number.

    ``sys.stdin`` and ``sys.stdout`` stay None, so that a verb that needs them says that they are closed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (until the end)


def run() -> NoReturn:
    """Run the command and turn every error into one line and an exit code."""
    try:
        result = command.main(prog_name="wordorder", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.exit(result if isinstance(result, int) else 0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.Abort, KeyboardInterrupt):
        told.set()
        fail("interrupted", 130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "Try 'wordorder --help'.")
        sys.exit(0)
    except click.UsageError as error:
        verb = error.ctx.command_path if error.ctx else "wordorder"
        message = explained(error).format_message().rstrip(".")
        fail(f"{message}{'' if message.endswith('?') else '.'} Try '{verb} --help'.", 2)
    except (UnknownName, BadSetting) as error:
        fail(with_options(error), 2)
    except WordOrderError as error:
        fail(with_options(error), 3)
    except MemoryError:
        fail("not enough memory for an input of this size", 3)
    except UnicodeEncodeError as error:
        fail(f"output cannot be written as {error.encoding}: {error.reason}. Try PYTHONUTF8=1.", 3)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        if not place and is_of_standard_output(error):
            place = "standard output: cannot be written: "
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what could not be written is not tried again
        fail(f"{place}{error.strerror or error}", 3)


def is_of_standard_output(error: OSError) -> bool:
    """Whether an error, which names no file, was raised where standard output is written."""
    import traceback

    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame.f_code is run.__code__ or (
        frame.f_code is click.echo.__code__ and frame.f_locals["err"] is False
    )


def explained(error: click.UsageError) -> click.UsageError:
    """Return an error that says which numbers are expected where the value of an option is none of them."""
    if not isinstance(error, click.BadParameter) or error.param is None:
        return error
    kind = error.param.type
    value, what, _ = error.message.partition(" is not a valid ")
    if not what or not isinstance(kind, click.IntRange | click.FloatRange):
        return error
    number = "an integer" if isinstance(kind, click.IntRange) else "a number"
    which = f"of at least {kind.min}" if kind.max is None else f"from {kind.min} to {kind.max}"
    return click.BadParameter(f"{value}; expected {number} {which}", error.ctx, error.param)


def with_options(error: WordOrderError) -> str:
    """Write the message of an error, with its suggested settings as options of the verb that was called.

    A setting that is not an option of the verb belongs to a model: it is given by --set or after its name.
    """
    known = {name for parameter in called_verb().params for name in parameter.opts}
    tries = []
    for name, value in error.suggest.items():
        flag = f"--{name.replace('_', '-')}"
        # A language that is suggested is that of a model, not that of the words (--language of `score`).
        if flag in known and not (name == "language" and "--set" in known):
            tries.append(flag if value is True else f"{flag} {value}")
        else:
            tries.append(f"--set {name}={value}" if "--set" in known else f"NAME:{name}={value}")
    return " ".join([error.message, *(f"Try {text}." for text in tries)])


def called_verb() -> click.Command:
    """Return the verb that the arguments of this process name."""
    verb: click.Command = command
    for word in sys.argv[1:]:
        if isinstance(verb, LazyGroup) and word in verb.verbs:
            verb = verb.get_command(click.Context(verb), word) or verb
    return verb


def fail(message: str, code: int) -> NoReturn:
    """Print what is wrong in one line, and exit."""
    from wordorder.io.terminal import harmless

    line = " ".join(message.split()).encode("utf-8", "replace")
    with contextlib.suppress(OSError):  # a full disk: the exit code still says what is wrong
        click.echo(f"wordorder: {harmless(line).decode()}", err=True)
    sys.exit(code)
