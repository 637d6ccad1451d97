/* One order of the scheduler: start tasks of a job in a queue instance. The qmaster checks each in full. */
SGE_ULONG (OR_kind,       CULL_DEFAULT)          /* enum order_kind */
SGE_ULONG (OR_job_number, CULL_DEFAULT)
SGE_LIST  (OR_ids, RN_Type, CULL_DEFAULT)        /* ordinals */
SGE_STRING(OR_queue,      CULL_DEFAULT)
SGE_ULONG (OR_slots,      CULL_DEFAULT)          /* per task */
SGE_DOUBLE(OR_prio,       CULL_DEFAULT)
SGE_STRING(OR_reason,     CULL_DEFAULT)
