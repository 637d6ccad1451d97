/* how a range set looks from outside; in memory it is struct range_set */
SGE_ULONG(RN_min,  CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_ULONG(RN_max,  CULL_SPOOL)
SGE_ULONG(RN_step, CULL_SPOOL)
