/* What a task takes of a resource that runs out, in one entry of its allocation: the whole of it, for all slots there. */
SGE_STRING (TK_name,   CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN)
SGE_ULONG64(TK_amount, CULL_SPOOL)               /* as libs/resource/consumption.h counts */
SGE_LIST   (TK_devices, ST_Type, CULL_SPOOL)     /* which ones, of a resource of type RSMAP */
