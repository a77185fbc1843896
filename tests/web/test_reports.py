"""Reports on uploaded files."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from tests.web.running import Running, running
from wordorder.data import sample
from wordorder.web import limits

File = tuple[str, tuple[str, bytes]]


def read(name: str) -> bytes:
    return sample(name).read_bytes()


def upload(server: Running, files: Sequence[File], **data: Any) -> dict[str, Any]:
    answer = server.client.post("/api/v1/reports", files=list(files), data=data)
    return {"status": answer.status_code, **answer.json()}


def finished(server: Running, report: dict[str, Any]) -> dict[str, Any]:
    while report["state"] in ("waiting", "working"):
        time.sleep(0.2)
        report = server.client.get(f"/api/v1/reports/{report['id']}").json()
    return report


@pytest.mark.slow  # tests/browser has one of the page
def test_an_upload_becomes_a_report_in_a_sandbox(server: Running) -> None:
    hostile = "<img src=x onerror=alert(1)>,../../x.txt"
    files = [
        ("references", ("ref.txt", read("reference.txt"))),
        ("systems", ("--help", read("system-a.txt"))),
        ("systems", (hostile, read("system-b.txt"))),
    ]
    begun = upload(server, files, metrics=["kendall", "full"])
    assert begun["status"] == 202, begun
    report = finished(server, begun)
    assert report["state"] == "done", report
    page = server.client.get(report["address"])
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert policy.startswith("sandbox ") and "allow-same-origin" not in policy and "connect-src" not in policy
    assert "<img src=x" not in page.text and "kendall" in page.text


@pytest.mark.parametrize(
    ("files", "data", "message"),
    [
        ([("references", ("r", b"a b\n"))], {}, "systems: Field required"),
        ([("references", ("r", b"a b\n")), ("systems", ("s", b"a\n"))], {"metrics": ["x"]}, "unknown metric"),
        (
            [("references", ("r", b"a\n")), ("systems", ("s", b"a\n"))],
            {"metrics": ["beer:model=x"]},
            "names a file",
        ),
        (
            [("references", ("r", b"a\n")), ("systems", ("s", b"a\n"))],
            {"metrics": ["-o/etc/x"]},
            "not a metric",
        ),
        ([("references", ("r", b"\x1f\x8b\x08\0\0")), ("systems", ("s", b"a\n"))], {}, "is packed"),
    ],
)
def test_bad_uploads_are_refused_at_once(server: Running, files: Any, data: Any, message: str) -> None:
    answer = upload(server, files, **data)
    assert answer["status"] == 422 and message in answer["error"]


@pytest.mark.slow
def test_files_that_do_not_fit_are_reported_in_one_line(server: Running) -> None:
    files = [("references", ("r", b"a b\nc d\n")), ("systems", ("my system", b"a b\n"))]
    report = finished(server, upload(server, files, metrics=["kendall"]))
    assert report["state"] == "failed" and "my system" in report["error"]
    assert "Traceback" not in report["error"] and "/tmp" not in report["error"]
    assert server.client.get(f"/reports/{report['id']}").status_code == 404


def test_reports_of_others_cannot_be_guessed_or_traversed(server: Running) -> None:
    for name in ("x" * 24, "..%2f..%2fetc%2fpasswd", "short"):
        assert server.client.get(f"/reports/{name}").status_code in (404, 422)
        assert server.client.get(f"/api/v1/reports/{name}").status_code in (404, 422)


@pytest.mark.slow
def test_too_many_reports_are_refused() -> None:
    files = [("references", ("r", read("reference.txt"))), ("systems", ("s", read("system-a.txt")))]
    with running("--threads", "1") as server:
        begun = [upload(server, files) for _ in range(6)]
        assert [report["status"] for report in begun][:4] == [202] * 4 and begun[-1]["status"] == 429
        assert {finished(server, report)["state"] for report in begun[:4]} == {"done"}


@pytest.mark.slow
def test_too_large_uploads_are_refused_while_they_arrive() -> None:
    with running("--threads", "1", UPLOAD=3 * limits.MIB) as server:
        files = [("references", ("r", b"a b c\n" * 600_000)), ("systems", ("s", b"a\n"))]
        answer = upload(server, files)
        assert answer["status"] == 413 and "3 MiB" in answer["error"]
