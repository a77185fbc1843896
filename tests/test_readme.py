"""README is short, and shows jobs with their output."""

from __future__ import annotations

from pathlib import Path

from tools.page_commands import examples

README = Path(__file__).resolve().parents[1] / "README.md"


def test_readme_is_short_and_shows_five_jobs_with_their_output() -> None:
    assert len(README.read_bytes()) < 4300
    jobs = list(examples(README))
    assert len(jobs) == 5 and all(job.output and job.needs is None for job in jobs)
