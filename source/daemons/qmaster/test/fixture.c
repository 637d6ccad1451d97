/* The qmaster of the tests, from its start to its end. Where the daemon has a network server, the
 * fixture itself stands (fixture_net.c); the committer, the fetcher and the reader of the
 * accounting file have no threads and work in fixture_turn. */
#include "daemons/qmaster/test/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/account_reader.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/state.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"

enum { NOW_S = 1700000000, ALICE_UID = 1001, FILE_MAX_BYTES = 1 << 20 };

/* 0, or -1 with ans */
static int load_state(struct fixture *f, struct answer *ans)
{
    struct qmaster *q = &f->q;
    char *dir = path_join(f->dir, "spooldb"), *setup = path_join(f->dir, "cell_setup");
    *q = (struct qmaster){ .host = "node1", .net = (struct net *)f, .keeps_newer = q->keeps_newer };
    state_init(q);
    q->now_s = NOW_S;
    q->now_us = 1000000;
    struct spool_options options = { .is_new = access(dir, F_OK) != 0,
                                     .cache_bytes = 1 << 20,
                                     .ballast_bytes = 4096 };
    q->spool = spool_open(dir, &options, ans);
    assert_string_equal(ans_first_error(ans), "");
    int rc = state_load(q, f->accounting, setup, (struct comm_server *)f, ans);
    free(setup);
    free(dir);
    return rc;
}

static void open_state(struct fixture *f)
{
    struct qmaster *q = &f->q;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(load_state(f, &ans), 0);
    committer_stop(q->committer); /* from now on committer_run does what there is and returns */
    fetcher_stop(q->fetcher);     /* the same */
    account_reader_stop(q->account_reader);
    ans_free(&ans);
}

static void close_state(struct fixture *f)
{
    struct qmaster *q = &f->q;
    q->net = NULL; /* the fixture itself */
    state_free(q);
    memset(f->users, 0, sizeof f->users);
    fixture_forget_sent(f);
}

static void register_execd(struct fixture *f)
{
    struct host *h = hosts_find(&f->q.hosts, "node1");
    assert_non_null(h);
    h->conn = fixture_connection(f, "root")->conn;
    fixture_connection(f, "root")->execd_of = h;
}

struct fixture *fixture_place(void)
{
    static const char setup[] = "slots 100\nmanager boss\nhost node1\nload_thresholds NONE\n";
    struct fixture *f = uti_calloc(1, sizeof *f);
    /* hundreds of syncs: no disk has to move for them */
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(f->dir, sizeof f->dir, "%s/qmaster-test-XXXXXX", place);
    assert_non_null(mkdtemp(f->dir));
    f->accounting = path_join(f->dir, "accounting");
    char *path = path_join(f->dir, "cell_setup");
    assert_int_equal(file_write(path, setup, sizeof setup - 1, 0644, NULL), 0);
    free(path);
    return f;
}

void fixture_begin(struct fixture *f)
{
    open_state(f);
    fixture_commit(f);
    register_execd(f);
}

int fixture_setup(void **state)
{
    struct fixture *f = fixture_place();
    fixture_begin(f);
    *state = f;
    return 0;
}

int fixture_setup_operator(void **state)
{
    int rc = fixture_setup(state);
    struct fixture *f = *state;
    settings_put_name(&f->q.settings, NAMES_OPERATOR, "olga");
    return rc;
}

int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    close_state(f);
    file_rmtree(f->dir, NULL);
    free(f->accounting);
    free(f->sent);
    dstr_free(&f->said);
    free(f);
    return 0;
}

bool fixture_turn(struct fixture *f)
{
    struct note_list notes;
    struct note *n;
    core_hand_over(&f->q);
    committer_run(f->q.committer);
    fetcher_run(f->q.fetcher);
    account_reader_run(f->q.account_reader);
    inbox_take(f->q.inbox, 1, &notes);
    bool has_heard = !STAILQ_EMPTY(&notes) || work_is_due(&f->q);
    while ((n = STAILQ_FIRST(&notes)) != NULL) {
        STAILQ_REMOVE_HEAD(&notes, next);
        core_on_note(&f->q, n);
        note_free(n);
    }
    while (work_step(&f->q))
        ;
    return has_heard;
}

void fixture_commit(struct fixture *f)
{
    while (fixture_turn(f) || !change_is_settled(&f->q))
        ;
}

void fixture_restart(struct fixture *f)
{
    fixture_end(f);
    fixture_again(f);
}

void fixture_end(struct fixture *f)
{
    close_state(f);
}

void fixture_again(struct fixture *f)
{
    open_state(f);
    fixture_commit(f);
    register_execd(f);
}

char *fixture_restart_fails(struct fixture *f)
{
    struct answer ans = ANSWER_INIT;
    struct dstr why = DSTR_INIT;
    close_state(f);
    assert_int_equal(load_state(f, &ans), -1);
    for (uint32_t i = 0; i < ans.n; i++)
        dstr_addf(&why, "%s%s", i > 0 ? "\n" : "", ans.v[i].text);
    ans_free(&ans);
    close_state(f);
    f->q = (struct qmaster){ .host = "node1" };
    state_init(&f->q);
    return dstr_take(&why);
}

void fixture_spool(struct fixture *f, enum spool_table table, const void *key, size_t key_len,
                   const struct packer *value)
{
    struct spool_batch *b = spool_batch_new();
    if (value != NULL)
        spool_put(b, table, key, key_len, value->data, value->len);
    else
        spool_del(b, table, key, key_len);
    assert_int_equal(spool_commit(f->q.spool, b, NULL), 0);
    spool_batch_free(b);
}

struct connection *fixture_connect(struct fixture *f, const char *user, uid_t uid)
{
    struct comm_peer peer = { .uid = uid, .gid = uid, .is_local = true };
    struct note *n = note_new(NOTE_OPENED, ++f->last_conn);
    n->who = identity_new(&peer, f->q.host);
    identity_set_names(&n->who, user, user);
    struct connection *s = connections_open(&f->q, n);
    note_free(n);
    return s;
}

struct connection *fixture_connection(struct fixture *f, const char *user)
{
    size_t i = 0;
    while (i < ARRAY_LEN(f->users) && f->users[i].name != NULL &&
           strcmp(f->users[i].name, user) != 0)
        i++;
    assert_true(i < ARRAY_LEN(f->users));
    if (f->users[i].name != NULL)
        return f->users[i].session;
    uid_t uid = strcmp(user, "root") == 0 ? 0 : ALICE_UID + (uid_t)i;
    f->users[i] = (struct known_user){ user, fixture_connect(f, user, uid) };
    return f->users[i].session;
}

void fixture_register_scheduler(struct fixture *f)
{
    struct connection *s = fixture_connection(f, "root");
    static const struct EP_Type nothing_besides;
    struct packer p = { 0 };
    cull_pack(&p, &cull_EP_Type, &nothing_besides, NULL);
    struct frame frame = { .kind = GDI_FRAME_EVENT_REGISTER, .body = p.data, .len = p.len };
    s->who.role = ROLE_SCHEDULER;
    if (events_is_scheduler(&f->q, s->conn)) /* another one, which needs a connection of its own */
        events_on_closed(&f->q, s->conn);
    events_on_register(&f->q, s, &frame);
    packer_free(&p);
}

void fixture_hang_up(struct fixture *f, const char *user)
{
    struct connection *s = fixture_connection(f, user);
    struct note *n = note_new(NOTE_CLOSED, s->conn);
    for (size_t i = 0; i < ARRAY_LEN(f->users); i++)
        if (f->users[i].session == s)
            f->users[i].name = "";
    core_on_note(&f->q, n);
    note_free(n);
}

uint32_t fixture_count_sent(const struct fixture *f, uint64_t conn, uint8_t kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_sent; i++)
        n += f->sent[i].conn == conn && f->sent[i].kind == kind;
    return n;
}

void fixture_forget_sent(struct fixture *f)
{
    for (uint32_t i = 0; i < f->n_sent; i++)
        free(f->sent[i].body);
    f->n_sent = 0;
}

char *fixture_accounting(struct fixture *f)
{
    struct dstr all = DSTR_INIT;
    assert_int_equal(file_read(f->accounting, FILE_MAX_BYTES, &all, NULL), 0);
    const char *at = dstr_get(&all);
    while (*at == '#')
        at += strcspn(at, "\n") + 1;
    char *lines = uti_strdup(at);
    dstr_free(&all);
    return lines;
}
