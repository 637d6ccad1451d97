/* A task of a job that runs, ran and was put back, or is in error: keyed by job and task, a record of its own; in an order to a
 * host also by a petask (task_key.h). */
SGE_ULONG  (JAT_job_number,                     CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_ULONG  (JAT_task_number,                    CULL_PRIMARY_KEY | CULL_SPOOL) /* the task id; 1 for a non-array job */
SGE_STRING (JAT_pe_task_id,                     CULL_SPOOL)                    /* absent: the task itself */
SGE_ULONG  (JAT_status,                         CULL_SPOOL)                    /* enum task_status */
SGE_ULONG  (JAT_state,                          CULL_SPOOL)                    /* TASK_IS_... bits: deleted, suspended ... */
SGE_ULONG  (JAT_attempt,                        CULL_SPOOL)                    /* 1 for the first start; names a start with job and task */
SGE_ULONG64(JAT_start_time,                     CULL_SPOOL)                    /* when it was sent or started, seconds */
SGE_ULONG64(JAT_end_time,                       CULL_SPOOL)
SGE_LIST   (JAT_granted_destin_identifier_list, JG_Type, CULL_SPOOL)           /* its allocation, of the last start */
SGE_DOUBLE (JAT_prio,                           CULL_DEFAULT)
SGE_DOUBLE (JAT_ntix,                           CULL_DEFAULT)
SGE_ULONG  (JAT_job_restarted,                  CULL_SPOOL)                    /* RESTARTED in the next start */
SGE_BOOL   (JAT_is_slave,                       CULL_SPOOL)                    /* of a host that has slots of it, but not its first process */
SGE_ULONG64(JAT_not_before,                     CULL_SPOOL)                    /* put back: seconds before which it does not start again */
SGE_LIST   (JAT_checkpoint,                     TC_Type, CULL_SPOOL)           /* how its start saves its state; empty: not at all */
SGE_BOOL   (JAT_is_checkpointed,                CULL_SPOOL)                    /* there is a checkpoint from which the next start goes on */
SGE_STRING (JAT_error_reason,                   CULL_SPOOL)                    /* why it is in error, for qstat -j */
SGE_STRING (JAT_binding,                        CULL_DEFAULT)                  /* JR_binding, as last reported */
SGE_LIST   (JAT_scaled_usage_list,              UA_Type, CULL_DEFAULT)         /* cpu mem io vmem maxvmem, as last reported */
SGE_LIST   (JAT_end, JR_Type,                   CULL_SPOOL)                    /* with petasks: its own end as reported, while its slaves end; empty: it has not ended */
SGE_LIST   (JAT_petasks_done, PD_Type,          CULL_SPOOL)                    /* petasks of this start that have ended */
SGE_LIST   (JAT_petask_usage, UA_Type,          CULL_SPOOL)                    /* what they have used, together */
SGE_LIST   (JAT_petasks, PS_Type,               CULL_DEFAULT)                  /* in answers to those who want it: the task itself and those that run */
