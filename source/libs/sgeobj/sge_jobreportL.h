/* What an execd says of one start of a task: {job, task, petask} (task_key.h) and attempt. */
SGE_ULONG  (JR_job_number,  CULL_PRIMARY_KEY)
SGE_ULONG  (JR_task_number, CULL_PRIMARY_KEY)
SGE_ULONG  (JR_attempt,     CULL_PRIMARY_KEY)
SGE_STRING (JR_pe_task_id,  CULL_DEFAULT)        /* absent: the task itself */
SGE_ULONG  (JR_state,       CULL_DEFAULT)        /* enum report_state: started, running, ended, unknown */
SGE_ULONG  (JR_failed,      CULL_DEFAULT)        /* accounting's "failed": 0, 1, 7, 26, 27, 37, 100 ... */
SGE_ULONG  (JR_exit_status, CULL_DEFAULT)        /* 128 + signal if a signal ended it */
SGE_BOOL   (JR_is_checkpointed, CULL_DEFAULT)    /* a command has saved its state */
SGE_STRING (JR_err_str,     CULL_DEFAULT)        /* the shepherd's "error" file, one line */
SGE_STRING (JR_queue,       CULL_DEFAULT)
SGE_ULONG64(JR_start_time,  CULL_DEFAULT)
SGE_ULONG64(JR_end_time,    CULL_DEFAULT)
SGE_LIST   (JR_usage, UA_Type, CULL_DEFAULT)
