/* A project (project(5)): jobs that count together, and who may submit them. */
SGE_STRING(PR_name,          CULL_PRIMARY_KEY)
SGE_ULONG (PR_oticket,       CULL_DEFAULT)
SGE_ULONG (PR_fshare,        CULL_DEFAULT)
SGE_LIST  (PR_acl, ST_Type,  CULL_DEFAULT)
SGE_LIST  (PR_xacl, ST_Type, CULL_DEFAULT)
