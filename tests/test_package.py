"""The package as a whole: layers, doctests, public names, what imports cost."""

from __future__ import annotations

import ast
import doctest
import importlib
import itertools
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import wordorder

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "wordorder"

# From the bottom up. Nothing imports upward; neighbours in one step do not see each other.
STEPS = (
    "core data text io neural align|parse metrics|preorder engine judge|evaluate|analyse "
    "learn tune draw page report integrations web cli"
)
RANK = {name: step for step, names in enumerate(STEPS.split()) for name in names.split("|")}
BELOW_ALL = {"arrays", "errors", "math_threads", "_native", "_version"}


def imported(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "wordorder":
            names = [node.module] if "." in node.module else [f"wordorder.{a.name}" for a in node.names]
            yield from ((node.lineno, name) for name in names)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.startswith("wordorder."))
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, "wordorder.relative"


def upward_imports(root: Path) -> list[str]:
    wrong = []
    for path in sorted(root.rglob("*.py")):
        home = path.relative_to(root).parts[0]
        if home.endswith(".py"):
            continue  # __init__ and __main__ stand above all layers
        for line, name in imported(path):
            away = name.split(".")[1]
            if away in BELOW_ALL or away == home:
                continue
            if away not in RANK or home not in RANK or RANK[away] >= RANK[home]:
                wrong.append(f"{path}:{line} imports {name}")
    return wrong


def test_imports_go_one_way() -> None:
    assert upward_imports(SOURCE) == []


def test_upward_imports_are_caught(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "io").mkdir()
    (tmp_path / "core" / "bad.py").write_text("from wordorder.metrics import metric\n")
    (tmp_path / "core" / "worse.py").write_text("def f():\n    import wordorder.cli.main\n")
    (tmp_path / "core" / "relative.py").write_text("from ..io import files\n")
    (tmp_path / "io" / "fine.py").write_text(
        "from wordorder.core.tree import tree\nfrom wordorder import errors\n"
    )
    assert len(upward_imports(tmp_path)) == 3


def test_core_neither_prints_nor_opens_files() -> None:
    for path in (SOURCE / "core").rglob("*.py"):
        calls = [n.func.id for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                 if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]  # fmt: skip
        assert not {"print", "open"} & set(calls), path


MODULES = sorted(
    m.name for m in pkgutil.walk_packages(wordorder.__path__, "wordorder.") if "__main__" not in m.name
)


@pytest.mark.parametrize("name", ["wordorder", *MODULES])
def test_examples_in_docstrings(name: str) -> None:
    if name.endswith("._native"):
        pytest.skip("no docstrings to run")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "triton", "spacy"):  # of training networks, and of integrations
            raise
        pytest.skip(f"needs {error.name}")
    assert doctest.testmod(module).failed == 0


def test_public_names_are_those_announced() -> None:
    assert sorted(wordorder._HOMES) == sorted(set(wordorder.__all__) - {"__version__"})
    for name in wordorder.__all__:
        assert getattr(wordorder, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        wordorder.nothing  # noqa: B018
    assert dir(wordorder) == wordorder.__all__


def test_version_is_that_of_the_project() -> None:
    import tomllib
    from importlib.metadata import version

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    provider = project["tool"]["scikit-build"]["metadata"]["version"]
    assert project["project"]["dynamic"] == ["version"] and (ROOT / provider["input"]).samefile(
        SOURCE / "_version.py"
    )
    assert version("wordorder") == wordorder.__version__
    assert (SOURCE / "py.typed").exists()


# What a score of word order on plain text does without. A short command takes as long as its imports.
HEAVY = {
    "scipy", "sacrebleu", "orjson", "rich", "zstandard", "regex", "Stemmer", "safetensors", "pandas", "dask",
    "numpy.random", "numpy.ma", "numpy.testing", "numpy.polynomial", "numpy.fft",
    "concurrent.futures", "multiprocessing", "logging", "asyncio", "subprocess",
    "importlib.metadata", "importlib.resources", "pkgutil", "email",
    "pathlib", "tempfile", "shutil", "glob", "json", "gzip", "bz2", "lzma",
    "wordorder.core.orders", "wordorder.core.tree", "wordorder.core.forest", "wordorder.draw.scene",
    "wordorder.engine.score_orders", "wordorder.io.aligned", "wordorder.io.columns", "wordorder.io.parquet",
    "wordorder.io.sniff", "wordorder.metrics.beer", "wordorder.metrics.checks", "wordorder.page",
    "wordorder.metrics.given_alignments", "wordorder.text.paraphrases", "wordorder.text.stems",
    "wordorder.text.synonyms",
}  # fmt: skip
TERMINAL = {"shutil", "bz2", "lzma"}  # the size of which click asks for
COMMANDS = {
    ("--help",): {"numpy", "dataclasses", "wordorder._native", *HEAVY - TERMINAL},
    ("score", "--help"): {"numpy", "dataclasses", "wordorder._native", *HEAVY - TERMINAL},
    ("score", "-r", "one", "one", "-m", "kendall"): HEAVY,
    ("score", "-r", "one", "one", "-m", "kendall,fuzzy,pet_size,recpef,full"): HEAVY,
}


@pytest.mark.parametrize("lines", ["", "another line\n" * 2], ids=["one line", "an interval"])
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_short_commands_import_nothing_heavy(arguments: tuple[str, ...], lines: str, tmp_path: Path) -> None:
    (tmp_path / "one").write_text("one line, déjà vu\n" + lines, encoding="utf-8")
    code = (
        "import sys; import wordorder.cli.main as main\n"
        "try: main.main()\n"
        "except SystemExit as stop: assert stop.code == 0\n"
        "print('imported', *sys.modules, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout and set(done.stderr.partition("imported ")[2].split()) & COMMANDS[arguments] == set()


def test_a_program_that_ends_at_once_still_does_what_was_left_for_its_end() -> None:
    code = (
        "import atexit, sys, threading, time; from wordorder.cli.main import program\n"
        "print('first'); atexit.register(print, 'last')\n"
        "def work(): time.sleep(0.2); print('late')\n"
        "threading.Thread(target=work).start() if {at_work} else None\n"
        "program()\n"
        "print('never')\n"
    )
    for arguments, at_work, status in (
        (["metrics", "kendall"], False, 0),
        (["metrics", "kendall"], True, 0),
        (["metrics", "kendal"], False, 2),
    ):
        command = [sys.executable, "-c", code.format(at_work=at_work), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == status
        first, *told, last = done.stdout.splitlines()
        assert (first, last) == ("first", "last") and ("late" in told) == at_work
        assert any("kendall" in line for line in told) == (status == 0) and "never" not in told


def test_generated_pages_are_up_to_date() -> None:
    for module in ("tools.pictures", "tools.text_scores", "experiments.tightness.page"):
        done = subprocess.run(
            [sys.executable, "-m", module, "--check"], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert done.returncode == 0, done.stderr


def test_no_machine_paths_in_the_tree() -> None:
    for folder in ("src", "tests", "docs", "native", "benchmarks", "experiments", "tools"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".md", ".cpp", ".h", ".toml", ".txt", ".template"}:
                text = path.read_text(encoding="utf-8")
                assert "/" + "work/" not in text and "/" + "root/" not in text, path


def test_sample_orders_fit_the_sample_text() -> None:
    from wordorder.data import sample
    from wordorder.io.permutations import read_permutations

    reference = sample("reference.txt").read_text(encoding="utf-8").splitlines()
    for system in ("system-a", "system-b"):
        lines = sample(f"{system}.txt").read_text(encoding="utf-8").splitlines()
        orders = read_permutations(str(sample(f"{system}.ranks")))
        assert len(reference) == len(lines) == len(orders) == 20
        for ref, line, order in zip(reference, lines, orders, strict=True):
            assert order.apply(line.split()) == ref.split()


def test_every_public_name_is_on_the_api_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    missing = [name for name in wordorder.__all__ if name != "__version__" and f"**`{name}`**" not in page]
    assert missing == [] and len(wordorder.__all__) <= 36


def walks() -> dict[str, list[tuple[str, str]]]:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z ]+)` \| (`cli/.*) \|$", page, re.M)
    return {verb: [tuple(step.strip("` ").split(":")) for step in row.split(">")] for verb, row in rows}  # type: ignore[misc]


def test_the_walks_of_the_architecture_exist_and_are_straight() -> None:
    found = walks()
    main = {"score", "judge", "stress", "align", "preorder train", "preorder apply", "evaluate", "tune",
            "choose", "draw", "report score", "preorder parse"}  # fmt: skip
    assert set(found) == main
    for verb, steps in found.items():
        for file, name in steps:
            names = {node.name for node in ast.walk(ast.parse((SOURCE / file).read_text("utf-8")))
                     if isinstance(node, ast.FunctionDef | ast.ClassDef)}  # fmt: skip
            assert name in names, f"{verb}: {file} has no {name}"
        # A package that was left is not entered again; files are read first and written last.
        packages = [file.split("/")[0] for file, _ in steps if not file.startswith("io/")]
        left = [name for name, after in itertools.pairwise(packages) if name != after]
        assert len(left) == len(set(left)) and packages[-1] not in left, f"{verb}: {packages}"


def test_a_class_name_is_used_once() -> None:
    homes: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_array_types_are_named_in_one_place() -> None:
    aliases = [
        f"{path}: {line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if re.match(r"\w+ = NDArray\[", line) and path.name != "arrays.py"
    ]
    assert aliases == []


def test_wrong_types_are_refused_in_words() -> None:
    for call in (
        lambda: wordorder.metric(3),  # type: ignore[arg-type]
        lambda: wordorder.preorderer(None),  # type: ignore[arg-type]
        lambda: wordorder.orders_from_links(["0-1"]),  # type: ignore[list-item]
        lambda: wordorder.train_aligner("abc", "def"),
    ):
        with pytest.raises(wordorder.WordOrderError, match="expected a"):
            call()
