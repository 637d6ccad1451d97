/* a name in a plain list of names: administrative host, submit host, manager, operator */
SGE_STRING(NM_name, CULL_PRIMARY_KEY | CULL_SPOOL)
