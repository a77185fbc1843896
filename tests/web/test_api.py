"""The API over HTTP: answers, refusals in one line, limits, and requests that do not hurt each other."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.cli.calls import run_here
from tests.web.running import JSON, Running, running
from wordorder.web import limits

WORDS, BACK = "a b c d e f g h " * 100, "h g f e d c b a " * 100
SLOW = {"metrics": ["ter"], "hypotheses": [WORDS], "references": [[BACK]]}


def test_scores(server: Running) -> None:
    answer = server.post("score", metrics=["recpef"], permutations=["2 4 5 6 1 3"])
    assert answer.status_code == 200
    assert answer.json()["scores"][0]["score"] == 0.4


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("score", {"metrics": ["kendal"], "permutations": [[0]]}, "Did you mean 'kendall'?"),
        ("score", {"metrics": ["chrf"], "permutations": [[0]]}, "scores text, not permutations"),
        ("score", {"metrics": ["kendall"]}, "give permutations, or hypotheses and references"),
        ("score", {"hypotheses": ["a"], "references": [["a", "b"]]}, "1 hypotheses but 2 segments"),
        ("score", {"permutations": [[0, 2]]}, "2"),
        ("score", {"permutations": [[0, "x"]]}, "permutations.0.1: Input should be a valid integer"),
        ("score", {"permutations": [[0]], "metric": "x"}, "metric: Extra inputs"),
        ("tree", {"permutation": "1 2", "number": "1"}, "tree 1 of 1"),
        ("tree", {}, "give a permutation or links"),
        ("reorder", {"model": "en-xx", "sentences": ["a"]}, "unknown model"),
        ("align", {"source": ["a"], "target": ["a", "b"]}, "expected pairs"),
        ("choose", {"candidates": [["a"]], "scores": [[1.0]]}, "belong together"),
        ("choose", {"candidates": [["a"]], "scores": [["nan"]], "temperature": 1}, "finite number"),
        ("reorder", {"model": "en-ja", "sentences": ["a\nb"]}, "sentences.0: String should match"),
    ],
)
def test_a_bad_request_is_answered_by_one_line(server: Running, path: str, body: dict, message: str) -> None:
    answer = server.post(path, **body)
    assert answer.status_code == 422
    assert set(answer.json()) == {"error"} and message in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_what_is_not_json_is_refused(server: Running) -> None:
    answer = server.client.post("/api/v1/score", content=b"{", headers=JSON)
    assert answer.status_code == 422 and "JSON" in answer.json()["error"]
    sound = '{"permutations": [[0]]}'
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig"):  # some readers of JSON understand them
        answer = server.client.post("/api/v1/score", content=sound.encode(encoding), headers=JSON)
        assert answer.status_code == 422 and "JSON" in answer.json()["error"], encoding
    deep = server.client.post("/api/v1/score", content=b"[" * 100_000, headers=JSON)
    assert deep.status_code in (400, 422)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = server.client.post("/api/v1/score", content=b"{}", headers={"content-type": kind})
        assert answer.status_code == 415, kind


def test_unknown_addresses_and_methods(server: Running) -> None:
    assert server.client.get("/api/v1/nothing").status_code == 404
    assert server.client.get("/api/v1/score").status_code == 405
    assert server.client.options("/api/v1/score", headers=JSON).status_code == 405
    for path in ("/docs", "/redoc", "/openapi.json"):  # pages that would load scripts from other hosts
        assert server.client.get(path).status_code == 404


def test_the_api_describes_itself(server: Running) -> None:
    schema = server.client.get("/api/v1/openapi.json").json()
    found = {path.removeprefix("/api/v1/") for path in schema["paths"]}
    assert {"score", "tree", "reorder", "align", "choose", "models", "metrics"} <= found


def test_too_much_is_refused(server: Running) -> None:
    many = server.post("score", permutations=[[0]] * (limits.SENTENCES + 1))
    assert many.status_code == 422 and "permutations" in many.json()["error"]
    large = server.client.post("/api/v1/score", content=b" " * (limits.BODY + 1), headers=JSON)
    assert large.status_code == 413 and "1 MiB" in large.json()["error"]


def workers_of(server: Running) -> list[int]:
    found = subprocess.run(
        ["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True, check=True
    )
    return [int(number) for number in found.stdout.split()]


@pytest.mark.parametrize(
    ("how", "busy"),
    [
        (signal.SIGTERM, False),
        pytest.param(signal.SIGINT, True, marks=pytest.mark.slow),
    ],
)
def test_a_slow_request_is_stopped_without_harm_to_others_and_a_signal_ends_all(
    how: signal.Signals, busy: bool
) -> None:
    with running("--threads", "2", SECONDS=4) as server:
        server.post("score", permutations=[[0]])  # a worker has started
        if not busy:  # it works on nothing, which takes as long, but no time of the processor
            os.kill(workers_of(server)[0], signal.SIGSTOP)
        answers: list[httpx.Response] = []
        slow = threading.Thread(target=lambda: answers.append(server.post("score", **SLOW)))
        slow.start()
        time.sleep(0.3)
        assert server.post("score", permutations=[[1, 0]]).json()["scores"][0]["score"] == 0
        assert answers == []  # the slow one is still being worked on
        slow.join()
        assert answers[0].status_code == 503 and "4 seconds" in answers[0].json()["error"]
        for _ in range(4):  # the worker that was stopped has a successor
            assert server.post("score", permutations=[[0, 1]]).status_code == 200
        workers = workers_of(server)
        server.process.send_signal(how)
        begin = time.monotonic()
        _, error = server.process.communicate(timeout=20)
        assert time.monotonic() - begin < 5
        assert workers and server.process.returncode == 0 and error == ""
        for worker in workers:
            with pytest.raises(ProcessLookupError):
                os.kill(worker, 0)


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(server: Running) -> None:
    for worker in workers_of(server):
        os.kill(worker, signal.SIGKILL)
    time.sleep(0.1)
    assert [server.post("score", permutations=[[0, 1]]).status_code for _ in range(4)] == [200] * 4


def test_a_port_in_use_is_reported(server: Running) -> None:
    done = run_here("serve", "--no-browser", "--port", str(server.port))
    assert done.returncode == 2
    assert done.stderr.startswith("wordorder: cannot listen on 127.0.0.1") and "Try --port 0." in done.stderr


def test_the_requests_of_the_documentation_are_answered(server: Running) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")
    shown = re.findall(r"^`POST /api/v1/(\w+)`\n\n```json\n(.*?)```", page, re.M | re.S)
    assert {path for path, _ in shown} == {"score", "tree", "draw", "align", "reorder", "choose"}
    for path, body in shown:
        assert server.post(path, **json.loads(body)).status_code == 200, path
    curl = re.search(r"/api/v1/(\w+) .*?-d '(.*?)'", page, re.S)
    assert curl and server.post(curl[1], **json.loads(curl[2])).status_code == 200


def test_the_limits_of_the_documentation_are_those_of_the_server() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")
    rows = [
        f"| {limits.BODY // limits.MIB} MiB, in {limits.BODY_SECONDS} seconds; uploads for reports"
        f" {limits.UPLOAD // limits.MIB} MiB, at {limits.UPLOAD_RATE / 1024:.0f} KiB a second or faster |",
        f"| {limits.SENTENCES:,} and {limits.WORDS:,} |",
        f"| {limits.SECONDS:.0f} seconds and {limits.WORKER_MEMORY >> 30} GiB; a report"
        f" {limits.REPORT_SECONDS / 60:.0f} minutes |",
        f"| {limits.METRICS}, {limits.REFERENCES}, {limits.NBEST}, {limits.CANDIDATES} |",
    ]
    assert [row for row in rows if row not in page] == []
