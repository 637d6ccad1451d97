/* One order of the scheduler: start tasks of a job, each with the same allocation. The qmaster
 * checks each in full. */
SGE_ULONG (OR_kind,       CULL_DEFAULT)          /* enum order_kind */
SGE_ULONG (OR_job_number, CULL_DEFAULT)
SGE_LIST  (OR_ids, RN_Type, CULL_DEFAULT)        /* ordinals */
SGE_LIST  (OR_granted, JG_Type, CULL_DEFAULT)    /* of each task */
SGE_DOUBLE(OR_prio,       CULL_DEFAULT)
SGE_STRING(OR_reason,     CULL_DEFAULT)
SGE_STRING(OR_owner,      CULL_DEFAULT)          /* of jobs: ORDER_LAST */
