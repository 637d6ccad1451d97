#ifndef QMASTER_TEST_FIXTURE_H
#define QMASTER_TEST_FIXTURE_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/cull/pack.h"
#include "libs/spool/spool.h"
#include "libs/uti/dstr.h"

/* A qmaster without threads and without a network, for tests: a real spool and a real accounting
 * file in a directory of its own; the core's functions are called by the test, the committer works
 * when fixture_commit says so, the clock stands still. What would be sent is caught (fixture_net.c)
 * and can be looked at. */
struct sent { /* a frame that left the qmaster */
    uint64_t conn;
    uint8_t kind;
    uint32_t serial;
    uint8_t *body;
    size_t len;
};
/* of whom the name service does not say whether he is there */
enum { FIXTURE_UNSURE_UID = 7777 };
/* the user as whom the qmaster runs; no user of the tests has this id */
enum { FIXTURE_UID = 900 };
struct known_user {
    const char *name;
    struct connection *session;
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

/* fixture_connect - a connection more, of USER who has UID */
struct connection *fixture_connect(struct fixture *f, const char *user, uid_t uid);
/* fixture_connection - the connection of a user, opened at the first call */
struct connection *fixture_connection(struct fixture *f, const char *user);

/* fixture_register_scheduler - the connection of root is that of the scheduler, and registers */
void fixture_register_scheduler(struct fixture *f);

/* fixture_hang_up - that connection ends; the next use of the user's name opens another */
void fixture_hang_up(struct fixture *f, const char *user);

/* fixture_count_sent - how many frames of that kind left over that connection
 * fixture_forget_sent - those that have left are forgotten */
uint32_t fixture_count_sent(const struct fixture *f, uint64_t conn, uint8_t kind);
void fixture_forget_sent(struct fixture *f);
/* fixture_accounting - the accounting file without its comment lines; new: free() */
char *fixture_accounting(struct fixture *f);

#endif
