/* A rule of a resource quota set: whom it concerns, each filter as it was written (NULL: everybody), and how much they may have. */
SGE_STRING(RQR_name,            CULL_DEFAULT)
SGE_STRING(RQR_users,           CULL_DEFAULT)
SGE_STRING(RQR_projects,        CULL_DEFAULT)
SGE_STRING(RQR_pes,             CULL_DEFAULT)
SGE_STRING(RQR_queues,          CULL_DEFAULT)
SGE_STRING(RQR_hosts,           CULL_DEFAULT)
SGE_LIST  (RQR_limit, VA_Type,  CULL_DEFAULT)   /* resource and value */
