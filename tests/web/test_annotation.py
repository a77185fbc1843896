"""Folders of annotations: versions, files that are never half-written, several people, agreement, export."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from tests.web.running import Running, running
from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.read_write import read_records
from wordorder.web.annotation.agreement import annotator_agreement, f_score
from wordorder.web.annotation.project import (
    LinkedSentence,
    Project,
    StaleVersion,
    exported,
    link_formats,
    make_project,
    open_project,
    owned,
)


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "text.en").write_text("the white house\na book\n", encoding="utf-8")
    (tmp_path / "text.de").write_text("das haus weiss\nein buch\n", encoding="utf-8")
    return str(tmp_path / "text.en"), str(tmp_path / "text.de")


@pytest.fixture
def project(tmp_path: Path, texts: tuple[str, str]) -> Project:
    return make_project(str(tmp_path / "project"), *texts)


def links(sentence: int, version: int, *sure: tuple[int, int], done: bool = False) -> LinkedSentence:
    return LinkedSentence(sentence, version, done, sure)


def test_what_is_saved_is_there_after_a_restart(project: Project) -> None:
    first = project.save("ann", LinkedSentence(1, 0, True, ((2, 1), (0, 0)), ((1, 2),)))
    assert first == LinkedSentence(1, 1, True, ((0, 0), (2, 1)), ((1, 2),))
    project.save("bob", links(2, 0, (0, 0)))
    again = open_project(str(project.folder))
    assert again.annotators == ["ann", "bob"]
    assert again.state("ann", 1) == first and again.state("bob", 1).version == 0
    assert again.save("ann", replace(first, sure=())).version == 2


def test_a_change_of_an_old_version_is_refused_with_the_current_state(project: Project) -> None:
    mine = project.save("ann", links(1, 0, (0, 0)))
    with pytest.raises(StaleVersion) as raised:
        project.save("ann", links(1, 0, (1, 1)))
    assert raised.value.current == mine == project.state("ann", 1)


def test_the_same_change_sent_twice_is_saved_once(project: Project) -> None:
    """A client whose connection broke does not know whether its change arrived."""
    saved = project.save("ann", links(1, 0, (0, 0)))
    assert project.save("ann", links(1, 0, (0, 0))) == saved


def test_of_many_threads_with_one_version_one_wins(project: Project) -> None:
    won, lost = [], []

    def change(k: int) -> None:
        try:
            won.append(project.save("ann", links(1, 0, (k % 3, k // 3))))
        except StaleVersion:
            lost.append(k)

    threads = [threading.Thread(target=change, args=(k,)) for k in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1 and len(lost) == 8
    assert open_project(str(project.folder)).state("ann", 1) == won[0]


@pytest.mark.parametrize(
    "state", [links(1, 0, (3, 0)), links(1, 0, (0, 3)), links(3, 0), links(0, 0), links(1, 0, (-1, 0))]
)
def test_links_that_do_not_fit_are_refused_and_change_nothing(
    project: Project, state: LinkedSentence
) -> None:
    with pytest.raises(WordOrderError):
        project.save("ann", state)
    assert project.annotators == [] and not (project.folder / "annotators").exists()


@pytest.mark.parametrize("name", ["", "..", "a/b", "../x", "a.b", ".hidden", "a" * 41, "a\0b", "a b", "-x"])
def test_names_cannot_lead_to_other_files(project: Project, name: str) -> None:
    with pytest.raises(BadSetting, match="is not a name"):
        project.save(name, links(1, 0))


def test_two_annotators_cannot_share_a_file_where_case_does_not_count(project: Project) -> None:
    project.save("ann", links(1, 0))
    with pytest.raises(BadSetting, match="there is an annotator 'ann'"):
        project.save("Ann", links(1, 0))
    assert project.annotators == ["ann"]


def test_predicted_links_are_given_ones_or_those_of_an_aligner(
    tmp_path: Path, texts: tuple[str, str]
) -> None:
    (tmp_path / "given").write_text("1-1 3-2\n\n")
    made = make_project(str(tmp_path / "a"), *texts, links=str(tmp_path / "given"), form="pharaoh:base=1")
    assert made.predicted == [Alignment(3, 3, [(0, 0), (2, 1)]), Alignment(2, 2)]
    trained = make_project(str(tmp_path / "b"), *texts)
    from wordorder.align.bilingual import train_aligner

    sides = [Path(path).read_text().splitlines() for path in texts]
    assert trained.predicted == list(train_aligner(*sides).align(*sides))


def test_a_folder_of_the_same_texts_is_opened_and_of_others_refused(
    tmp_path: Path, project: Project, texts: tuple[str, str]
) -> None:
    project.save("ann", links(1, 0, (0, 0)))
    assert make_project(str(project.folder), *texts).state("ann", 1).version == 1
    with pytest.raises(BadFile, match="other sentences"):
        make_project(str(project.folder), texts[1], texts[0])
    with pytest.raises(BadFile, match="not a folder of annotations"):
        make_project(str(tmp_path), *texts)
    with pytest.raises(BadFile, match=r"there is no source.txt.*Try source=FILE"):
        open_project(str(tmp_path / "nothing"))


@pytest.mark.parametrize(
    "line",
    ["{}", '{"sentence":1,"version":1,"done":false,"sure":[[7,0]],"possible":[]}', "[]", "", '{"sentence":1'],
)
def test_a_damaged_file_is_an_error_with_its_line(project: Project, line: str) -> None:
    project.save("ann", links(2, 0, (0, 0)))
    file = project.folder / "annotators" / "ann.jsonl"
    file.write_text(file.read_text() + line + "\n")
    with pytest.raises(BadFile, match=r"ann\.jsonl:2: "):
        open_project(str(project.folder))


def test_two_servers_cannot_have_one_folder(project: Project) -> None:
    with (
        owned(str(project.folder)),
        pytest.raises(BadFile, match="another server"),
        owned(str(project.folder)),
    ):
        pass


# Export


def test_links_are_exported_in_every_format_and_read_back(project: Project, tmp_path: Path) -> None:
    from wordorder.io.aligned import alignment_format

    project.save("ann", LinkedSentence(1, 0, True, ((0, 0), (2, 1)), ((1, 2),)))
    project.save("ann", links(2, 0, (1, 1)))
    assert {"pharaoh", "wpt", "lader", "talbot"} <= set(link_formats())
    for name in link_formats():
        for possible, expected in (("sure", [(0, 0), (1, 2), (2, 1)]), ("drop", [(0, 0), (2, 1)])):
            path = tmp_path / f"links.{name}"
            path.write_bytes(exported(project, "ann", name, possible=possible))
            form = alignment_format(name)
            first, second = (
                form.fit(r, *sizes)
                for r, sizes in zip(read_records(str(path), name), [(3, 3), (2, 2)], strict=True)
            )
            assert list(first.links) == expected and list(second.links) == [(1, 1)]
    assert exported(project, "ann", "pharaoh") == b"0-0 1p2 2-1\n1-1\n"
    assert exported(project, "ann", "pharaoh", done=True) == b"0-0 1p2 2-1\n\n"
    for name in ("lader", "talbot"):
        with pytest.raises(WordOrderError, match=r"possible"):
            exported(project, "ann", name)


# Agreement


def test_agreement_is_that_of_its_definitions(project: Project) -> None:
    rng = random.Random(1)
    cells = [(i, j) for i in range(3) for j in range(3)]
    mine = {name: rng.sample(cells, 4) for name in ("ann", "bob")}
    for name, chosen in mine.items():
        project.save(name, links(1, 0, *chosen, done=True))
    project.save("ann", links(2, 0, (0, 0), done=True))
    (pair,) = annotator_agreement(project)
    both = set(mine["ann"]) & set(mine["bob"])
    assert pair.annotators == ("ann", "bob") and pair.sentences == 1
    assert pair.links == pair.sure == pytest.approx(2 * len(both) / 8)
    assert [number for number, _ in pair.disputed] == [1]
    assert all(value is not None and 0 <= value <= 1 for value in pair.orders.values())


def test_equal_links_agree_wholly_and_nothing_done_has_no_agreement(project: Project) -> None:
    for name in ("ann", "bob"):
        project.save(name, links(1, 0, (0, 0), (1, 2), (2, 1)))
    (pair,) = annotator_agreement(project)
    assert pair.sentences == 0 and pair.links is None
    for name in ("ann", "bob"):
        project.save(name, links(1, 1, (0, 0), (1, 2), (2, 1), done=True))
    (pair,) = annotator_agreement(project)
    assert pair.links == 1 and set(pair.orders.values()) == {1.0} and pair.disputed == []
    assert f_score([Alignment(1, 1)], [Alignment(1, 1)]) == 1


# Over HTTP


@pytest.mark.slow
def test_a_server_that_is_killed_loses_nothing(tmp_path: Path, texts: tuple[str, str]) -> None:
    folder = str(tmp_path / "project")
    with running("--annotate", folder, "-s", texts[0], "-t", texts[1]) as server:
        answered: list[int] = []

        def work() -> None:
            version = 0
            try:
                while True:
                    body = {"version": version, "sure": [[version % 3, 0]], "possible": [], "done": False}
                    answer = server.client.put("/api/v1/annotation/by/ann/1", json=body)
                    version = answer.json()["version"]
                    answered.append(version)
            except Exception:  # the server is gone
                return

        thread = threading.Thread(target=work)
        thread.start()
        while len(answered) < 5 and thread.is_alive():
            time.sleep(0.01)
        os.kill(server.process.pid, signal.SIGKILL)
        thread.join()
    state = open_project(folder).state("ann", 1)
    assert state.version - answered[-1] in (0, 1)  # a change may be saved whose answer was not sent
    assert state.sure == (((state.version - 1) % 3, 0),)
    assert [p.name for p in Path(folder, "annotators").iterdir() if not p.name.startswith(".")] == [
        "ann.jsonl"
    ]
    with running("--annotate", folder) as server:  # the lock of a killed server does not stay
        assert server.client.get("/api/v1/annotation/by/ann/1").json()["version"] == state.version


def test_the_api_of_annotation(server: Running) -> None:
    assert server.address.endswith("/annotate")
    base = "/api/v1/annotation"
    client = server.client
    assert client.get(base).json()["sentences"] == 3
    first = client.get(f"{base}/by/api/1").json()
    assert first["source"] == ["the", "white", "house"] and first["version"] == 0 and first["predicted"]
    change = {"version": 0, "sure": [[0, 0]], "done": True}
    assert client.put(f"{base}/by/api/1", json=change).json()["version"] == 1
    conflict = client.put(f"{base}/by/api/1", json={"version": 0, "sure": [[1, 1]]})
    assert conflict.status_code == 409 and conflict.json()["current"]["sure"] == [[0, 0]]
    assert client.get(f"{base}/by/api").json() == {"sentences": 3, "begun": [1], "done": [1]}
    assert client.get(f"{base}/by/api/links").text == "0-0\n\n\n"
    assert client.get(f"{base}/by/api/links?format=wpt").text == "1 1 1 S\n"
    assert client.get(f"{base}/agreement").status_code == 200
    blank = client.get(f"{base}/by/Ann%20Lee/1")
    assert blank.status_code == 422 and "letters, digits" in blank.json()["error"]
    for path, status in (
        ("by/api/4", 422),
        ("by/api/0", 422),
        ("by/api/x", 422),
        ("by/a.b/1", 422),
        ("by/..%2f..%2fx/1", 404),
        ("by/api/links?format=text", 422),
        ("by/api/links?format=../x", 422),
    ):
        assert client.get(f"{base}/{path}").status_code == status, path
    for body in ({"version": 1, "sure": [[3, 0]]}, {"version": 1}, {"version": 1, "sure": [[0]]}, []):
        assert (
            client.put(
                f"{base}/by/api/1", content=json.dumps(body), headers={"content-type": "application/json"}
            ).status_code
            == 422
        )


def test_links_that_cannot_be_written_are_no_fault_of_the_request(server: Running, annotation: Path) -> None:
    """The page tries again, as after any failure of the server."""
    home = annotation / "project" / "annotators"
    change = {"version": 0, "sure": [[0, 0]]}
    server.client.put("/api/v1/annotation/by/cut/2", json=change)
    away = home.rename(home.with_name("away"))
    try:
        home.write_text("a file where the folder was")
        answer = server.client.put("/api/v1/annotation/by/cut/1", json=change)
        assert answer.status_code == 507 and "cannot be written" in answer.json()["error"]
        assert str(home) not in answer.json()["error"]
    finally:
        home.unlink()
        away.rename(home)
    assert server.client.put("/api/v1/annotation/by/cut/1", json=change).status_code == 200
