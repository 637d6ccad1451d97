/* A package of events or of orders, numbered from 1 on each connection; the acknowledge repeats the number. */
SGE_ULONG64(EP_number,  CULL_DEFAULT)
SGE_ULONG  (EP_interval_ms, CULL_DEFAULT)            /* REGISTER: not more often than this */
SGE_LIST   (EP_kinds,  ST_Type, CULL_DEFAULT)        /* REGISTER: event kinds wanted; empty = scheduling */
SGE_LIST   (EP_events, EV_Type, CULL_DEFAULT)
SGE_LIST   (EP_orders, OR_Type, CULL_DEFAULT)
