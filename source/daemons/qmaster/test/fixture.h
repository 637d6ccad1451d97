#ifndef QMASTER_TEST_FIXTURE_H
#define QMASTER_TEST_FIXTURE_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/cull/pack.h"
#include "libs/spool/spool.h"
#include "libs/uti/dstr.h"

/* A qmaster without threads and without a network, for tests: a real spool and a real accounting
 * file in a directory of its own; the core's functions are called by the test, the committer works
 * when fixture_commit says so, the clock stands still. What would be sent is caught (the linker
 * wraps net_server and comm_server_...) and can be looked at. */

struct sent { /* a frame that left the qmaster */
    uint64_t conn;
    uint8_t kind;
    uint32_t serial;
    uint8_t *body;
    size_t len;
};
/* of whom the name service does not say whether he is there */
enum { FIXTURE_UNSURE_UID = 7777 };
struct known_user {
    const char *name;
    struct session *session;
};
struct fixture {
    struct qmaster q;
    char dir[40];
    char *accounting; /* path */
    struct dstr said; /* what the last request was answered, entries divided by newlines */
    struct sent *sent;
    uint32_t n_sent, cap_sent;
    struct known_user users[8];
    uint64_t last_conn;
    uint64_t last_closed; /* the connection that was ended last */
    size_t queued;        /* bytes that every client has not read yet */
    uint32_t number;      /* the job number of the last answer */
    /* of everybody who has a connection, beside his own: "staff:"; NULL: the name service fails */
    const char *groups;
    uint32_t n_groups_asked;
};

/* for cmocka_unit_test_setup_teardown: *state is a struct fixture with a new cell: host node1 whose
 * execd is registered, all.q with 100 slots, manager "boss" */
int fixture_setup(void **state);
/* the same with an operator "olga" */
int fixture_setup_operator(void **state);
int fixture_teardown(void **state);
/* fixture_place, fixture_begin - the two halves of fixture_setup: a directory, where a test may put
 * a spool that it has, and the qmaster in it */
struct fixture *fixture_place(void);
void fixture_begin(struct fixture *f);

/* fixture_commit - all that was changed is on disk and sent afterwards; what was to be read has
 * arrived */
void fixture_commit(struct fixture *f);
/* fixture_turn - one turn of that: each thread works once; false if the core has heard nothing */
bool fixture_turn(struct fixture *f);
/* fixture_restart - what was not committed is lost; everything else is read from the spool by a new
 * qmaster */
void fixture_restart(struct fixture *f);
/* fixture_end, fixture_again - the two halves of that */
void fixture_end(struct fixture *f);
void fixture_again(struct fixture *f);
/* fixture_restart_fails - the same, of a spool that cannot be read: why, as the administrator is
 * told; new: free(). No qmaster is left. */
char *fixture_restart_fails(struct fixture *f);
/* fixture_spool - write into the spool behind the qmaster's back; VALUE NULL: the record goes */
void fixture_spool(struct fixture *f, enum spool_table table, const void *key, size_t key_len,
                   const struct packer *value);
/* fixture_picture - all jobs and tasks with their sets and lists, as text; new: free() */
char *fixture_picture(struct fixture *f);
/* fixture_assert_picture - it is still BEFORE, which is freed */
void fixture_assert_picture(struct fixture *f, char *before);

/* fixture_connect - a connection more, of USER who has UID */
struct session *fixture_connect(struct fixture *f, const char *user, uid_t uid);
/* fixture_session - the connection of a user, opened at the first call */
struct session *fixture_session(struct fixture *f, const char *user);

/* fixture_register_scheduler - the connection of root is that of the scheduler, and registers */
void fixture_register_scheduler(struct fixture *f);

/* fixture_hang_up - that connection ends; the next use of the user's name opens another */
void fixture_hang_up(struct fixture *f, const char *user);

struct wish {           /* a submit; NULL = not said */
    const char *owner;  /* default alice */
    const char *name;   /* default J */
    const char *tasks;  /* "1-10:4"; default: no array */
    const char *ad;     /* -hold_jid_ad */
    const char *jid;    /* -hold_jid */
    const char *id;     /* request id */
    const char *script; /* default: none, the job is a binary */
    const char *project;
    bool is_left; /* if it takes more steps than one, the test does them */
};
/* fixture_submit - the job's number, 0 if it was refused (f->said) */
uint32_t fixture_submit(struct fixture *f, struct wish w);
#define submit(f, ...) fixture_submit(f, (struct wish){ __VA_ARGS__ })
/* fixture_ask - USER's request GR (emptied) of a handler; what the answer says is in f->said. True
 * if it has no error */
struct request;
typedef void (*fixture_handler_fn)(struct qmaster *q, struct request *r);
bool fixture_ask(struct fixture *f, const char *user, fixture_handler_fn handler,
                 struct GR_Type *gr);
/* said - the answer to the last request, its entries divided by newlines */
const char *said(const struct fixture *f);
/* fixture_name - add what USER means ("12", "12.3", "12.3-9:2", a name) to a request */
void fixture_name(struct GR_Type *gr, const char *what);
/* fixture_alter - qalter -hold_jid_ad or -hold_jid (NULL: not said) of a job; true if it was not
 * refused */
bool fixture_alter(struct fixture *f, uint32_t job, const char *ad, const char *jid);
/* fixture_hold - put (OP GDI_HOLD_ADD), lift or clear holds of some KINDS; true if it was not
 * refused */
bool fixture_hold(struct fixture *f, const char *user, const char *what, unsigned kinds,
                  uint32_t op);
/* fixture_delete - qdel of "12", "12.3", "12.3-9:2", a name or a pattern */
void fixture_delete(struct fixture *f, const char *user, const char *what);
/* fixture_delete_forced - the same with -f */
void fixture_delete_forced(struct fixture *f, const char *user, const char *what);
/* fixture_set_queue - qconf -mattr of all.q by the manager; true if it was not refused */
bool fixture_set_queue(struct fixture *f, const char *attr, const char *value);
/* fixture_put_group - the manager's request that the host group NAME means HOSTS, whether it exists
 * or not; true if it was not refused
 * fixture_set_group - the same; asserts that it was not refused */
bool fixture_put_group(struct fixture *f, const char *name, const char *hosts);
void fixture_set_group(struct fixture *f, const char *name, const char *hosts);
/* fixture_select - what a request of USER for WHAT means: the handler's own selection, freed by the
 * caller */
struct selection;
void fixture_select(struct fixture *f, const char *user, const char *what, struct selection *out);

struct job *fixture_job(struct fixture *f, uint32_t number); /* asserts that it is there */
struct task *fixture_task(struct fixture *f, uint32_t job,
                          uint32_t task_id); /* asserts that it has a record */
struct qinstance *fixture_queue(struct fixture *f);
/* fixture_start - as an order would: asserts that the task may start */
void fixture_start(struct fixture *f, uint32_t job, uint32_t task_id);
/* fixture_report - the execd's word on the present start; STATE enum report_state, FAILED enum
 * task_failure */
void fixture_report(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t state,
                    uint32_t failed);
/* fixture_run - start, and end with FAILED */
void fixture_run(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t failed);

/* fixture_held - the task ids of JOB with an array hold, as qstat prints them; borrowed till the
 * next call */
const char *fixture_held(struct fixture *f, uint32_t job);
/* fixture_ready - the task ids that may start */
const char *fixture_ready(struct fixture *f, uint32_t job);
/* fixture_accounting - the accounting file without its comment lines; new: free() */
char *fixture_accounting(struct fixture *f);
uint32_t fixture_count_sent(const struct fixture *f, uint64_t conn, uint8_t kind);
void fixture_forget_sent(struct fixture *f);

#endif
