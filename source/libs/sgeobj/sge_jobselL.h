/* Which jobs and tasks a request means: one entry of `qdel 12.1-3 name 'pat*'`. */
SGE_STRING(ID_str,          CULL_PRIMARY_KEY)    /* id, name or pattern; without the task part */
SGE_LIST  (ID_tasks, TR_Type, CULL_DEFAULT)      /* task ids as given; empty = all tasks */
