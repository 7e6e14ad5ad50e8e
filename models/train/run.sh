#!/bin/sh
# Runs a Python script of this folder with the settings that make training
# fast on a processor: one thread, and an allocator that keeps its memory
# (fresh pages cost more than the matrix products they hold).
#   ./run.sh train.py --model gru --data DIR --work DIR --minutes 90
export OMP_NUM_THREADS=1
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=100000000000
export MALLOC_TOP_PAD_=200000000
here=$(dirname "$0")
script=$1
shift
exec nice -n "${NICE:-19}" "${PYTHON:-python3}" "$here/$script" "$@"
