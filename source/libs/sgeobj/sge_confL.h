/* A configuration (sge_conf(5)): of all hosts ("global") or of one host. The scheduler's (sched_conf(5)) is "@scheduler". */
SGE_STRING(CONF_name,    CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_ULONG (CONF_version, CULL_SPOOL)
SGE_LIST  (CONF_entries, VA_Type, CULL_SPOOL)
