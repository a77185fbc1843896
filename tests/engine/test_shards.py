"""Work shard by shard: what is finished is not done again, and nothing else is trusted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from wordorder.engine.shard_folder import Record, collected_notes
from wordorder.engine.shards import Job, Outcome, run_shards
from wordorder.errors import BadFile, BadSetting
from wordorder.io.files import locked, open_output
from wordorder.io.shards import Shard, find_shards


class Shout:
    """Writes texts in capitals; counts its calls, and stops at a shard if told so."""

    def __init__(self, stop_at: str = "") -> None:
        self.calls: list[str] = []
        self.stop_at = stop_at

    def __call__(self, files: Mapping[str, str], output: str) -> Outcome:
        name = Path(files["text"]).stem
        if name == self.stop_at:
            raise RuntimeError(name)
        self.calls.append(name)
        text = Path(files["text"]).read_bytes()
        with open_output(output) as out:
            out.write(text.upper())
        return Outcome(["empty"] if not text else [], {"bytes": len(text)})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for k in range(4):
        (tmp_path / "in" / f"p{k}.txt").write_text(f"line {k}\n" * k)
    return tmp_path


def go(corpus: Path, work: Shout, *, resume: bool = False, **settings: object) -> list[Record]:
    shards = find_shards({"text": str(corpus / "in")})
    return run_shards(Job(work, dict(settings), shards, f"{corpus}/out/*.txt"), map, resume=resume)


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_every_shard_has_an_output_and_a_record(corpus: Path) -> None:
    records = go(corpus, Shout(), a=1)
    assert [record.shard for record in records] == ["p0", "p1", "p2", "p3"]
    assert (corpus / "out" / "p2.txt").read_text() == "LINE 2\n" * 2
    assert [record.facts["bytes"] for record in records] == [0, 7, 14, 21]
    manifest = json.loads((corpus / "out" / "manifest.json").read_text())
    assert manifest["complete"] and manifest["settings"] == {"a": 1} and len(manifest["shards"]) == 4
    assert list(collected_notes(records)) == ["p0: empty"]


def test_a_stopped_run_is_resumed_to_the_same_folder(corpus: Path) -> None:
    go(corpus, Shout())
    whole = content(corpus / "out")
    shutil.rmtree(corpus / "out")
    with pytest.raises(RuntimeError):
        go(corpus, Shout(stop_at="p2"))
    assert not json.loads((corpus / "out" / "manifest.json").read_text())["complete"]
    (corpus / "out" / ".p2.txt.abc.part").write_text("half of a line")
    (corpus / "out" / ".mine.txt.abc.part").write_text("somebody else's")
    again = Shout()
    go(corpus, again, resume=True)
    assert again.calls == ["p2", "p3"]
    assert content(corpus / "out") == {**whole, ".mine.txt.abc.part": b"somebody else's"}


def test_outputs_are_on_the_disk_before_their_records(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace

    def flushed(handle: int) -> None:
        calls.append("flush")
        fsync(handle)

    def renamed(source: str, target: Path) -> None:
        calls.append(target.name)
        replace(source, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(os, "replace", renamed)
    go(corpus, Shout())
    manifest = ["flush", "manifest.json"]
    shards = [["flush", f"p{k}.txt", f"p{k}.json"] for k in range(4)]  # nothing waits for a record
    assert calls == [*manifest, *(call for shard in shards for call in shard), *manifest]


@pytest.mark.parametrize("damage", ["input", "output", "missing", "record", "empty record"])
def test_what_changed_is_done_again(corpus: Path, damage: str) -> None:
    go(corpus, Shout())
    record = "out/.shards/p1.json"
    place = {"input": "in/p1.txt", "record": record, "empty record": record}.get(damage, "out/p1.txt")
    if damage == "missing":
        (corpus / place).unlink()
    else:
        (corpus / place).write_text("" if damage == "empty record" else "changed\n")
    again = Shout()
    go(corpus, again, resume=True)
    assert again.calls == ["p1"]
    assert (corpus / "out" / "p1.txt").read_text() == ("CHANGED\n" if damage == "input" else "LINE 1\n")


def test_results_are_not_overwritten_by_others(corpus: Path) -> None:
    go(corpus, Shout(), a=1)
    before = content(corpus / "out")
    with pytest.raises(BadFile, match="has the results of an earlier run"):
        go(corpus, Shout(), a=1)
    changes = "a was '1', and is '2', b was 'None', and is '3'"
    with pytest.raises(BadFile, match=f"other settings: {changes}"):
        go(corpus, Shout(), a=2, b=3, resume=True)
    (corpus / "out" / "manifest.json").write_text("{")
    with pytest.raises(BadFile, match=r"manifest\.json: is damaged"):
        go(corpus, Shout(), a=1, resume=True)
    (corpus / "out" / "manifest.json").write_bytes(before["manifest.json"])
    assert content(corpus / "out") == before


def test_foreign_files_are_not_overwritten(corpus: Path) -> None:
    (corpus / "out").mkdir()
    (corpus / "out" / "p3.txt").write_text("mine\n")
    with pytest.raises(BadFile, match=r"p3\.txt: exists and belongs to no run here"):
        go(corpus, Shout())
    assert (corpus / "out" / "p3.txt").read_text() == "mine\n"


@pytest.mark.parametrize("place", ["p1.txt", "manifest.json", ".shards/p1.json"])
def test_nothing_is_written_through_a_link_in_the_folder(corpus: Path, place: str) -> None:
    go(corpus, Shout())
    (corpus / "victim").write_text("mine\n")
    (corpus / "out" / place).unlink()
    (corpus / "out" / place).symlink_to(corpus / "victim")
    with pytest.raises(BadFile, match=f"{place}: is a symbolic link"):
        go(corpus, Shout(), resume=True)
    assert (corpus / "victim").read_text() == "mine\n"


def test_a_difference_at_the_end_of_a_long_setting_is_shown(corpus: Path) -> None:
    go(corpus, Shout(), metrics="x" * 100 + "a")
    with pytest.raises(BadFile, match=r"metrics was '…x+a', and is '…x+b'\."):
        go(corpus, Shout(), metrics="x" * 100 + "b", resume=True)


def test_two_runs_do_not_share_a_folder(corpus: Path) -> None:
    (corpus / "out").mkdir()
    with locked(corpus / "out" / ".lock", ""), pytest.raises(BadFile, match="another run is writing"):
        go(corpus, Shout())


def test_an_input_that_changes_meanwhile_is_an_error(corpus: Path) -> None:
    class Meddle(Shout):
        def __call__(self, files: Mapping[str, str], output: str) -> Outcome:
            done = super().__call__(files, output)
            if files["text"].endswith("p2.txt"):
                Path(files["text"]).write_text("later\n")
            return done

    with pytest.raises(BadFile, match=r"p2\.txt: was changed while it was read"):
        go(corpus, Meddle())


def test_a_folder_that_cannot_be_made_is_reported(corpus: Path) -> None:
    (corpus / "out").write_text("a file")
    with pytest.raises(BadFile, match=r"out: cannot be made"):
        go(corpus, Shout())
    assert os.path.isfile(corpus / "out")


@pytest.mark.parametrize(
    "edit",
    ['"facts":{"bytes":7}>"facts":{"bytes":9}', '"facts":{"bytes":7}>"facts":{}', '"notes":[]>"notes":5'],
)
def test_a_record_that_was_edited_is_not_trusted(corpus: Path, edit: str) -> None:
    records = go(corpus, Shout())
    place = corpus / "out" / ".shards" / "p1.json"
    before, _, after = edit.partition(">")
    assert before in place.read_text()
    place.write_text(place.read_text().replace(before, after))
    again = Shout()
    assert go(corpus, again, resume=True) == records and again.calls == ["p1"]


def test_a_run_without_results_does_not_block_the_folder(corpus: Path) -> None:
    with pytest.raises(RuntimeError):
        go(corpus, Shout(stop_at="p0"), a=1)
    assert len(go(corpus, Shout(), a=2)) == 4


def test_results_of_shards_that_are_gone_are_not_left_beside_others(corpus: Path) -> None:
    go(corpus, Shout())
    (corpus / "in" / "p3.txt").unlink()
    with pytest.raises(BadFile, match=r"p3\.txt: is the result of a shard that is not among the inputs"):
        go(corpus, Shout(), resume=True)


def test_another_version_is_another_run(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go(corpus, Shout())
    monkeypatch.setattr("wordorder.engine.shard_folder.__version__", "99.0")
    with pytest.raises(BadFile, match=r"version was '.*', and is '99\.0'"):
        go(corpus, Shout(), resume=True)


def test_outputs_cannot_collide(tmp_path: Path) -> None:
    def job(outputs: str, *names: str) -> Job:
        return Job(Shout(), {}, [Shard(name, {}) for name in names], outputs)

    for outputs, names in (("o/x", ["a"]), ("o/*.*", ["a"]), ("o/*", ["a", "a"]), ("o/*", ["../a"])):
        with pytest.raises(BadSetting):
            job(str(tmp_path / outputs), *names)
    with pytest.raises(BadSetting, match="a shard cannot be called 'manifest'"):
        job(str(tmp_path / "*.json"), "manifest")


def test_outputs_are_not_written_among_the_inputs(corpus: Path) -> None:
    shards = find_shards({"text": str(corpus / "in")})
    with pytest.raises(BadFile, match="is the folder of the inputs"):
        Job(Shout(), {}, shards, f"{corpus}/in/*.out")
