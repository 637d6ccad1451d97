#ifndef EXECD_RUN_H
#define EXECD_RUN_H

#include "common/basis.h"

/* The execd as main sees it. */
struct answer;
struct execd;

struct execd_options { /* borrowed for the life of the execd */
    const char *host, *sge_root, *sge_cell, *bin_dir, *socket, *spool_dir;
    const char *cluster_name; /* SGE_CLUSTER_NAME of jobs */
    const char *admin_user;   /* whom load sensors run as; NULL: as the execd */
    /* the qmaster's if that is on another host, with its port; NULL: it has the socket */
    const char *qmaster_host;
    uint16_t port;
    /* where users of this host find the way to that qmaster */
    const char *relay_socket;
    const char *hook_users; /* whom hooks may run as; NULL: the job's owner alone */
    /* where clients of interactive jobs come */
    const char *session_socket;
    /* where this host and others meet for those on another host; 0: there are no other hosts */
    uint16_t session_port;
    const char *session_papers, *session_ledger; /* directories: tls.h, ledger.h */
    const char *session_gateway; /* the host through which they go; NULL: directly */
    bool refuses_root;           /* run nothing as root, whatever the qmaster says */
};

/* execd_new - open the host's directory, find running tasks again, start connecting
 * Returns new: execd_free; NULL with ans (STATUS_EEXIST: another one runs here). */
struct execd *execd_new(const struct execd_options *o, struct answer *ans);
/* execd_run - until SIGTERM or EXEC_SHUTDOWN; running tasks go on without it. 0 or -1 */
int execd_run(struct execd *x);
void execd_free(struct execd *x);

#endif
