/* one entry of a dependency list: in request lists 0 and a name or pattern, or an id as text; in resolved lists the id */
SGE_ULONG (JRE_job_number, CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_ULONG (JRE_round,      CULL_SPOOL | CULL_OWN) /* JB_round of that job: another job that gets its number is not meant */
SGE_STRING(JRE_job_name,   CULL_SPOOL)
