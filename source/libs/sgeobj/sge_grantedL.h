/* One entry of an allocation (allocation.h): the slots that a task has in a queue instance. */
SGE_STRING(JG_qname,     CULL_PRIMARY_KEY | CULL_SPOOL) /* the queue instance: all.q@host */
SGE_STRING(JG_qhostname, CULL_SPOOL) /* not in orders and events: their readers know the instances */
SGE_ULONG (JG_slots,     CULL_SPOOL)
SGE_STRING(JG_pe,        CULL_SPOOL) /* in the master's entry: the parallel environment of all of them; absent without one */
SGE_STRING(JG_pe_start,  CULL_SPOOL) /* beside JG_pe, as the environment was when the task started: its start_proc_args, absent: none */
SGE_STRING(JG_pe_stop,   CULL_SPOOL) /* its stop_proc_args */
SGE_LIST  (JG_taken, TK_Type, CULL_SPOOL) /* of resources that run out; the only truth of what the task took, whatever its job asks for now */
