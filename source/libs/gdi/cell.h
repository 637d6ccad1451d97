#ifndef GDI_CELL_H
#define GDI_CELL_H

#include "common/basis.h"

struct answer;

/* Where a cell lives. Paths are absolute if SGE_ROOT is, owned by the cell, never NULL. */
struct cell {
    char *root;              /* SGE_ROOT */
    char *name;              /* SGE_CELL, "default" */
    char *dir;               /* root/name */
    char *common_dir;        /* dir/common */
    char *spool_dir;         /* dir/spool: spool_dir/HOST belongs to that host's execd */
    char *qmaster_spool_dir; /* dir/spool/qmaster; this and the next two follow bootstrap(5) */
    char *database_dir;      /* dir/spool/qmaster/spooldb */
    char *bin_dir;           /* root/bin/ARCH */
    char *socket;            /* dir/spool/qmaster/gdi.sock: where the qmaster listens */
    /* of bootstrap(5), good after cell_bootstrap_read */
    char *admin_user;       /* whom the qmaster becomes when root starts it; NULL: no user */
    bool refuses_root;      /* jobs of root do not run here */
    bool keeps_newer_spool; /* the qmaster runs on a spool that a newer release has written */
    char *hook_users;       /* whom hooks may run as; NULL: the job's owner alone */
    char *mailers;          /* paths of mailers that may gain privileges; NULL: none */
    uint16_t port;          /* where the qmaster listens for other hosts; 0: it has none */
    char *session_gateway;  /* the host that carries sessions to others; NULL: no host */
    uint16_t execd_port;    /* where execution daemons listen for each other; 0 likewise */
};

/* cell_open - the cell this process belongs to
 *
 *   ans  optional; one line saying what is missing
 *
 * SGE_ROOT and SGE_CELL come from the environment; without SGE_ROOT it is the directory where this
 * code was installed: in a library ROOT/lib/ARCH/FILE, or in a program ROOT/bin/ARCH/PROGRAM; a
 * program and a library of two installations need SGE_ROOT. SGE_QMASTER_PORT, if it is set, must be
 * the port of that cell, for which common/bootstrap is read.
 * Returns new: cell_free; NULL with ans. */
struct cell *cell_open(struct answer *ans);
/* cell_open_at - the same for a given place; both borrowed */
struct cell *cell_open_at(const char *root, const char *name, struct answer *ans);
/* cell_free - NULL is fine */
void cell_free(struct cell *c);

/* cell_path - "common_dir/NAME"; new: free() it */
char *cell_path(const struct cell *c, const char *name);

/* cell_relay_socket - where the execution daemon of HOST listens for users of that host, if the
 * qmaster runs on another; new: free() it */
char *cell_relay_socket(const struct cell *c, const char *host);
/* cell_session_socket - where the execution daemon of HOST listens for clients of interactive jobs
 * on that host; new: free() it */
char *cell_session_socket(const struct cell *c, const char *host);
/* cell_aliases_read - let this process know the hosts' aliases (libs/uti/host_name.h), before it
 * has threads. Without common/host_aliases there are none. Returns 0, or -1 with ans.
 * Source: host_aliases(5) */
int cell_aliases_read(const struct cell *c, struct answer *ans);
/* cell_qmaster_host - the host that act_qmaster names; new: free() it; NULL with ans */
char *cell_qmaster_host(const struct cell *c, struct answer *ans);
/* cell_cluster_name - the name in common/cluster_name; that of the cell if the file is missing or
 * its first line is empty, longer than 255 bytes or has control characters; new: free() it */
char *cell_cluster_name(const struct cell *c);

/* What the bootstrap file says; the keys that are not here have one value that is supported.
 * Strings are owned. */
struct bootstrap {
    char *binary_path, *qmaster_spool_dir;
    char *spooling_params; /* "": the file does not say */
    char *admin_user;      /* "none" if the file does not say */
    char *root_jobs;       /* "true", "false" or, if the file does not say, "" */
    char *newer_spool;     /* "keep" or "refuse" */
    char *port;            /* "0": no other hosts */
    char *execd_port;      /* "": the next one */
    char *session_gateway; /* "none": no host */
    char *hook_users;      /* names, divided by blanks or commas; "none" if the file does not say */
    char *mailers;         /* paths, divided the same way; "/usr/bin/mail" if it does not say */
};
#define BOOTSTRAP_INIT                                                                             \
    {                                                                                              \
        .admin_user = NULL                                                                         \
    }

/* cell_bootstrap_read - let the paths of C follow common/bootstrap: lines of `key value`, `#`
 * begins a comment line
 *
 *   c    changed on success only: qmaster_spool_dir, database_dir, bin_dir, admin_user,
 *        refuses_root, keeps_newer_spool, hook_users, mailers, session_gateway, port and
 *        execd_port
 *   ans  optional; names file and line; STATUS_ENOTSUP for a value that is not supported yet
 *
 * Unknown keys are skipped: a newer release may have written them. Returns 0 or -1 with ans.
 * Source: bootstrap(5) */
int cell_bootstrap_read(struct cell *c, struct answer *ans);
/* bootstrap_parse - the same of a text, into B
 *
 *   path  for messages only
 *   b     in: empty; out: all strings set, also those the file leaves out
 *
 * Returns 0, or -1 with B empty. */
int bootstrap_parse(const char *text, const char *path, struct bootstrap *b, struct answer *ans);
/* bootstrap_has_admin - does the qmaster of B run as a user other than root? */
bool bootstrap_has_admin(const struct bootstrap *b);
/* bootstrap_free - B is empty afterwards */
void bootstrap_free(struct bootstrap *b);

#endif
