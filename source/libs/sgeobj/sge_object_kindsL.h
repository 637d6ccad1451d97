/* The kinds of objects that administrators keep. The numbers travel in requests (enum gdi_target) and stand in the spool (TX_kind): they never change.
 * The first word is what commands call the kind; the second its word in -mattr and its like (NULL: it has no attributes there); the last its page in section 5. */
/*          name       number  word              -mattr            page */
OBJECT_KIND(CQUEUE,     2,     "queue",          "queue",          "queue_conf")
OBJECT_KIND(EXECHOST,   4,     "exechost",       "exechost",       "host_conf")
OBJECT_KIND(CONFIG,     9,     "configuration",  NULL,             "sge_conf")
OBJECT_KIND(COMPLEX,   11,     "complex",        NULL,             "complex")
OBJECT_KIND(PE,        12,     "pe",             "pe",             "sge_pe")
OBJECT_KIND(CKPT,      13,     "ckpt",           "ckpt",           "checkpoint")
OBJECT_KIND(CALENDAR,  14,     "calendar",       "calendar",       "calendar_conf")
OBJECT_KIND(USERSET,   15,     "userset",        "userset",        "access_list")
OBJECT_KIND(PROJECT,   16,     "project",        "project",        "project")
OBJECT_KIND(USER,      17,     "user",           "user",           "user")
OBJECT_KIND(HOSTGROUP, 18,     "hostgroup",      "hostgroup",      "hostgroup")
OBJECT_KIND(RQS,       19,     "resource_quota", "resource_quota", "resource_quota")
OBJECT_KIND(SHARETREE, 21,     "share_tree",     NULL,             "sge_share_tree")
