/* [host:]path */
SGE_STRING(PN_path,         CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_STRING(PN_host,         CULL_SPOOL)
SGE_STRING(PN_file_host,    CULL_SPOOL)
SGE_BOOL  (PN_file_staging, CULL_SPOOL)
