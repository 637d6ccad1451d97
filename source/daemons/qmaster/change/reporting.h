#ifndef QMASTER_CHANGE_REPORTING_H
#define QMASTER_CHANGE_REPORTING_H

#include "daemons/qmaster/tables/qmaster.h"

/* What goes into the reporting file (reporting(5)), if reporting_params say that there is one: the
 * lines leave with the batch, and are lost with a qmaster that is killed before it has written
 * them. */

/* reporting_end - a task has ended: LINE is its line of the accounting file, with its newline */
void reporting_end(struct qmaster *q, const char *line);
/* reporting_host - H has reported: those of its load values that report_variables name, its own or
 * those of the host "global"; once a second at most. O(their names x values) */
void reporting_host(struct qmaster *q, struct host *h);

#endif
