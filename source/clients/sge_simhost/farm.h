#ifndef CLIENTS_SGE_SIMHOST_FARM_H
#define CLIENTS_SGE_SIMHOST_FARM_H

#include <sys/queue.h>

#include "libs/gdi/message.h"
#include "libs/uti/hash.h"

/* Hosts that are not there. A farm is hosts on one loop, each with a connection, a certificate and
 * a table of tasks of its own, as the execd of a real host has them; a task is an entry that ends
 * when its time is over. Nothing is kept in files: a farm that ends has lost its tasks. */
struct link;
struct gdi_peer;
struct loop;
struct loop_timer;
struct tcp_place;
struct tls_context;

struct farm;
struct sim_host {
    struct farm *farm;
    char *name, *papers_dir;
    struct tcp_place *place;
    struct tls_context *tls; /* made before anything is timed */
    struct link *link;       /* NULL: not begun yet */
    struct gdi_peer *peer;
    struct sim_task *tasks;
    struct XM_Type reports; /* go out at the end of this turn of the loop */
    bool is_registered, is_due;
    uint32_t n_loads; /* load reports so far */
    TAILQ_ENTRY(sim_host) next_due;
};

struct sim_task {
    uint32_t job_number, task_number; /* the key, without a gap */
    uint32_t attempt, exit_status, failed;
    bool has_ended; /* in the table until the qmaster acknowledges the end */
    uint64_t start_s, end_s, ends_us;
    const char *queue; /* counted */
    struct sim_host *host;
    TAILQ_ENTRY(sim_task) next_end;
    UT_hash_handle hh;
};

struct farm {
    struct loop *loop;
    const char *qmaster_host;
    uint16_t port;
    uint64_t run_us;         /* how long each task takes */
    uint64_t load_period_us; /* of each host; 0: they report no load after the first */
    bool was_complete;       /* all hosts were registered at a time */
    struct sim_host *hosts;
    uint32_t n_hosts, n_begun, n_registered;
    uint32_t next_load; /* which host reports next */
    uint64_t begun_us, n_started, n_ended;
    TAILQ_HEAD(, sim_host) due;
    TAILQ_HEAD(, sim_task) running; /* all take as long, so the first ends first */
    struct loop_timer *flush_timer, *end_timer, *load_timer;
};

/* farm_begin - have the next host connect, if fewer than FARM_ARRIVING are on their way */
void farm_begin(struct farm *f);
enum { FARM_ARRIVING = 64 }; /* the qmaster greets no more than 256 at a time */
/* farm_flush - what is due goes out
 * farm_report_load - the next host says its load */
void farm_flush(struct farm *f);
void farm_report_load(struct farm *f);
/* host_clear - its connection and its tasks go */
void host_clear(struct sim_host *h);

/* tasks_end - those end whose time is over */
void tasks_end(struct farm *f);

#endif
