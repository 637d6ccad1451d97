/* What the turns of a thread of a daemon have cost (libs/uti/turns.h), as the daemon reports it. */
SGE_STRING (TN_thread,     CULL_DEFAULT)
SGE_ULONG64(TN_n,          CULL_DEFAULT)
SGE_ULONG64(TN_longest_us, CULL_DEFAULT)
SGE_LIST   (TN_lengths, TU_Type, CULL_DEFAULT)
