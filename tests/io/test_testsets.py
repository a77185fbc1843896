"""Test sets by name, from a made-up cache of sacrebleu; nothing is downloaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sacrebleu.dataset import DATASETS

from tests.cli.calls import run_here
from tests.judge.files import written
from wordorder.errors import BadFile, BadSetting, UnknownName
from wordorder.io.testsets import find_testset

SEGMENTS = (("One two .", "Eins zwei ."), ("Three four .", "Drei vier ."))
XML = """<dataset id="wmttest2023"><doc id="d" origlang="en">
<src lang="en"><p>{}</p></src><ref lang="de" translator="refA"><p>{}</p></ref></doc></dataset>"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The unpacked archive of wmt23 and the texts of wmt17, as sacrebleu keeps them; no network."""

    def closed(*args: object, **settings: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr("urllib.request.urlopen", closed)
    for name in ("wmt16", "wmt17", "wmt23"):
        monkeypatch.setattr(DATASETS[name], "_outdir", str(tmp_path / name))
        monkeypatch.setattr(DATASETS[name], "_rawdir", str(tmp_path / name / "raw"))
    sides = [
        "".join(f'<seg id="{k}">{pair[side]}</seg>' for k, pair in enumerate(SEGMENTS, start=1))
        for side in (0, 1)
    ]
    raw = tmp_path / "wmt23" / "raw"
    written(raw, f"wmt23.{DATASETS['wmt23'].data[0].rpartition('/')[2]}", "an archive that was unpacked")
    written(raw, DATASETS["wmt23"].langpairs["en-de"][0], XML.format(*sides))
    for field in ("src", "ref", "docid", "genre", "origlang"):
        side = 1 if field == "ref" else 0
        written(tmp_path, f"wmt17/wmt17.en-de.{field}", *(pair[side] for pair in SEGMENTS))
    return tmp_path


@pytest.mark.parametrize("name", ["wmt17", "wmt23"])
def test_files_of_named_sets(cache: Path, name: str) -> None:
    found = find_testset(name, "en-de")
    assert Path(found.source).read_text("utf-8").splitlines() == [source for source, _ in SEGMENTS]
    (reference,) = found.references
    assert Path(reference).read_text("utf-8").splitlines() == [target for _, target in SEGMENTS]


def test_what_is_not_there(cache: Path) -> None:
    with pytest.raises(
        UnknownName, match=r"unknown test set 'wmt71'. Did you mean 'wmt\d\d'\? 'sacrebleu --list'"
    ):
        find_testset("wmt71", "en-de")
    with pytest.raises(BadSetting, match=r"test set wmt23 has no language pair 'de-xx', only cs-uk, de-en"):
        find_testset("wmt23", "de-xx")
    with pytest.raises(BadFile, match=r"test set wmt16 en-de could not be obtained by sacrebleu: no network"):
        find_testset("wmt16", "en-de")


def test_scores_against_a_named_set(cache: Path) -> None:
    system = written(cache, "system.txt", "Zwei eins .", "Drei vier .")
    metrics = ("-m", "kendall,bleu", "-f", "json", "--samples", "0")
    named = run_here("score", "-t", "wmt23", "-l", "en-de", system, *metrics)
    assert named.returncode == 0, named.stderr
    reference = find_testset("wmt23", "en-de").references[0]
    given = run_here("score", "-r", reference, system, *metrics)
    assert json.loads(named.stdout)["systems"] == json.loads(given.stdout)["systems"]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("-t", "wmt23"), 2, "a test set needs both: -t TESTSET and -l PAIR, such as -t wmt23 -l en-de"),
        (("-l", "en-de"), 2, "a test set needs both"),
        (
            ("-t", "wmt23", "-l", "en-de", "-r", "x"),
            2,
            "--testset would have no effect: -r gives the references",
        ),
        (("-t", "wmt16", "-l", "en-de"), 3, "could not be obtained by sacrebleu: no network"),
        ((), 2, "give -r REFERENCE (or -t TESTSET, or -s SOURCE"),
    ],
)
def test_complaints(cache: Path, args: tuple[str, ...], code: int, message: str) -> None:
    done = run_here("score", *args, written(cache, "system.txt", "a", "b"))
    assert done.returncode == code and message in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_nothing_is_downloaded_without_a_system(cache: Path) -> None:
    done = run_here("score", "-t", "wmt16", "-l", "en-de")
    assert done.returncode == 2 and "give at least one SYSTEM to score against --testset" in done.stderr
