/* A user set (access_list(5)): users who may, or may not, or are counted together. */
SGE_STRING(US_name,             CULL_PRIMARY_KEY)
SGE_STRING(US_type,             CULL_DEFAULT)   /* ACL, DEPT, or both */
SGE_ULONG (US_fshare,           CULL_DEFAULT)
SGE_ULONG (US_oticket,          CULL_DEFAULT)
SGE_LIST  (US_entries, ST_Type, CULL_DEFAULT)   /* users, and "@group" for those of a group of the system */
