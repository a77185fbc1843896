"""Reports on uploaded files, made by the command ``wordorder report score`` in a process of its own.

Files are stored under names of ours in a temporary folder that is removed with the server. A report is a page
with scripts and with the words of the upload; it is sent with a policy that gives it no access to the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import shutil
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, HTTPException, Response, UploadFile
from fastapi import Path as PathParameter
from pydantic import BaseModel

from wordorder.errors import BadSetting
from wordorder.io.packed import HEAD, packing_of
from wordorder.web import limits
from wordorder.web.api import BASE, REFUSALS
from wordorder.web.guard import UPLOADS
from wordorder.web.operations.requests import parsed
from wordorder.web.pool import worker_environment
from wordorder.web.schemas import METRIC

KEPT = 8  # reports; older ones are removed
WAITING = 3  # reports that wait for others
CODE = (
    "import runpy; from wordorder.web.worker import limit_memory; limit_memory();"
    " runpy.run_module('wordorder', run_name='__main__')"
)
PROGRESS = re.compile(rb"progress (\w+) (\d+)\s*")
STORED = re.compile(r"\b(?:reference|system)-\d+\.txt\b")
# A sandbox without an origin: the page can run its scripts, but cannot ask this server or any other.
POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
ReportName = Annotated[str, PathParameter(pattern=r"^[A-Za-z0-9_-]{16,40}$")]


class ReportState(BaseModel):
    """A report: how far it is, and where it is once it is done."""

    id: str
    state: Literal["waiting", "working", "done", "failed"]
    segments: int
    seconds: float
    error: str | None
    address: str | None


@dataclass
class ReportJob:
    """One report that is being made."""

    folder: Path
    arguments: list[str]
    names: dict[str, str]  # of the files: ours, and those that people know
    name: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    state: Literal["waiting", "working", "done", "failed"] = "waiting"
    segments: int = 0
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    error: str | None = None
    task: asyncio.Task[None] | None = None

    @property
    def page(self) -> Path:
        """The file of the report."""
        return self.folder / "report.html"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        seconds = round((self.ended or time.monotonic()) - self.began, 1)
        address = f"/reports/{self.name}" if self.state == "done" else None
        known = {"id": self.name, "state": self.state, "segments": self.segments, "error": self.error}
        return {**known, "seconds": seconds, "address": address}


class ReportJobs:
    """The reports of a server; one is made at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._jobs: dict[str, ReportJob] = {}
        self._turn = asyncio.Lock()

    def get(self, name: str) -> ReportJob:
        """Return a report by its name."""
        if name not in self._jobs:
            raise HTTPException(404, "there is no such report; it may have been removed")
        return self._jobs[name]

    def begin(self, folder: Path, arguments: Sequence[str], names: dict[str, str]) -> ReportJob:
        """Begin to make a report, or refuse if too many wait."""
        if sum(job.state in ("waiting", "working") for job in self._jobs.values()) > WAITING:
            raise HTTPException(429, "too many reports are being made; try again later")
        job = ReportJob(folder, list(arguments), names)
        self._jobs[job.name] = job
        job.task = asyncio.create_task(self._make(job))
        for old in [job for job in self._jobs.values() if job.ended is not None][:-KEPT]:
            self.remove(old)
        return job

    def remove(self, job: ReportJob) -> None:
        """Stop a report, and remove its files."""
        if job.task is not None:
            job.task.cancel()
        self._jobs.pop(job.name, None)
        shutil.rmtree(job.folder, ignore_errors=True)

    async def stop(self) -> None:
        """Stop everything."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for job in list(self._jobs.values()):
            self.remove(job)
        await asyncio.gather(*tasks, return_exceptions=True)

    def new_folder(self) -> Path:
        """Return an empty folder for the files of an upload."""
        folder = self._folder / secrets.token_hex(8)
        folder.mkdir()
        return folder

    async def _make(self, job: ReportJob) -> None:
        async with self._turn:
            job.state = "working"
            try:
                async with asyncio.timeout(limits.REPORT_SECONDS):
                    job.error = await self._run(job)
            except TimeoutError:
                job.error = f"the report took more than {limits.REPORT_SECONDS:g} seconds"
            except OSError as error:
                job.error = f"the report could not be made: {error.strerror}"
            job.ended = time.monotonic()
            job.state = "failed" if job.error else "done"

    async def _run(self, job: ReportJob) -> str | None:
        """Run the command; return its message if it failed."""
        environment = {**worker_environment(), "WORDORDER_PROGRESS": "lines"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CODE, "report", "score", *job.arguments, "-o", "report.html",
            cwd=job.folder, env=environment, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE,
        )  # fmt: skip
        last = b""
        try:
            assert process.stderr is not None
            while line := await process.stderr.readline():
                found = PROGRESS.fullmatch(line)
                if found:
                    job.segments = int(found[2])
                else:
                    last = line
            code = await process.wait()
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        message = last.decode("utf-8", "replace").strip().removeprefix("wordorder: ")
        message = STORED.sub(lambda found: job.names.get(found[0], found[0]), message)
        return (message or f"the report ended with code {code}") if code else None


def report_routes(jobs: ReportJobs) -> APIRouter:
    """Return the addresses of reports."""
    router = APIRouter(responses=REFUSALS, tags=["reports"])

    @router.post(UPLOADS, response_model=ReportState, status_code=202)
    async def begin(
        references: Annotated[list[UploadFile], File(max_length=limits.REFERENCES)],
        systems: Annotated[list[UploadFile], File(max_length=limits.SYSTEMS)],
        metrics: Annotated[list[str], Form(max_length=limits.METRICS)] = ["kendall", "recpef", "full"],  # noqa: B006
    ) -> Any:
        """Upload references and systems, one sentence per line, and begin a report on them."""
        for spec in metrics:
            if not re.fullmatch(METRIC, spec):
                raise BadSetting(f"{spec!r} is not a metric")
        parsed(tuple(metrics))  # errors are reported now
        folder = jobs.new_folder()
        try:
            compared = {f"reference-{k}.txt": file for k, file in enumerate(references, 1)}
            given = {f"system-{k}.txt": file for k, file in enumerate(systems, 1)}
            names = {own: await stored(file, folder / own) for own, file in {**compared, **given}.items()}
            arguments = [option for own in compared for option in ("-r", own)] + list(given)
            paired = ["--paired", "bootstrap"] if len(given) > 1 else []
            labels = system_labels([names[own] for own in given])
            names_option = f"--names={','.join(labels)}"  # a name may begin with -
            arguments += ["-m", ",".join(metrics), *paired, names_option, "--threads", "1"]
            return jobs.begin(folder, arguments, names).as_dict()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    @router.get(f"{BASE}/reports/{{name}}", response_model=ReportState)
    async def state(name: ReportName) -> Any:
        """Say how far a report is."""
        return jobs.get(name).as_dict()

    @router.get("/reports/{name}", include_in_schema=False)
    async def show(name: ReportName) -> Response:
        job = jobs.get(name)
        if job.state != "done":
            raise HTTPException(404, "the report is not finished")
        data = await asyncio.to_thread(job.page.read_bytes)
        return Response(data, media_type="text/html", headers={"content-security-policy": POLICY})

    return router


async def stored(file: UploadFile, path: Path) -> str:
    """Store an uploaded file under a name of ours; return its own name, for people to read."""
    name = printable(file.filename or "file")
    head = await file.read(HEAD)
    if packing_of(head):
        raise BadSetting(f"{name} is packed; upload plain text")
    with open(path, "xb") as out:
        out.write(head)
        while piece := await file.read(limits.MIB):
            await asyncio.to_thread(out.write, piece)
    return name


def printable(name: str) -> str:
    """Return a name in one line, without control characters, that is not too long.

    >>> printable("x\\ny")
    'x y'
    """
    return "".join(c if c.isprintable() else " " for c in name)[:80]


def system_labels(names: Sequence[str]) -> list[str]:
    """Return different names of systems without commas, which separate them.

    >>> system_labels(["a.txt", "a.txt", "x,y"])
    ['a.txt', 'a.txt (2)', 'x y']
    """
    labels: list[str] = []
    for name in names:
        plain = name.replace(",", " ").strip() or "system"
        label, number = plain, 2
        while label in labels:
            label, number = f"{plain} ({number})", number + 1
        labels.append(label)
    return labels
