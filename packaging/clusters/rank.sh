#!/bin/sh
# Starts a program as one of several ranks, with the variables that torchrun sets: rank.sh PROGRAM [ARGUMENT...]
# srun or mpirun starts this script. MASTER_ADDR and MASTER_PORT must be set, the former if there are several hosts.
RANK=${RANK:-${SLURM_PROCID:-$OMPI_COMM_WORLD_RANK}}
WORLD_SIZE=${WORLD_SIZE:-${SLURM_NTASKS:-$OMPI_COMM_WORLD_SIZE}}
LOCAL_RANK=${LOCAL_RANK:-${SLURM_LOCALID:-$OMPI_COMM_WORLD_LOCAL_RANK}}
if [ -z "$RANK" ] || [ -z "$WORLD_SIZE" ] || [ -z "$LOCAL_RANK" ] || [ $# -eq 0 ]; then
  echo "rank.sh: expected to be started by srun or mpirun, with a program: srun rank.sh PROGRAM [ARGUMENT...]" >&2
  exit 2
fi
# A device for each rank of a host. torchada passes this on to MUSA.
CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES:-$LOCAL_RANK}
MASTER_ADDR=${MASTER_ADDR:-127.0.0.1} MASTER_PORT=${MASTER_PORT:-29617}
export RANK WORLD_SIZE LOCAL_RANK CUDA_VISIBLE_DEVICES MASTER_ADDR MASTER_PORT
exec "$@"
