#ifndef EXECD_FILES_TASK_INPUT_H
#define EXECD_FILES_TASK_INPUT_H

#include <sys/types.h>

#include "libs/sgeobj/rows.h"

/* What the files of a task are made from; all of it borrowed. */
struct core_set;
struct hook_users;
struct topology;
struct user;

struct task_place {                                   /* the execd's side of it */
    const char *host, *sge_root, *sge_cell, *bin_dir; /* bin_dir: with the architecture */
    const char *cluster_name;
    const struct CONF_Type *global_conf, *host_conf; /* NULL before the qmaster has sent them */
    uint16_t port;                                   /* of the qmaster for other hosts; 0: none */
    bool is_root;                                    /* the execd runs as root */
    bool has_starters;                               /* shepherd_cmd or pag_cmd are configured */
    /* of bootstrap(5): whom hooks may run as; NULL: the owner of the job alone */
    const char *hook_users;
    const char *session_socket; /* where the shepherd meets the client of an interactive task */
    uint64_t soft_descriptors, hard_descriptors; /* limits we were started with; 0: not known */
};
struct task_text_input {
    const struct task_place *place;
    const struct JB_Type *job;
    const struct JAT_Type *task;
    const struct QU_Type *queue;
    const struct user *user;
    const char *script_path;             /* the job's script in the spool */
    const char *task_dir;                /* absolute */
    const char *tmpdir;                  /* absolute */
    const char *cgroup;                  /* absolute; NULL: none */
    gid_t additional_gid;                /* 0: none */
    const struct hook_users *hook_users; /* those in front of hooks; NULL: no hook names one */
    const struct topology *topology;     /* of this host */
    const struct core_set *cores;        /* that it is bound to; NULL or empty: to none */
};

#endif
