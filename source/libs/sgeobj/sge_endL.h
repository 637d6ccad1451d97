/* How tasks of a job ended, as the session of the job keeps it: one task that had a start that day, or any number of tasks that were
 * deleted before they ran. Ordinal n is the task with the id EN_ja_first + n * EN_ja_step. */
SGE_ULONG  (EN_job_number,       CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_LIST   (EN_ordinals,         RN_Type, CULL_SPOOL)
SGE_ULONG  (EN_ja_first,         CULL_SPOOL)
SGE_ULONG  (EN_ja_step,          CULL_SPOOL)
SGE_BOOL   (EN_is_array,         CULL_SPOOL)
SGE_ULONG  (EN_how,              CULL_SPOOL)              /* enum end_how (end.h); what follows is there unless it is END_UNRUN */
SGE_ULONG  (EN_attempt,          CULL_SPOOL)
SGE_ULONG  (EN_failed,           CULL_SPOOL)              /* accounting's "failed" */
SGE_ULONG  (EN_exit_status,      CULL_SPOOL)              /* 128 + signal if a signal ended it */
SGE_STRING (EN_err_str,          CULL_SPOOL)              /* the shepherd's "error" file, one line */
SGE_STRING (EN_queue,            CULL_SPOOL)              /* where it ran: all.q@host */
SGE_ULONG64(EN_submission_time,  CULL_SPOOL)              /* seconds since 1970 */
SGE_ULONG64(EN_start_time,       CULL_SPOOL)
SGE_ULONG64(EN_end_time,         CULL_SPOOL)
SGE_LIST   (EN_usage,  UA_Type,  CULL_SPOOL)
