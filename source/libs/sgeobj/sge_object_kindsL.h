/* The kinds of objects that administrators keep, one row each. What else depends on the kind is expanded from here:
 *   number   of requests (enum gdi_target) and in the spool (TX_kind): it never changes; less than OBJECT_KINDS, and of no other GDI_ target
 *   word     what commands call the kind; -mattr: its word there and in the like (NULL: it has no attributes there)
 *   page     of the manual, section 5
 *   letters  -a, -A, -d, -m, -M, -s and -s..l with these behind the first letter are options of qconf (NULL: its options are rows of
 *            clients/qconf/options.c, as all are that differ from other kinds)
 *   group    the window of qmon that has the kind (object_groups.h), and the button there that shows it, in this order
 *   form     TEXTS: by its rules (libs/config/object_kinds.c); the others have forms of their own (libs/kinds/kinds.c)
 *   traits   of libs/kinds/kinds.h */
/*          name       number  word              -mattr            page              letters  group       button            form       traits */
OBJECT_KIND(CQUEUE,     2,     "queue",          "queue",          "queue_conf",     "q",     NONE,       NULL,             CQUEUES,   KIND_HOST_VALUES | KIND_NEW_AS_IT_IS)
OBJECT_KIND(EXECHOST,   4,     "exechost",       "exechost",       "host_conf",      "e",     HOST,       "execHosts",      HOSTS,     KIND_LIKE_ANOTHER)
OBJECT_KIND(CONFIG,     9,     "configuration",  NULL,             "sge_conf",       "conf",  CLUSTER,    "configurations", CONFS,     KIND_NAMED_BY_FILE)
OBJECT_KIND(SCHEDCONF, 10,     "scheduler",      NULL,             "sched_conf",     NULL,    SCHEDULER,  "scheduler",      SCHEDCONF, 0)
OBJECT_KIND(COMPLEX,   11,     "complex",        NULL,             "complex",        NULL,    COMPLEX,    "complexes",      TEXTS,     0)
OBJECT_KIND(PE,        12,     "pe",             "pe",             "sge_pe",         "p",     PE,         "environments",   TEXTS,     0)
OBJECT_KIND(CKPT,      13,     "ckpt",           "ckpt",           "checkpoint",     "ckpt",  CHECKPOINT, "checkpoints",    TEXTS,     0)
OBJECT_KIND(CALENDAR,  14,     "calendar",       "calendar",       "calendar_conf",  "cal",   CALENDAR,   "calendars",      TEXTS,     0)
OBJECT_KIND(USER,      17,     "user",           "user",           "user",           "user",  USER,       "users",          TEXTS,     0)
OBJECT_KIND(USERSET,   15,     "userset",        "userset",        "access_list",    "u",     USER,       "userSets",       TEXTS,     KIND_MAY_STAY)
OBJECT_KIND(PROJECT,   16,     "project",        "project",        "project",        "prj",   PROJECT,    "projects",       TEXTS,     0)
OBJECT_KIND(HOSTGROUP, 18,     "hostgroup",      "hostgroup",      "hostgroup",      "hgrp",  HOST,       "hostGroups",     TEXTS,     KIND_NEW_AS_IT_IS)
OBJECT_KIND(RQS,       19,     "resource_quota", "resource_quota", "resource_quota", "rqs",   QUOTA,      "quotas",         TEXTS,     KIND_ADDS_ON_STDOUT)
OBJECT_KIND(SHARETREE, 21,     "share_tree",     NULL,             "sge_share_tree", NULL,    SCHEDULER,  "shareTree",      TEXTS,     0)
