/* a value of a queue attribute: for hosts without one of their own (AT_href "/"), or for a host or host group */
SGE_STRING(AT_href,  CULL_PRIMARY_KEY | CULL_SPOOL | CULL_INTERN)
SGE_STRING(AT_value, CULL_SPOOL | CULL_INTERN)
