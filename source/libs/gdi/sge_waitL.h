/* -why: one task that a pending task still waits for */
SGE_ULONG (WT_job_number,  CULL_DEFAULT)
SGE_STRING(WT_job_name,    CULL_DEFAULT)
SGE_ULONG (WT_task_number, CULL_DEFAULT)
SGE_STRING(WT_kind,        CULL_DEFAULT)   /* hold_jid, hold_jid_ad */
SGE_STRING(WT_state,       CULL_DEFAULT)   /* as qstat prints it: qw, hqw, r, Eqw ... */
