/* wc_queue of -q and -masterq */
SGE_STRING(QR_name, CULL_PRIMARY_KEY | CULL_SPOOL)
