"""Targets that read text: formats, judgments, lists, tables, rules and requests."""

from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import zstandard

from tools.fuzz.structure import Files
from tools.fuzz.target import Target, only_file, read_files, write_files
from wordorder.cli.line_protocol import Server
from wordorder.core.orders import Policy, orders_from_links
from wordorder.engine.shards import Job, Outcome, run_shards
from wordorder.evaluate.corpus import read_orders
from wordorder.evaluate.ratings import read_ratings
from wordorder.io.aligned import read_pairs
from wordorder.io.files import open_output
from wordorder.io.lenient import Lenient
from wordorder.io.parallel import read_parallel
from wordorder.io.parse_table import read_parses
from wordorder.io.permutations import found_base, read_permutations
from wordorder.io.read_write import read_records
from wordorder.io.registry import file_format, format_names
from wordorder.io.shards import find_shards
from wordorder.judge.external_scores import submitted_scores
from wordorder.judge.formats.mt_metrics_eval import read_metric_scores
from wordorder.judge.read import judgment_formats, read_judgments
from wordorder.judge.source_links import with_links
from wordorder.metrics.flat import Kendall
from wordorder.metrics.registry import metric
from wordorder.preorder.corpus import read_training
from wordorder.preorder.grammar.treebank import ForestShape, build_treebank, tokenise
from wordorder.preorder.grammar.vocabulary import UNKNOWN, Vocabulary
from wordorder.preorder.rules.sets import rule_set
from wordorder.text.function_words import function_words
from wordorder.text.paraphrases import ParaphraseTable
from wordorder.text.parses import KINDS, pieces
from wordorder.text.synonyms import WordNet
from wordorder.text.tokens import Words
from wordorder.tune.reading import collect_candidates, read_candidates
from wordorder.tune.weights import read_weights

SIZES = (3, 2, 0)  # words of the sentences that files of orders and ratings are about
LANGUAGES = ("en", "de")


def readers() -> list[Target]:
    """Return the targets."""
    formats = [Target(f"format_{name}", *_format(name)) for name in format_names()]
    judgments = [Target(f"judgments_{form.name}", _judgments(form.stored_as)) for form in judgment_formats()]
    return [
        *formats,
        *judgments,
        Target("judgments_links", _links_of_judgments),
        Target("judgments_submitted", _submitted),
        Target("judgments_metric_scores", _metric_scores),
        Target("permutations", _permutations),
        Target("pairs", _pairs),
        Target("training", _training),
        Target("evaluate_orders", _orders),
        Target("evaluate_ratings", lambda case: read_ratings(only_file(case), ["a", "b"], len(SIZES))),
        Target("candidates", _candidates),
        Target("weights", _weights),
        Target("parses", _parses),
        Target("paraphrases", _paraphrases, _packed_paraphrases),
        Target("synonyms", _synonyms),
        Target("function_words", _function_words, _packed_function_words),
        Target("rules", _rules, _shipped_rules),
        Target("line_requests", _requests),
        Target("packed", _packed, _packed_text),
        Target("columns", _columns),
        *([Target("parquet", _parquet, _made_parquet)] if find_spec("pyarrow") else []),
        Target("shards", _shards, _finished_shards),
    ]


def _format(name: str) -> tuple[Callable[[Path], object], Callable[[], list[Files]]]:
    """Read a file strictly, leniently, and in the format that it looks like; what is read is written."""
    form = file_format(name)

    def run(case: Path) -> None:
        path = only_file(case)
        list(read_records(path, form, lenient=Lenient()))
        list(read_records(path, lenient=Lenient()))
        list(read_records(path, form))

    def make() -> list[Files]:
        out = io.BytesIO()
        form.write(form.examples(), out)
        ending = form.extensions[0] if form.extensions else ""
        return [{f"file{ending}": data} for data in (out.getvalue(), *(data for data, _ in form.broken()))]

    return run, make


def _columns(case: Path) -> None:
    """Read a column of a table as text, and as links."""
    path = f"{only_file(case)}#a"
    list(read_parallel([path], lenient=Lenient()))
    list(read_parallel([(path, "pharaoh")], lenient=Lenient()))
    list(read_parallel([path]))


def _parquet(case: Path) -> None:
    list(read_parallel([f"{only_file(case)}#source"], lenient=Lenient()))
    list(read_pairs(only_file(case)))


def _made_parquet() -> list[Files]:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    rows = [{"source": f"a b {k}", "target": "c d"} for k in range(40)]
    made = []
    for packing in ("none", "gzip", "zstd"):
        out = io.BytesIO()
        parquet.write_table(arrow.Table.from_pylist(rows), out, compression=packing, row_group_size=15)
        made.append({"pairs.parquet": out.getvalue()})
    return made


def _copied(files: Mapping[str, str], output: str) -> Outcome:
    """Copy a shard, as the work on it."""
    with open_output(output) as out:
        out.write(Path(files["text"]).read_bytes())
    return Outcome()


def _shards(case: Path) -> None:
    """Resume a run whose files may be damaged."""
    found = find_shards({"text": str(case / "in")})
    run_shards(Job(_copied, {"a": 1}, found, f"{case}/out/*.txt"), map, resume=True)


def _finished_shards() -> list[Files]:
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder)
        write_files(case, {"in/a.txt": b"x\n", "in/b.txt": b"y\n"})
        _shards(case)
        return [read_files(case)]


def _judgments(stored_as: str) -> Callable[[Path], object]:
    return lambda case: read_judgments(str(case) if stored_as == "folder" else only_file(case))


def _links_of_judgments(case: Path) -> None:
    with_links(read_judgments(str(case)), str(case / "links"))


def _submitted(case: Path) -> None:
    sets = read_judgments(str(case))
    for name in ("metric.seg.score", "metric.sys.score"):
        submitted_scores(str(case / name), sets)


def _metric_scores(case: Path) -> None:
    for judgments in read_judgments(str(case)):
        read_metric_scores(str(case), judgments)


def _permutations(case: Path) -> None:
    path = only_file(case)
    base = found_base(Path(path).read_bytes()) or 0
    for order in (False, True):
        Kendall().score_orders(read_permutations(path, base=base, order=order))


def _pairs(case: Path) -> None:
    list(read_pairs(only_file(case), lenient=Lenient()))
    list(read_pairs(only_file(case)))


def _training(case: Path) -> None:
    """Read parallel files; what is aligned becomes forests."""
    parse = case / "parse.conllu"
    sources, alignments = read_training(
        str(case / "text"),
        str(case / "align"),
        target=str(case / "target"),
        parse=str(parse) if parse.exists() else None,
        languages=str(case / "languages"),
    )
    words = [source.words for source in sources]
    shape = ForestShape(rare=0)
    sentences = list(tokenise(words, alignments, shape))
    build_treebank(sentences, Vocabulary((UNKNOWN, "a"), False), shape)
    orders_from_links(alignments, Policy(name="talbot"), words=words)


def _orders(case: Path) -> None:
    read_orders(only_file(case), SIZES)
    read_orders(only_file(case), SIZES, ranks=True)


def _candidates(case: Path) -> None:
    path = only_file(case)
    list(read_candidates([path], lenient=Lenient()))
    collect_candidates([path], lenient=Lenient())
    collect_candidates([path])


def _weights(case: Path) -> None:
    path = only_file(case)
    read_weights(list(read_records(path, "text")), path)


def _parses(case: Path) -> None:
    table = read_parses([only_file(case)])
    for kind in KINDS:
        pieces(table.find("It rains."), kind) if "It rains." in table else None


def _paraphrases(case: Path) -> None:
    words = Words()
    words.encode(["the car is an automobile", "a b c"])
    ParaphraseTable(Path(only_file(case))).numbers(words)


def _packed_paraphrases() -> list[Files]:
    return [{"paraphrases.gz": gzip.compress(b"0.5\na b\nc\n0.25\nthe car\nthe automobile\n", mtime=0)}]


def _synonyms(case: Path) -> None:
    words = Words()
    words.encode(["the cars ran", "mice lives"])
    WordNet(case).synsets(words)


def _function_words(case: Path) -> None:
    function_words.cache_clear()
    function_words("en", only_file(case))


def _packed_function_words() -> list[Files]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("function/english.words"), "the\nof\n")
    return [{"meteor.zip": out.getvalue()}]


def _rules(case: Path) -> None:
    rule_set(only_file(case))


def _shipped_rules() -> list[Files]:
    from wordorder.data import package_file

    return [
        {"rules.toml": (package_file("rules") / f"{name}.toml").read_bytes()} for name in ("sov", "en-ja")
    ]


def _requests(case: Path) -> None:
    lines = Path(only_file(case)).read_bytes().split(b"\n")
    for server in SERVERS:
        answers = server.answers(lines)
        assert len(answers) == len(lines), "a request without an answer"
        assert not any("\n" in answer for answer in answers), "an answer of two lines"


SERVERS = (Server(metric("chrf")), Server(metric("full"), integers=1000), Server(metric("beer:version=2.0")))


def _packed(case: Path) -> None:
    list(read_records(only_file(case), "text"))


def _packed_text() -> list[Files]:
    text = "".join(f"line {number}\n" for number in range(300)).encode()
    return [
        {"text.gz": gzip.compress(text, mtime=0)},
        {"text.zst": zstandard.ZstdCompressor(write_checksum=True).compress(text)},
    ]
