/* a range of task ids as a user wrote it */
SGE_ULONG(TR_min,  CULL_DEFAULT)
SGE_ULONG(TR_max,  CULL_DEFAULT)
SGE_ULONG(TR_step, CULL_DEFAULT)
