/* One order of the scheduler (enum order_kind). The qmaster checks each in full. */
SGE_ULONG (OR_kind,       CULL_DEFAULT)          /* enum order_kind */
SGE_ULONG (OR_job_number, CULL_DEFAULT)
SGE_LIST  (OR_ids, RN_Type, CULL_DEFAULT)        /* ordinals */
SGE_LIST  (OR_granted, JG_Type, CULL_DEFAULT)    /* of each task */
SGE_DOUBLE(OR_prio,       CULL_DEFAULT)
SGE_STRING(OR_reason,     CULL_DEFAULT)
SGE_STRING(OR_owner,      CULL_DEFAULT)          /* of jobs: ORDER_LAST */
SGE_BOOL  (OR_begins,     CULL_DEFAULT)          /* ORDER_PRIOR: what was granted before is void */
SGE_LIST  (OR_terms, PT_Type, CULL_DEFAULT)      /* ... one, or as before */
SGE_LIST  (OR_granted_by_policy, PG_Type, CULL_DEFAULT)
SGE_LIST  (OR_reserved, RV_Type, CULL_DEFAULT)   /* ORDER_RESERVE */
