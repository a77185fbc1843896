"""The recipes for clusters, as far as they can be followed without one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "clusters"


def printed(script: str, *args: str) -> str:
    command = [sys.executable, str(FOLDER / script), *args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_jobs_of_slurm() -> None:
    pytest.importorskip("dask_jobqueue", reason="needs dask-jobqueue")
    asked = ("--interface", "lo", "--cores", "4", "--memory", "8GB", "--walltime", "02:00:00")
    script = printed("on_slurm.py", *asked, "--partition", "short", "--print", "--", "score")
    for line in ("-p short", "--cpus-per-task=4", "--mem=8G", "-t 02:00:00"):
        assert f"#SBATCH {line}\n" in script
    worker = next(line for line in script.splitlines() if "dask_worker" in line)
    assert worker.startswith(sys.executable) and "tcp://127.0.0.1:" in worker
    assert "--nthreads 1 " in worker and "--nworkers 4 " in worker


def test_script_of_srun_is_valid() -> None:
    done = subprocess.run(["bash", "-n", FOLDER / "on_slurm.sh"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_manifest_of_kubernetes() -> None:
    dask_kubernetes = pytest.importorskip("dask_kubernetes", reason="needs dask-kubernetes")
    yaml = pytest.importorskip("yaml", reason="needs PyYAML, as Dask does")
    asked = ("--image", "registry/wordorder", "--claim", "corpus", "--workers", "20", "--memory", "3Gi")
    text = printed("on_kubernetes.py", *asked, "--", "score", "-r", "r", "a", "--folder", "statistics")
    cluster, job = json.loads(text)["items"]
    place = "operator/deployment/helm/dask-kubernetes-operator/crds/daskcluster.yaml"
    definition = yaml.safe_load((Path(dask_kubernetes.__file__).parent / place).read_text())
    version = definition["spec"]["versions"][0]
    assert cluster["apiVersion"] == f"{definition['spec']['group']}/{version['name']}"
    assert wrong_fields(cluster["spec"], version["schema"]["openAPIV3Schema"]["properties"]["spec"]) == []
    assert cluster["spec"]["worker"]["replicas"] == 20
    worker, command = cluster["spec"]["worker"]["spec"], job["spec"]["template"]["spec"]
    for pod in (worker, command):
        assert pod["volumes"] == [{"name": "data", "persistentVolumeClaim": {"claimName": "corpus"}}]
        assert pod["containers"][0]["volumeMounts"] == [{"name": "data", "mountPath": "/data"}]
        assert pod["containers"][0]["workingDir"] == "/data"
        assert pod["containers"][0]["resources"]["limits"] == {"memory": "3Gi"}
    assert cluster["spec"]["scheduler"]["spec"]["containers"][0]["args"][:2] == ["dask", "scheduler"]
    service = f"{cluster['metadata']['name']}-scheduler"
    assert command["containers"][0]["args"][-3:] == ["--resume", "--cluster", f"tcp://{service}:8786"]


def test_wrong_fields_are_found() -> None:
    number = {"type": "integer"}
    schema = {"type": "object", "required": ["n"], "properties": {"n": number, "m": {"items": number}}}
    assert wrong_fields({"n": 1, "m": [2]}, schema) == []
    assert wrong_fields({"m": ["x"], "k": 1}, schema) == [".n is missing", ".m[0] is 'x'", ".k is unknown"]


KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def wrong_fields(value: Any, schema: dict[str, Any], place: str = "") -> list[str]:
    """Compare a value with the schema of a custom resource."""
    kind = KINDS.get(schema.get("type", ""), object)
    if not isinstance(value, kind) and not schema.get("x-kubernetes-int-or-string"):
        return [f"{place} is {value!r}"]
    found = [f"{place}.{name} is missing" for name in schema.get("required", []) if name not in value]
    if isinstance(value, list):
        for k, item in enumerate(value):
            found += wrong_fields(item, schema["items"], f"{place}[{k}]")
    known = schema.get("properties", {})
    for name, item in value.items() if isinstance(value, dict) else ():
        inside = known.get(name, schema.get("additionalProperties"))
        found += wrong_fields(item, inside, f"{place}.{name}") if inside else [f"{place}.{name} is unknown"]
    return found
