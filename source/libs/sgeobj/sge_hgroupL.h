/* A host group (hostgroup(5)): hosts, and other groups. */
SGE_STRING(HGRP_name,               CULL_PRIMARY_KEY)
SGE_LIST  (HGRP_host_list, ST_Type, CULL_DEFAULT)
