/* A part of an answer; the last part says so. Long lists come in many parts. */
SGE_BOOL  (GA_is_last,     CULL_DEFAULT)
SGE_LIST  (GA_answers,  AN_Type,   CULL_DEFAULT)
SGE_ULONG (GA_job_number,  CULL_DEFAULT)
SGE_LIST  (GA_jobs,     JB_Type,   CULL_DEFAULT)
SGE_LIST  (GA_tasks,    JAT_Type,  CULL_DEFAULT)    /* of the jobs in this part */
SGE_LIST  (GA_reports,  JR_Type,   CULL_DEFAULT)    /* WATCH: ends */
SGE_LIST  (GA_cqueues,  CQ_Type,   CULL_DEFAULT)
SGE_LIST  (GA_queues,   QU_Type,   CULL_DEFAULT)
SGE_LIST  (GA_hosts,    EH_Type,   CULL_DEFAULT)
SGE_LIST  (GA_names,    NM_Type,   CULL_DEFAULT)
SGE_LIST  (GA_confs,    CONF_Type, CULL_DEFAULT)
SGE_LIST  (GA_texts,    TX_Type,   CULL_DEFAULT)
SGE_STRING(GA_session,     CULL_DEFAULT)            /* its key */
SGE_ULONG64(GA_session_number, CULL_DEFAULT)         /* SN_number: the JB_session of its jobs */
SGE_ULONG64(GA_n_ends,     CULL_DEFAULT)            /* how many it keeps */
SGE_LIST  (GA_ends,     EN_Type,   CULL_DEFAULT)    /* WATCH of a session */
SGE_BOOL  (GA_is_synced,   CULL_DEFAULT)            /* WATCH of a session: all stored ends have been sent */
SGE_LIST  (GA_waits,    WT_Type,   CULL_DEFAULT)
SGE_LIST  (GA_reasons,  ST_Type,   CULL_DEFAULT)    /* why the (only) job of this part waits; absent: schedd_job_info is off */
SGE_BOOL  (GA_has_started, CULL_DEFAULT)            /* ADD of an immediate job (-now y): all its tasks */
SGE_STRING(GA_queue,       CULL_DEFAULT)            /* ADD of a job with a session: the queue instance in which its task has started */
SGE_STRING(GA_lines,       CULL_DEFAULT)            /* GET of accounting: lines of the file, whole */
SGE_BOOL  (GA_is_ranked,   CULL_DEFAULT)            /* GDI_RANKED, first part: what waits comes in the order of its figures */
SGE_LIST  (GA_priors,   PF_Type,   CULL_DEFAULT)    /* of the jobs of this part, in their order, each of PF_jobs of them: the fields asked for (GR_fields) */
SGE_BOOL  (GA_rest_waits,  CULL_DEFAULT)            /* GDI_RANKED: jobs with running tasks have all come */
SGE_STRING(GA_command,     CULL_DEFAULT)            /* with GA_queue: what is configured for this client to reach its task with; absent: builtin */
SGE_LIST  (GA_ars,      AR_Type,   CULL_DEFAULT)    /* GET of advance reservations */
