/* An execution host (EH), by its name; "global" and "template" are hosts too. */
SGE_STRING(EH_name,           CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN)
SGE_LIST  (EH_scaling_list,   VA_Type, CULL_SPOOL)
SGE_LIST  (EH_consumable_config_list, CE_Type, CULL_SPOOL)
SGE_STRING(EH_text_user_lists, CULL_SPOOL)
SGE_STRING(EH_text_xuser_lists, CULL_SPOOL)
SGE_STRING(EH_text_projects,  CULL_SPOOL)
SGE_STRING(EH_text_xprojects, CULL_SPOOL)
SGE_STRING(EH_text_usage_scaling, CULL_SPOOL)
SGE_STRING(EH_text_report_variables, CULL_SPOOL)
SGE_ULONG (EH_processors,     CULL_DEFAULT)
SGE_LIST  (EH_load_list,      VA_Type, CULL_DEFAULT)  /* as last reported: arch num_proc load_avg mem_total ... */
SGE_ULONG64(EH_lt_heard_from, CULL_DEFAULT)           /* when, seconds; 0 = not since the qmaster started */
SGE_BOOL  (EH_is_connected,   CULL_DEFAULT)
SGE_ULONG64(EH_closed_until,  CULL_SPOOL)             /* no task starts there before, since starts failed in a row; 0 = it is open */
SGE_ULONG (EH_closings,       CULL_SPOOL)             /* how often in a row; 0 = never since a start went well */
SGE_STRING(EH_closed_why,     CULL_SPOOL)             /* the reason for people, while it is closed */
SGE_LIST  (EH_taken,          TK_Type, CULL_DEFAULT)  /* of resources that run out, there; in answers alone */
SGE_LIST  (EH_unknown,        VA_Type, CULL_SPOOL)   /* attributes that no table has; as in the file */
