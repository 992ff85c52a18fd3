#!/bin/bash
# Shards as a Slurm job array:
#
#   export TASKS=$PWD/tasks.vsb.jsonl MODEL=automation RUNS=$PWD/runs/today
#   job=$(sbatch --parsable --array=1-8 slurm-array.sh)
#   sbatch --dependency=afterany:"$job" slurm-merge.sh
#
# One shard again, such as one that ran out of time: sbatch --array=3 slurm-array.sh
# RUNS must be on a file system that all nodes share, and keys in the environment or in a file that
# only you can read.
#SBATCH --job-name=vsb
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --signal=INT@120
#SBATCH --output=%x-%A_%a.log
set -euo pipefail

SHARDS=${SHARDS:-8} # as many as the array has, whichever of them run now
run="$RUNS/shard-$SLURM_ARRAY_TASK_ID"

# A job that was requeued, or is submitted again, asks nothing twice.
resume=()
if [ -e "$run/run.json" ]; then
  resume=(--vsb-resume)
fi

exec srun pytest "$TASKS" -n "$SLURM_CPUS_PER_TASK" \
  --vsb-model="$MODEL" \
  --vsb-lean-jobs="$SLURM_CPUS_PER_TASK" \
  --vsb-shard="$SLURM_ARRAY_TASK_ID/$SHARDS" \
  --vsb-run="$run" \
  --vsb-fail-on=never \
  "${resume[@]}"
