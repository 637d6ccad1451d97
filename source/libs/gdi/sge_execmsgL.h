/* A message between qmaster and execd */
SGE_ULONG (XM_kind,     CULL_DEFAULT)
SGE_LIST  (XM_hosts,   EH_Type,   CULL_DEFAULT)
SGE_LIST  (XM_reports, JR_Type,   CULL_DEFAULT)
SGE_LIST  (XM_jobs,    JB_Type,   CULL_DEFAULT)
SGE_LIST  (XM_tasks,   JAT_Type,  CULL_DEFAULT)
SGE_LIST  (XM_queues,  QU_Type,   CULL_DEFAULT)
SGE_LIST  (XM_confs,   CONF_Type, CULL_DEFAULT)
SGE_LIST  (XM_turns,   TN_Type,   CULL_DEFAULT)     /* LOAD: what the turns of its threads have cost */
SGE_ULONG (XM_signal,   CULL_DEFAULT)
SGE_BOOL  (XM_is_first, CULL_DEFAULT)               /* REGISTER: no qmaster has answered this execd since it started */
