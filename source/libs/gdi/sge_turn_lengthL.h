/* How many turns were shorter than 2^TU_bucket microseconds, and not shorter than half of that. */
SGE_ULONG  (TU_bucket, CULL_DEFAULT)
SGE_ULONG64(TU_n,      CULL_DEFAULT)
