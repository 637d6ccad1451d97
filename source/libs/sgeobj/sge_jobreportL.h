/* What an execd says of one start of a task: {job, task, petask} (task_key.h) and attempt. In the spool it is an end (JAT_end). */
SGE_ULONG  (JR_job_number,  CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_ULONG  (JR_task_number, CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_ULONG  (JR_attempt,     CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_STRING (JR_pe_task_id,  CULL_SPOOL)        /* absent: the task itself */
SGE_ULONG  (JR_state,       CULL_SPOOL)        /* enum report_state: started, running, ended, unknown */
SGE_ULONG  (JR_failed,      CULL_SPOOL)        /* accounting's "failed": 0, 1, 7, 26, 27, 37, 100 ... */
SGE_ULONG  (JR_exit_status, CULL_SPOOL)        /* 128 + signal if a signal ended it */
SGE_BOOL   (JR_is_checkpointed, CULL_SPOOL)    /* a command has saved its state */
SGE_STRING (JR_err_str,     CULL_SPOOL)        /* the shepherd's "error" file, one line */
SGE_STRING (JR_queue,       CULL_SPOOL)
SGE_STRING (JR_binding,     CULL_DEFAULT)      /* the topology of its host with the cores that it is bound to in lower case; absent: to none */
SGE_ULONG64(JR_start_time,  CULL_SPOOL)
SGE_ULONG64(JR_end_time,    CULL_SPOOL)
SGE_LIST   (JR_usage, UA_Type, CULL_SPOOL)
