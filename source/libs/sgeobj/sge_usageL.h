/* one figure of a task's usage: cpu, mem, io, vmem, maxvmem, ru_utime ... as in the accounting file */
SGE_STRING(UA_name,  CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN)
SGE_DOUBLE(UA_value, CULL_SPOOL)
