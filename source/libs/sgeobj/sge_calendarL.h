/* A calendar (calendar_conf(5)): when queues are off or suspended. Days of the year go before those of the week. */
SGE_STRING(CAL_name,                   CULL_PRIMARY_KEY)
SGE_LIST  (CAL_year_calendar, CA_Type, CULL_DEFAULT)
SGE_LIST  (CAL_week_calendar, CA_Type, CULL_DEFAULT)
