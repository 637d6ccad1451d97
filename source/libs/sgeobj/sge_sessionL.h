/* A session: it keeps the ends of its jobs' tasks until a client takes them. */
SGE_STRING (SN_key,     CULL_PRIMARY_KEY | CULL_SPOOL)   /* who knows it and is the owner may ask */
SGE_STRING (SN_owner,   CULL_SPOOL | CULL_INTERN)
SGE_ULONG  (SN_uid,     CULL_SPOOL)
SGE_ULONG64(SN_number,  CULL_SPOOL)                      /* random, never used again: jobs and ends name the session by it */
