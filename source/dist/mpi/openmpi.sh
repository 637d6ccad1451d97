#!/bin/sh
#$ -S /bin/sh -cwd -V
# Runs "$@" with one process in each slot of the job. Open MPI reads $PE_HOSTFILE itself.
PATH=$SGE_BINARY_PATH:$PATH
export PATH
exec mpirun "$@"
