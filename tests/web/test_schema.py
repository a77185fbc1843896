"""The API does what its description says, and never fails, whatever it is sent (Schemathesis)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.running import running
from wordorder.data import sample

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


@pytest.mark.slow
def test_no_request_makes_the_server_fail(tmp_path: Path) -> None:
    pytest.importorskip("schemathesis")
    texts = ["-s", str(sample("text.en")), "-t", str(sample("text.ja"))]
    with running("--annotate", str(tmp_path / "project"), *texts) as server:
        schema = f"http://127.0.0.1:{server.port}/api/v1/openapi.json"
        program = Path(sys.executable).with_name("schemathesis")
        command = [str(program), "run", schema, "--checks", CHECKS, "-n", "25", "--seed", "1"]
        phases = ["--phases", "examples,coverage,fuzzing"]
        done = subprocess.run(
            [*command, *phases], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=600
        )
        assert done.returncode == 0, done.stdout[-4000:]
