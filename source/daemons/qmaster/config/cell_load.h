#ifndef QMASTER_CONFIG_CELL_LOAD_H
#define QMASTER_CONFIG_CELL_LOAD_H

#include "daemons/qmaster/tables/hosts.h"

/* The load values of the cell: what sensors of its hosts say of the host "global". Those of the
 * qmaster's own host and of admin hosts are accepted, and no others: an attacker who has taken over
 * another host says nothing about the cell. If several report the same name, the last
 * report counts. What a host may cost the qmaster that way is limited: */
enum {
    CELL_VALUES_MOST = 256,
    CELL_BYTES_MOST = 64 * 1024,          /* of the names and values of a host */
    CELL_SAID_MOST = 2 * CELL_VALUES_MOST /* in one message: all of them gone, and others come */
};
struct identity;
struct qmaster;

/* cell_load_hear - the execd of H, which is WHO, says that values are new, changed or, without a
 * value, no more, or says nothing of the cell (NULL)
 *
 * Those of a host that may not speak wait until it may, with a line in the log; what is beyond the
 * limits is left out, with another. O(reported values x values of the host and the cell), however
 * many hosts there are; of NULL O(1) */
void cell_load_hear(struct qmaster *q, const struct identity *who, struct host *h,
                    const struct EH_Type *said);
/* cell_load_end - the execd of H has gone, or is new, or H is about to go: its values count no
 * more */
void cell_load_end(struct qmaster *q, struct host *h);

/* The load values of a host, as its execd reports them. What a host may cost the qmaster that way
 * is limited: */
enum {
    LOAD_VALUES_MOST = 1000,
    LOAD_NAME_MOST = 512,
    LOAD_VALUE_MOST = 4096,
    LOAD_BYTES_MOST = 256 * 1024,         /* of all names and values of a host */
    LOAD_SAID_MOST = 2 * LOAD_VALUES_MOST /* in one message: all of them gone, and others come */
};
struct qmaster;

/* host_load_hear - the execd of H says that values are new, changed or, without a value, no more;
 * what is beyond the limits is left out, with a line in the log for each connection. O(values) if
 * they come in the order in which they came first */
void host_load_hear(struct qmaster *q, struct host *h, const struct EH_Type *said);
/* host_load_anew - the execd of H is new, and says all values: those known are forgotten */
void host_load_anew(struct host *h);

#endif
