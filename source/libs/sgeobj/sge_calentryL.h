/* A span of a calendar: on which days, from when to when, and the state of a queue then. */
SGE_ULONG(CA_first_day, CULL_DEFAULT)   /* of a year: 20301231; 0 in a week */
SGE_ULONG(CA_last_day,  CULL_DEFAULT)   /* that counts, too */
SGE_ULONG(CA_weekdays,  CULL_DEFAULT)   /* of a week: bit 0 is Monday */
SGE_ULONG(CA_from_s,    CULL_DEFAULT)   /* of the day */
SGE_ULONG(CA_to_s,      CULL_DEFAULT)   /* that does not count any more; at most 86400 */
SGE_ULONG(CA_state,     CULL_DEFAULT)   /* enum calendar_state */
