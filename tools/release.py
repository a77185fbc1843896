"""Prepare a release: build everything from a fresh clone, install it in clean environments, and try it there.

    python -m tools.release [--out FOLDER] [--steps clone,build,wheels,sdists,core] [--test]
    python -m tools.release --set-version 0.2.0

Needs the extra ``release``. Only what is committed counts. The steps, each of which prints what it found:

* ``clone``: the two commands of the README for newcomers, ``make demo`` and with ``--test`` ``make test``;
* ``build``: source archives and wheels of wordorder and wordorder-models, their sizes, and the wheels that
  cibuildwheel would build for other platforms;
* ``wheels``: both wheels in a new environment, and every command of the README with its output;
* ``sdists``: the same with both source archives, built without an index from downloaded requirements;
* ``core``: the wheel of wordorder alone; commands that need other models must say which package has them.

``--set-version`` writes a version to ``_version.py``, ``CITATION.cff`` and ``CHANGELOG.md``, with the date.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from tools.page_commands import examples
from tools.pages import ROOT

LARGEST_WHEEL = 5_000_000  # bytes of the wheel of wordorder
HINT = "pip install wordorder-models"
VERSION = re.compile(r'^__version__ = "(.*)"$', re.M)
CITED = re.compile(r"^version: (.*)$", re.M)
TITLE = re.compile(r"^## (\S+) \((.*)\)$", re.M)


class ReleaseError(Exception):
    """Something that a release must not have."""


# Versions


def version_problems(root: Path) -> list[str]:
    """Return what disagrees about the version."""
    version = _found(VERSION, root / "src" / "wordorder" / "_version.py")
    cited = _found(CITED, root / "CITATION.cff")
    latest = _found(TITLE, root / "CHANGELOG.md")
    places = {"CITATION.cff": cited, "CHANGELOG.md": latest}
    return [
        f"{place} is about {seen}, _version.py about {version}"
        for place, seen in places.items()
        if seen != version
    ]


def _found(pattern: re.Pattern[str], file: Path) -> str:
    match = pattern.search(file.read_text("utf-8"))
    if match is None:
        raise ReleaseError(f"{file} has no line like {pattern.pattern}")
    return match[1]


def set_version(root: Path, version: str, today: date) -> None:
    """Write a version to all places; the changelog must have its section, or one that is not released yet."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        raise ReleaseError(f"{version!r} is no version: expected, for example, 1.2.0 or 1.2.0rc1")
    changes = root / "CHANGELOG.md"
    first = TITLE.search(changes.read_text("utf-8"))
    if first is None or (first[1] != version and first[2] != "unreleased"):
        raise ReleaseError(
            f"CHANGELOG.md begins with a release; write a section '## {version} (unreleased)' first"
        )
    _replace(changes, TITLE, f"## {version} ({today})")
    _replace(root / "src" / "wordorder" / "_version.py", VERSION, f'__version__ = "{version}"')
    citation = root / "CITATION.cff"
    _replace(citation, re.compile(r"^date-released: .*\n", re.M), "")
    _replace(citation, CITED, f"version: {version}\ndate-released: {today}")


def _replace(file: Path, pattern: re.Pattern[str], text: str) -> None:
    file.write_text(pattern.sub(lambda _: text, file.read_text("utf-8"), count=1), "utf-8")


# Environments


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a command and return what it printed; a failure ends the release."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        printed = done.stdout[-4000:] + done.stderr[-4000:]
        raise ReleaseError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{printed}")
    return done.stdout


@contextmanager
def environment(*arguments: str | Path) -> Iterator[Path]:
    """Yield a new environment in which pip has installed something."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        place = Path(folder) / "venv"
        run(sys.executable, "-m", "venv", place)
        run(place / "bin" / "python", "-m", "pip", "install", "--quiet", *arguments)
        yield place


def try_readme(environment: Path, *, models: bool = True) -> list[str]:
    """Run every command of the README in an environment; return one line about each.

    Without ``models``, a command may also say that wordorder-models is missing.
    """
    lines = []
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        settings = {**os.environ, "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        settings |= {"XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder, "COLUMNS": "100"}
        for name in ("PYTHONPATH", "WORDORDER_MODELS", "VIRTUAL_ENV"):
            settings.pop(name, None)
        run("wordorder", "demo", "--folder", "demo", cwd=Path(folder), env=settings)
        run("wordorder", "models", "verify", cwd=Path(folder), env=settings)
        for example in examples(ROOT / "README.md"):
            began = time.monotonic()
            done = subprocess.run(
                ["bash", "-c", example.command],
                cwd=folder,
                env=settings,
                capture_output=True,
                text=True,
                check=False,
            )
            result = "as shown"
            if not models and done.returncode == 2 and HINT in done.stderr:
                result = f"says: {HINT}"
            elif done.returncode or not example.shows(done.stdout):
                raise ReleaseError(
                    f"{example.command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
                )
            lines.append(f"{result:<35} {time.monotonic() - began:5.1f} s  $ {example.command}")
    return lines


# Steps


class Release:
    """A clone of what is committed, and what is built from it."""

    def __init__(self, clone: Path, out: Path, *, test: bool) -> None:
        self.clone, self.out, self.test = clone, out, test

    def step_clone(self) -> list[str]:
        """Run what the README tells newcomers to run."""
        lines = []
        for target in ("demo", "test") if self.test else ("demo",):
            began = time.monotonic()
            run("make", target, f"PYTHON={sys.executable}", cwd=self.clone)
            lines.append(f"make {target}: {time.monotonic() - began:.0f} s")
        return lines

    def step_build(self) -> list[str]:
        """Build the source archives, and the wheels from them."""
        shutil.rmtree(self.out, ignore_errors=True)
        for project in (self.clone, self.clone / "models"):
            run(sys.executable, "-m", "build", "--outdir", self.out, project)
        files = sorted(self.out.iterdir())
        if self.artefact("wordorder-*.whl").stat().st_size > LARGEST_WHEEL:
            raise ReleaseError(f"the wheel of wordorder has more than {LARGEST_WHEEL:,} bytes")
        lines = [f"{file.stat().st_size:12,} bytes  {file.name}" for file in files]
        return lines + [f"cibuildwheel: {name}" for name in self.identifiers()]

    def identifiers(self) -> list[str]:
        """Return the names of the wheels that cibuildwheel would build on all platforms."""
        found = []
        for platform in ("linux", "macos", "windows"):
            command = (
                sys.executable,
                "-m",
                "cibuildwheel",
                "--print-build-identifiers",
                "--platform",
                platform,
            )
            found += run(*command, self.clone).split()
        return found

    def step_wheels(self) -> list[str]:
        """Try both wheels."""
        with environment(self.artefact("wordorder-*.whl"), self.artefact("wordorder_models-*.whl")) as place:
            return try_readme(place)

    def step_sdists(self) -> list[str]:
        """Try both source archives; they are built without an index."""
        archives = [self.artefact("wordorder-*.tar.gz"), self.artefact("wordorder_models-*.tar.gz")]
        needed = tomllib.loads((self.clone / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
        with tempfile.TemporaryDirectory(prefix="release-") as folder:
            pip = (sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder)
            run(*pip, "cmake", "ninja", *needed, *archives)
            with environment("--no-index", "--find-links", folder, *archives) as place:
                return try_readme(place)

    def step_core(self) -> list[str]:
        """Try the wheel of wordorder alone."""
        with environment(self.artefact("wordorder-*.whl")) as place:
            return try_readme(place, models=False)

    def artefact(self, pattern: str) -> Path:
        """Return the only file of the release with such a name."""
        found = sorted(self.out.glob(pattern))
        if len(found) != 1:
            raise ReleaseError(
                f"{self.out} has {len(found)} files {pattern}; expected 1. Run the step build first."
            )
        return found[0]


STEPS = [name.removeprefix("step_") for name in vars(Release) if name.startswith("step_")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Set a version, or run the steps."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the built files")
    parser.add_argument("--steps", default=",".join(STEPS), help="steps to run")
    parser.add_argument("--test", action="store_true", help="also run 'make test' in the clone")
    parser.add_argument("--set-version", metavar="VERSION", help="write a version, and do nothing else")
    options = parser.parse_args(arguments)
    try:
        if options.set_version:
            set_version(ROOT, options.set_version, date.today())
            return 0
        return run_steps(options.steps.split(","), options.out.resolve(), test=options.test)
    except ReleaseError as error:
        print(f"tools.release: {error}", file=sys.stderr)
        return 1


def run_steps(names: Sequence[str], out: Path, *, test: bool) -> int:
    """Run steps on a clone of what is committed."""
    if unknown := set(names) - set(STEPS):
        raise ReleaseError(f"unknown step {min(unknown)}; known: {', '.join(STEPS)}")
    if problems := version_problems(ROOT):
        raise ReleaseError("; ".join(problems))
    if run("git", "-C", ROOT, "status", "--porcelain"):
        print("note: there are changes that are not committed; they are not part of the release", flush=True)
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        clone = Path(folder) / "wordorder"
        run("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone)
        release = Release(clone, out, test=test)
        for name in names:
            began = time.monotonic()
            step: Callable[[], list[str]] = getattr(release, f"step_{name}")
            lines = step()
            print(f"{name} ({time.monotonic() - began:.0f} s)", *lines, sep="\n  ", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
