/* A request of a client. Who asks is known from the connection, never from here; GR_owner is obeyed if that is root. */
SGE_STRING(GR_request_id,  CULL_DEFAULT)            /* of the client's making; a retry repeats it */
SGE_ULONG (GR_verb,        CULL_DEFAULT)
SGE_ULONG (GR_target,      CULL_DEFAULT)
SGE_ULONG (GR_action,      CULL_DEFAULT)
SGE_ULONG (GR_options,     CULL_DEFAULT)
SGE_ULONG (GR_job_number,  CULL_DEFAULT)
SGE_ULONG (GR_task_number, CULL_DEFAULT)
SGE_LIST  (GR_select, ID_Type, CULL_DEFAULT)        /* jobs, queues, hosts, names */
SGE_LIST  (GR_users,  ST_Type, CULL_DEFAULT)        /* only jobs of these owners (patterns); empty = see man pages */
SGE_STRING(GR_states,      CULL_DEFAULT)            /* GET job: letters of qstat -s; of r, s and z alone: only jobs with running tasks */
SGE_LIST  (GR_fields, ST_Type, CULL_DEFAULT)        /* names of the fields wanted */
SGE_ULONG (GR_hold_op,     CULL_DEFAULT)
SGE_ULONG (GR_hold_kinds,  CULL_DEFAULT)
SGE_ULONG (GR_hold_lift,   CULL_DEFAULT)            /* with GDI_HOLD_ADD: kinds to lift as well */
SGE_LIST  (GR_jobs,     JB_Type,   CULL_DEFAULT)
SGE_LIST  (GR_cqueues,  CQ_Type,   CULL_DEFAULT)
SGE_LIST  (GR_hosts,    EH_Type,   CULL_DEFAULT)
SGE_LIST  (GR_names,    NM_Type,   CULL_DEFAULT)
SGE_LIST  (GR_confs,    CONF_Type, CULL_DEFAULT)
SGE_LIST  (GR_texts,    TX_Type,   CULL_DEFAULT)
SGE_STRING(GR_session,     CULL_DEFAULT)            /* its key; of ADD job: the session that keeps the ends of the job's tasks */
SGE_ULONG (GR_owner,       CULL_DEFAULT)            /* ADD_AS job: the user id of its owner */
SGE_LIST  (GR_ends,     EN_Type,   CULL_DEFAULT)    /* TAKE: EN_job_number and EN_ordinals */
SGE_LIST  (GR_ars,      AR_Type,   CULL_DEFAULT)    /* ADD: one */
SGE_LIST  (GR_seen,     TX_Type,   CULL_DEFAULT)    /* MOD, DEL: objects as the sender read them; one that has changed since is not changed */
SGE_LIST  (GR_seen_cqueues, CQ_Type,   CULL_DEFAULT) /* the same of cluster queues, hosts, configurations */
SGE_LIST  (GR_seen_hosts,   EH_Type,   CULL_DEFAULT)
SGE_LIST  (GR_seen_confs,   CONF_Type, CULL_DEFAULT)
