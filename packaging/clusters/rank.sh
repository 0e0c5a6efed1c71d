#!/bin/sh
# Starts a program as one of several ranks, with the variables that torchrun sets: rank.sh PROGRAM [ARGUMENT...]
# srun or mpirun starts this script. MASTER_ADDR and MASTER_PORT must be set, the former if there are several hosts.
# The variables of Open MPI and MPICH come before those of Slurm: in a job, what mpirun starts has both.
RANK=${RANK:-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$SLURM_PROCID}}}
WORLD_SIZE=${WORLD_SIZE:-${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-$SLURM_NTASKS}}}
LOCAL_RANK=${LOCAL_RANK:-${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-$SLURM_LOCALID}}}
if [ -z "$RANK" ] || [ -z "$WORLD_SIZE" ] || [ -z "$LOCAL_RANK" ] || [ $# -eq 0 ]; then
  echo "rank.sh: expected to be started by srun or mpirun, with a program: srun rank.sh PROGRAM [ARGUMENT...]" >&2
  exit 2
fi
MASTER_ADDR=${MASTER_ADDR:-127.0.0.1} MASTER_PORT=${MASTER_PORT:-29617}
export RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT
exec "$@"
