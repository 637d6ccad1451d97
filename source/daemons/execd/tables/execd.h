#ifndef EXECD_TABLES_EXECD_H
#define EXECD_TABLES_EXECD_H

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/files/task_text.h"
#include "daemons/execd/host/host_dir.h"
#include "daemons/execd/host/load.h"
#include "daemons/execd/host/load_sensors.h"
#include "daemons/execd/host/shepherds.h"
#include "daemons/execd/host/task_groups.h"
#include "daemons/execd/host/tmpdirs.h"
#include "daemons/execd/tables/job_cache.h"
#include "libs/uti/tree.h"

/* The execd: one loop, one thread (and one that asks the name service, user.h). */
struct gdi_peer;
struct link;
struct loop;
struct loop_timer;
struct loop_watch;
struct carrier;
struct sessions;
struct user_relay;
struct exec_task;
struct turn_counts;
struct users;
struct cert_renewal;
struct remote;

TAILQ_HEAD(task_queue, exec_task);
RB_HEAD(task_table, exec_task);

struct execd {
    struct loop *loop;
    struct link *link;
    struct remote *remote;             /* NULL: over the socket of this host */
    struct cert_renewal *cert_renewal; /* of the certificate; NULL likewise */
    pid_t renewal;                     /* the process that renews it; 0: none runs */
    struct sessions *sessions;         /* clients of interactive tasks */
    /* and the way to other hosts; NULL: the cell has none */
    struct carrier *carrier;
    pid_t carrier_process;         /* 0: there is none */
    const char *session_gateway;   /* the host through which they go; NULL: directly. Borrowed */
    struct user_relay *user_relay; /* users' connections; NULL likewise */
    const struct turn_counts *relay_turns, *names_turns; /* of it */
    bool is_refused;                                     /* the qmaster has just said so */
    bool is_heard;                                       /* a qmaster has answered a registration */
    char *trouble;         /* why there is no connection, as far as the log has it; NULL: nothing */
    struct gdi_peer *peer; /* of the present connection; NULL while down */
    struct host_dir dir;
    struct task_dirs dirs; /* below active_jobs */
    struct shepherds shepherds;
    struct removals removals;
    struct tmpdirs tmpdirs;
    struct task_place place; /* strings borrowed from the options */
    char *shepherd;          /* path of sge_shepherd */
    struct CONF_Type global_conf, host_conf;
    struct users *users;
    struct job_cache cache;
    struct gid_pool gids;
    struct cgroups cgroups;
    struct task_table tasks;    /* by key */
    struct task_queue due;      /* those whose state is to be reported */
    struct task_queue starting; /* those ordered and not yet begun */
    struct load load;
    struct load_sensors sensors;
    struct loop_timer *flush_timer; /* at the end of the loop's turn: send what is due */
    struct loop_timer *load_timer, *sample_timer;
    struct loop_timer *values_timer; /* sensors have something new: report it */
    /* a few starts in each turn of the loop, so that ends do not wait for them */
    struct loop_timer *start_timer;
    struct loop_watch *term, *interrupt, *hangup;
    bool refuses_root; /* run nothing as root, whatever the qmaster says */
    bool is_flush_set;
    bool are_cores_news; /* values_timer is set to say which cores are in use */
    bool is_unmarked;    /* there is no gid_range */
    /* the host was short of something at the last start: those in `starting` wait; 0: no */
    uint64_t start_pause_us;
    /* monotonic: it ends by then, or when the tasks have ended that migrate; 0: it does not */
    uint64_t leave_by_us;
    bool is_ending; /* EXEC_SHUTDOWN with 9: ends when the last task has */
};

#endif
