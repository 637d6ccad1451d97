#!/bin/sh
#$ -S /bin/sh -cwd -V
# Runs "$@" with one process in each slot of the job: hydra reads $PE_HOSTFILE, and starts its
# proxies with qrsh.
PATH=$SGE_BINARY_PATH:$PATH
export PATH
exec "${MPIEXEC:-mpiexec.hydra}" -rmk sge -launcher sge -launcher-exec "$SGE_BINARY_PATH/qrsh" -n "$NSLOTS" "$@"
