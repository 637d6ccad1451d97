#ifndef QMASTER_PRIVILEGE_H
#define QMASTER_PRIVILEGE_H

#include "common/basis.h"

struct answer;
struct cell;

/* privilege_drop - become the admin user of CELL permanently, before any external input is read
 *
 *   cell  borrowed, after cell_bootstrap_read
 *   ans   optional; names the user and what is wrong
 *
 * Root takes on the user's id, group and supplementary groups and can gain no privilege again, nor
 * can what it starts. Resource limits, open files and the environment stay. Without an admin user,
 * and as the admin user, it stays who it is. Root shields the process from the OOM killer in any
 * case, where the kernel lets it. Call it before there are threads. Asks the name service. Returns
 * 0; -1 with ans, when the process must end.
 * Source: bootstrap(5) */
int privilege_drop(const struct cell *cell, struct answer *ans);

/* privilege_start_mail - start the process that runs mailers (io/mail_process.h)
 *
 *   cell  borrowed, after cell_bootstrap_read
 *   ans   optional
 *
 * Call it before privilege_drop, and before there are threads. The process becomes the admin user
 * before it receives anything. The qmaster, and mailers that may not gain privileges, cannot trace
 * root's, or a mailer that may, because their group is another: otherwise a qmaster that has been
 * taken over could use that ability.
 * Returns the socket for mailer_new, or -1: with ans, or without an error if the qmaster is going
 * to run as root, which sends no mail.
 * Source: trust.md, Mail */
int privilege_start_mail(const struct cell *cell, struct answer *ans);

#endif
