#!/bin/bash
# Run a wordorder command on Slurm without dask-jobqueue, in one job:
#
#     sbatch --nodes 4 --ntasks-per-node 8 --mem-per-cpu 2G --time 02:00:00 on_slurm.sh \
#         score -r shards/reference shards/system --folder shards/statistics -o scores.txt --resume
#
# Submit it in a folder that all nodes share, from the environment that has wordorder. The first node also
# has the scheduler. If the job ends too early, submit it again: --resume goes on from there.
#SBATCH --job-name=wordorder
#SBATCH --cpus-per-task=1
set -euo pipefail

host=${HOST:-$(hostname --ip-address | cut -d ' ' -f 1)} # an address that the other nodes can reach
port=${PORT:-$((20000 + SLURM_JOB_ID % 20000))}          # another one for each job on the node

dask scheduler --host "$host" --port "$port" --dashboard-address 127.0.0.1:0 &
scheduler=$!
srun --overlap --kill-on-bad-exit=0 \
    dask worker "tcp://$host:$port" --nthreads 1 --dashboard-address 127.0.0.1:0 &
workers=$!
trap 'kill $workers $scheduler' EXIT

wordorder "$@" --cluster "tcp://$host:$port"
