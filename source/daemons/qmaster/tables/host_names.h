#ifndef QMASTER_TABLES_HOST_NAMES_H
#define QMASTER_TABLES_HOST_NAMES_H

/* How the cell spells the names of hosts. What is stored, and looked up by its text, is spelled in
 * one way: as host_name_unique has it. A cell that was made when names were stored as they had been
 * written keeps those that it knows. */
struct qmaster;

/* host_name_known - how Q spells the host SAID: that text if a host, admin host or submit host is
 * called exactly so, else the unique name. Returns SAID or OUT, which has HOST_NAME_BYTES. O(1) */
const char *host_name_known(struct qmaster *q, const char *said, char *out);

#endif
