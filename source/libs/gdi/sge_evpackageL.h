/* A package of events or of orders, numbered from 1 on each connection; the acknowledge repeats the number. */
SGE_ULONG64(EP_number, CULL_DEFAULT)
SGE_ULONG(EP_interval_ms, CULL_DEFAULT)   /* REGISTER: not more often than this */
SGE_LIST(EP_kinds, ST_Type, CULL_DEFAULT) /* REGISTER: names of the kinds wanted; empty: all */
SGE_LIST(EP_fields, ST_Type,
         CULL_DEFAULT) /* REGISTER: names of the fields of jobs that are wanted; empty: the usual */
SGE_BOOL(EP_wants_all, CULL_DEFAULT) /* REGISTER: jobs of all users, not the client's alone */
SGE_LIST(EP_events, EV_Type, CULL_DEFAULT)
SGE_LIST(EP_orders, OR_Type, CULL_DEFAULT)
SGE_LIST(EP_turns, TN_Type, CULL_DEFAULT) /* EVENT_ACK of the scheduler: what its turns have cost */
