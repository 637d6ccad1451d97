/* A queue instance: a cluster queue on one host, its attributes resolved for that host. */
SGE_STRING(QU_full_name, CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN) /* all.q@host */
SGE_STRING(QU_qname,     CULL_SPOOL | CULL_INTERN)
SGE_STRING(QU_qhostname, CULL_SPOOL | CULL_INTERN)
SGE_ULONG (QU_state,     CULL_SPOOL)               /* QI_... bits: disabled, suspended, error, unknown ... */
SGE_STRING(QU_message,   CULL_SPOOL)               /* why it is in error */
SGE_ULONG (QU_seq_no,    CULL_DEFAULT)
SGE_ULONG (QU_job_slots, CULL_DEFAULT)
SGE_ULONG (QU_slots_used, CULL_DEFAULT)
SGE_ULONG (QU_slots_reserved, CULL_DEFAULT)
SGE_ULONG (QU_qtype,     CULL_DEFAULT)             /* QTYPE_BATCH | QTYPE_INTERACTIVE */
SGE_BOOL  (QU_rerun,     CULL_DEFAULT)
SGE_STRING(QU_pe_list,   CULL_DEFAULT)             /* the parallel environments that it offers, as text */
SGE_STRING(QU_ckpt_list, CULL_DEFAULT)             /* the checkpointing environments, likewise */
SGE_LIST  (QU_hostgroups, ST_Type, CULL_DEFAULT)   /* that its host is in, directly or through others: "@allhosts" */
SGE_LIST  (QU_access, AC_Type, CULL_DEFAULT)       /* who may use it: the doors of queue, host and cell, all of which must be open */
SGE_STRING(QU_load_alarm, CULL_DEFAULT)            /* a line for each load threshold that is exceeded; in answers alone */
SGE_STRING(QU_suspend_alarm, CULL_DEFAULT)         /* the same for suspend thresholds */
SGE_STRING(QU_calendar_state, CULL_DEFAULT)        /* what its calendar does, and until when; in answers alone */
SGE_STRING(QU_subordinated, CULL_DEFAULT)          /* a line for each queue instance that suspends it; in answers alone */
SGE_LIST  (QU_consumable_config_list, CE_Type, CULL_DEFAULT) /* complex_values of the queue there: name and value */
SGE_DOUBLE(QU_load, CULL_DEFAULT)                  /* what load_formula makes of its host's load; to the scheduler alone */
SGE_DOUBLE(QU_load_step, CULL_DEFAULT)             /* what each slot that is taken adds to it for a while (job_load_adjustments) */
SGE_LIST  (QU_settings,  VA_Type, CULL_DEFAULT)    /* every attribute of queue_conf(5) with its value on this host */
SGE_LIST  (QU_taken, TK_Type, CULL_DEFAULT)        /* of resources that run out, in this instance; in answers alone */
