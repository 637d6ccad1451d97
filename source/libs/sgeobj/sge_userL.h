/* A user as the share policies know one (user(5)). */
SGE_STRING (UU_name,            CULL_PRIMARY_KEY)
SGE_ULONG  (UU_oticket,         CULL_DEFAULT)
SGE_ULONG  (UU_fshare,          CULL_DEFAULT)
SGE_ULONG64(UU_delete_time,     CULL_DEFAULT)   /* seconds; 0: stays until it is removed */
SGE_STRING (UU_default_project, CULL_DEFAULT)
