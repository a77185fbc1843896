"""Print a manifest that runs a wordorder command on Kubernetes, on a cluster of the Dask operator.

    python on_kubernetes.py --image registry.example.org/wordorder --claim corpus --workers 20 -- \\
        score -r shards/reference shards/system --folder statistics -o scores.txt | kubectl apply -f -

The claim names a persistent volume with the shards, which many pods may write to (ReadWriteMany); it is
mounted at /data, the folder in which the command runs. The command is a Job; if it fails, it is started again
and resumes.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from dask_kubernetes.operator import make_cluster_spec

DATA = "/data"


def main() -> None:
    """Print the manifest as JSON, which kubectl reads as it reads YAML."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--name", default="wordorder")
    parser.add_argument("--image", required=True, help="has wordorder[cluster]; the same for all pods")
    parser.add_argument("--claim", required=True, help="persistent volume claim with the shards")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="2Gi", help="of a worker, which has one core")
    parser.add_argument("command", nargs="+", help="a command of wordorder, after --")
    print(json.dumps(manifest(parser.parse_args()), indent=2))


def manifest(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return the cluster and the job."""
    return {"apiVersion": "v1", "kind": "List", "items": [cluster_of(chosen), job_of(chosen)]}


def cluster_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return a cluster whose workers see the volume."""
    cluster: dict[str, Any] = make_cluster_spec(
        chosen.name,
        image=chosen.image,
        n_workers=chosen.workers,
        resources=resources(chosen),
        env={},
        worker_command=["dask", "worker", "--nthreads", "1"],
    )
    # The program dask-scheduler, which the specification names, is not part of newer versions of Dask.
    scheduler = cluster["spec"]["scheduler"]["spec"]["containers"][0]
    scheduler["args"] = [
        "dask",
        "scheduler",
        "--host",
        "0.0.0.0",
    ]  # in a pod: its service decides who gets in
    with_volume(cluster["spec"]["worker"]["spec"], chosen.claim)
    return cluster


def job_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return a job that runs the command, which needs the scheduler's address and the volume."""
    address = f"tcp://{chosen.name}-scheduler:8786"
    container = {
        "name": "wordorder",
        "image": chosen.image,
        "args": ["wordorder", *chosen.command, "--resume", "--cluster", address],
        "resources": resources(chosen),
    }
    pod: dict[str, Any] = {"restartPolicy": "Never", "containers": [container]}
    with_volume(pod, chosen.claim)
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": f"{chosen.name}-command"},
        "spec": {"backoffLimit": 10, "template": {"spec": pod}},
    }


def resources(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return what a pod asks for and may use."""
    return {"requests": {"cpu": "1", "memory": chosen.memory}, "limits": {"memory": chosen.memory}}


def with_volume(pod: dict[str, Any], claim: str) -> None:
    """Mount the volume in the containers of a pod, and start them in its folder."""
    pod["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]
    for container in pod["containers"]:
        container["volumeMounts"] = [{"name": "data", "mountPath": DATA}]
        container["workingDir"] = DATA


if __name__ == "__main__":
    main()
