/* a variable: of the environment, of a context, of a load report */
SGE_STRING(VA_variable, CULL_PRIMARY_KEY | CULL_SPOOL)
SGE_STRING(VA_value,    CULL_SPOOL)
