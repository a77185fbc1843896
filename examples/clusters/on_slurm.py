"""Run a wordorder command on Slurm, in jobs that dask-jobqueue submits.

    python on_slurm.py --interface ib0 --jobs 20 --cores 8 --memory 16GB --walltime 02:00:00 -- \\
        score -r shards/reference shards/system --folder shards/statistics -o scores.txt

Call it on a login node, in a folder that all nodes share, in the environment that has wordorder. Jobs that
end before the command does, by their time limit or otherwise, are submitted again. --print shows the script
of a job and submits nothing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Any

from dask_jobqueue import SLURMCluster


def main() -> int:
    """Start the jobs, run the command, and end the jobs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cores", type=int, default=1, help="of a job; each works on one shard at a time")
    parser.add_argument("--memory", default="2GB", help="of a job; 2 GB for each core is enough")
    parser.add_argument("--walltime", default="01:00:00", help="of a job")
    parser.add_argument("--partition")
    parser.add_argument("--interface", required=True, help="private network between nodes, such as ib0")
    parser.add_argument("--print", action="store_true", help="print the script of a job")
    parser.add_argument("command", nargs="+", help="a command of wordorder, after --")
    chosen = parser.parse_args()
    with cluster_of(chosen) as cluster:
        if chosen.print:
            print(cluster.job_script())
            return 0
        cluster.adapt(minimum_jobs=chosen.jobs, maximum_jobs=chosen.jobs)  # also submits lost jobs again
        command = [sys.executable, "-m", "wordorder", *chosen.command]
        return subprocess.call([*command, "--cluster", cluster.scheduler_address])


def cluster_of(chosen: argparse.Namespace) -> Any:
    """Return a cluster without jobs."""
    return SLURMCluster(
        cores=chosen.cores,
        processes=chosen.cores,
        memory=chosen.memory,
        walltime=chosen.walltime,
        queue=chosen.partition,
        interface=chosen.interface,
        log_directory="slurm-logs",
        # Without these, web pages about the cluster can be read from every network of the machine.
        scheduler_options={"dashboard_address": "127.0.0.1:0"},
        worker_extra_args=["--dashboard-address", "127.0.0.1:0"],
    )


if __name__ == "__main__":
    sys.exit(main())
