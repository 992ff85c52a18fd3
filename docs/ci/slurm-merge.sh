#!/bin/bash
# Join the shards of slurm-array.sh, and hold them against a baseline if BASELINE names one.
#SBATCH --job-name=vsb-merge
#SBATCH --time=00:30:00
#SBATCH --output=%x-%j.log
set -euo pipefail

vsb merge --whole "$RUNS"/shard-* --output "$RUNS/all"
vsb report "$RUNS/all" --output "$RUNS/report.md"
if [ -n "${BASELINE:-}" ]; then
  vsb gate "$BASELINE" "$RUNS/all"
fi
