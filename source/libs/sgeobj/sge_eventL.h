/* One event: which fields are there depends on EV_kind (enum event_kind, event.h). Sets are deltas, never whole sets. */
SGE_ULONG64(EV_number,     CULL_PRIMARY_KEY)
SGE_ULONG  (EV_kind,       CULL_DEFAULT)
SGE_ULONG  (EV_job_number, CULL_DEFAULT)
SGE_LIST   (EV_ids,    RN_Type,  CULL_DEFAULT)   /* ordinals of tasks */
SGE_LIST   (EV_granted, JG_Type, CULL_DEFAULT)   /* the allocation of each of them */
SGE_ULONG64(EV_start_time,       CULL_DEFAULT)   /* of tasks that started: JAT_start_time of each of them */
SGE_STRING (EV_queue,            CULL_DEFAULT)   /* queue instance */
SGE_LIST   (EV_jobs,   JB_Type,  CULL_DEFAULT)
SGE_LIST   (EV_queues, QU_Type,  CULL_DEFAULT)
SGE_LIST   (EV_confs,  CONF_Type, CULL_DEFAULT)
SGE_LIST   (EV_texts,  TX_Type,  CULL_DEFAULT)
SGE_LIST   (EV_hosts,  EH_Type,  CULL_DEFAULT)
SGE_LIST   (EV_ars,    AR_Type,  CULL_DEFAULT)
SGE_STRING (EV_owner,            CULL_DEFAULT)   /* of the job */
SGE_STRING (EV_project,          CULL_DEFAULT)   /* absent: none */
SGE_LIST   (EV_usage, UA_Type,   CULL_DEFAULT)   /* of all the tasks together: wallclock, cpu, mem, io */
SGE_LIST   (EV_priors, PF_Type,  CULL_DEFAULT)   /* of EV_jobs, in the same places: as the event was made */
SGE_ULONG  (EV_status,           CULL_DEFAULT)   /* of each of the tasks, as JAT_status and JAT_state have it */
SGE_ULONG  (EV_state,            CULL_DEFAULT)
SGE_ULONG  (EV_failed,           CULL_DEFAULT)   /* how each of the tasks ended that are done, as accounting has it; */
SGE_ULONG  (EV_exit_status,      CULL_DEFAULT)   /* absent: they did not run */
SGE_LIST   (EV_failed_ids, RN_Type, CULL_DEFAULT) /* of tasks that had ended before: those that did not end well, */
SGE_LIST   (EV_unknown_ids, RN_Type, CULL_DEFAULT) /* and those of which that is not known */
