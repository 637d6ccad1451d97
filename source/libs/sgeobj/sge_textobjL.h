/* An object whose meaning later parts use, kept as its attributes in order: pe, ckpt, calendar, userset, project ... */
SGE_ULONG (TX_kind,    CULL_PRIMARY_KEY | CULL_SPOOL)   /* enum gdi_target */
SGE_STRING(TX_name,    CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_LIST  (TX_entries, VA_Type, CULL_SPOOL)
