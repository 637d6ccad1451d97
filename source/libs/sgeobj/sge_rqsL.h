/* A resource quota set (resource_quota(5)): limits; the first rule that concerns a job and a place counts. */
SGE_STRING(RQS_name,          CULL_PRIMARY_KEY)
SGE_STRING(RQS_description,   CULL_DEFAULT)
SGE_BOOL  (RQS_enabled,       CULL_DEFAULT)
SGE_LIST  (RQS_rule, RQR_Type, CULL_DEFAULT)
