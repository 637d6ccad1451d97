/* A parallel environment (sge_pe(5)): how a task may have more than one slot. */
SGE_STRING(PE_name,               CULL_PRIMARY_KEY)
SGE_ULONG (PE_slots,              CULL_DEFAULT)
SGE_LIST  (PE_user_list, ST_Type, CULL_DEFAULT)
SGE_LIST  (PE_xuser_list, ST_Type, CULL_DEFAULT)
SGE_STRING(PE_start_proc_args,    CULL_DEFAULT)
SGE_STRING(PE_stop_proc_args,     CULL_DEFAULT)
SGE_STRING(PE_allocation_rule,    CULL_DEFAULT)   /* $pe_slots, $fill_up, $round_robin, or how many on a host */
SGE_BOOL  (PE_control_slaves,     CULL_DEFAULT)
SGE_BOOL  (PE_job_is_first_task,  CULL_DEFAULT)
SGE_STRING(PE_urgency_slots,      CULL_DEFAULT)   /* min, max, avg, or a number */
SGE_BOOL  (PE_accounting_summary, CULL_DEFAULT)
SGE_STRING(PE_qsort_args,         CULL_DEFAULT)
