/* The qmaster of the tests. Where the daemon has a network server, the fixture itself stands: the
 * `struct net *` and `struct comm_server *` that the qmaster's functions hold point to it, and the
 * wrapped functions below are the only ones that follow them. */
#include "daemons/qmaster/test/fixture.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/account_reader.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/sched/events.h"

#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/recover.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/parked.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/requests/select.h"
#include "daemons/qmaster/state.h"
#include "libs/comm/server.h"
#include "libs/config/cqueue.h"
#include "libs/config/object.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_select.h"
#include "libs/spool/spool.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"

enum { NOW_S = 1700000000, ALICE_UID = 1001, FILE_MAX_BYTES = 1 << 20 };

/* ---- the network that is not there ---- */
struct net;
struct comm_server *__wrap_net_server(struct net *net);
void __wrap_comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                             uint8_t *body, size_t len);
void __wrap_comm_server_flush(struct comm_server *s);
void __wrap_comm_server_close(struct comm_server *s, uint64_t conn);
size_t __wrap_comm_server_queued(struct comm_server *s, uint64_t conn);
void __wrap_comm_server_done(struct comm_server *s, uint64_t conn, size_t len);
void __wrap_comm_server_keep(struct comm_server *s, uint64_t conn);
void __wrap_net_ask_owner(struct net *net, uid_t uid);
void __wrap_net_ask_groups(struct net *net, uid_t uid);

struct comm_server *__wrap_net_server(struct net *net)
{
    return (struct comm_server *)net;
}

void __wrap_comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                             uint8_t *body, size_t len)
{
    struct fixture *f = (struct fixture *)s;
    f->sent = uti_vec_grow(f->sent, &f->cap_sent, f->n_sent + 1, sizeof *f->sent);
    f->sent[f->n_sent++] = (struct sent){ conn, kind, serial, body, len };
}

void __wrap_comm_server_flush(struct comm_server *s)
{
    (void)s;
}

void __wrap_comm_server_close(struct comm_server *s, uint64_t conn)
{
    ((struct fixture *)s)->last_closed = conn;
}

void __wrap_comm_server_done(struct comm_server *s, uint64_t conn, size_t len)
{
    (void)s;
    (void)conn;
    (void)len;
}

void __wrap_comm_server_keep(struct comm_server *s, uint64_t conn)
{
    (void)s;
    (void)conn;
}

/* the name service knows those who have a connection, and has trouble with FIXTURE_UNSURE_UID */
void __wrap_net_ask_owner(struct net *net, uid_t uid)
{
    struct fixture *f = (struct fixture *)net;
    struct note *n = note_new(NOTE_OWNER, 0);
    n->number = uid;
    n->is_unsure = uid == FIXTURE_UNSURE_UID;
    for (size_t i = 0; i < ARRAY_LEN(f->users) && f->users[i].name != NULL; i++) {
        if (f->users[i].session->who.uid != uid)
            continue;
        n->who = identity_owner(uid, uid, f->q.host);
        identity_name(&n->who, f->users[i].name, f->users[i].name);
    }
    inbox_put(f->q.inbox, n);
}

void __wrap_net_ask_groups(struct net *net, uid_t uid)
{
    struct fixture *f = (struct fixture *)net;
    struct note *n = note_new(NOTE_GROUPS, 0);
    struct dstr text = DSTR_INIT;
    n->number = uid;
    n->is_unsure = f->groups == NULL;
    f->n_groups_asked++;
    for (size_t i = 0; i < ARRAY_LEN(f->users) && f->users[i].name != NULL; i++)
        if (f->users[i].session->who.uid == uid && !n->is_unsure)
            dstr_addf(&text, "%s:%s:%s", f->users[i].name, f->users[i].name, f->groups);
    n->data = text.len > 0 ? dstr_take(&text) : NULL;
    dstr_free(&text);
    inbox_put(f->q.inbox, n);
}

size_t __wrap_comm_server_queued(struct comm_server *s, uint64_t conn)
{
    (void)conn;
    return ((struct fixture *)s)->queued;
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

/* ---- life and death ---- */
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
    h->conn = fixture_session(f, "root")->conn;
    fixture_session(f, "root")->execd_of = h;
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

struct session *fixture_connect(struct fixture *f, const char *user, uid_t uid)
{
    struct comm_peer peer = { .uid = uid, .gid = uid, .is_local = true };
    struct note *n = note_new(NOTE_OPENED, ++f->last_conn);
    n->who = identity_new(&peer, f->q.host);
    identity_name(&n->who, user, user);
    struct session *s = sessions_open(&f->q, n);
    note_free(n);
    return s;
}

struct session *fixture_session(struct fixture *f, const char *user)
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
    struct session *s = fixture_session(f, "root");
    struct frame frame = { .kind = GDI_FRAME_EVENT_REGISTER };
    s->who.role = ROLE_SCHEDULER;
    events_on_register(&f->q, s, &frame);
}

void fixture_hang_up(struct fixture *f, const char *user)
{
    struct session *s = fixture_session(f, user);
    struct note *n = note_new(NOTE_CLOSED, s->conn);
    for (size_t i = 0; i < ARRAY_LEN(f->users); i++)
        if (f->users[i].session == s)
            f->users[i].name = "";
    core_on_note(&f->q, n);
    note_free(n);
}

/* ---- requests ---- */
static void ask_handler(struct fixture *f, const char *user, fixture_handler_fn handler,
                        struct request *r)
{
    r->from = fixture_session(f, user);
    r->after = change_number(&f->q);
    handler(&f->q, r);
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < r->ans.n; i++)
        dstr_addf(&f->said, "%s%s", i > 0 ? "\n" : "", r->ans.v[i].text);
    f->number = r->ga.GA_job_number;
    cull_clear(&cull_GR_Type, &r->gr);
    cull_clear(&cull_GA_Type, &r->ga);
}

static void set_range(struct JB_Type *job, const char *tasks)
{
    unsigned first = 1, last = 1, step = 1;
    int n = sscanf(tasks, "%u-%u:%u", &first, &last, &step);
    cull_set(job, JB_ja_first, first);
    cull_set(job, JB_ja_last, n > 1 ? last : first);
    cull_set(job, JB_ja_step, step);
    cull_set(job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_ARRAY));
}

static void set_dependencies(struct JB_Type *job, const char *ad, const char *jid)
{
    if (ad != NULL)
        assert_int_equal(job_select_dependencies(ad, job, true, NULL), 0);
    if (jid != NULL)
        assert_int_equal(job_select_dependencies(jid, job, false, NULL), 0);
}

uint32_t fixture_submit(struct fixture *f, struct wish w)
{
    struct request r = { 0 };
    struct JB_Type *job = cull_append(&r.gr, GR_jobs);
    cull_set(job, JB_job_name, w.name != NULL ? w.name : "J");
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    cull_set(job, JB_script_file, "/bin/true");
    if (w.tasks != NULL)
        set_range(job, w.tasks);
    if (w.script != NULL) {
        cull_set(job, JB_script_ptr, w.script);
        cull_set(job, JB_type, job->JB_type & ~(uint32_t)JOB_TYPE_BINARY);
    }
    set_dependencies(job, w.ad, w.jid);
    if (w.project != NULL)
        cull_set(job, JB_project, w.project);
    if (w.id != NULL)
        cull_set(&r.gr, GR_request_id, w.id);
    uint32_t next = f->q.jobs.next_number;
    ask_handler(f, w.owner != NULL ? w.owner : "alice", submit_request, &r);
    ans_free(&r.ans);
    if (r.is_taken && !w.is_left) { /* a long script comes first, or it is to wait for many */
        fixture_commit(f);
        f->number = jobs_find(&f->q.jobs, next) != NULL ? next : 0;
    }
    return f->number;
}

void fixture_name(struct GR_Type *gr, const char *what)
{
    struct ID_Type *id = cull_append(gr, GR_select);
    size_t digits = strspn(what, "0123456789");
    if (digits == 0 || what[digits] != '.') {
        cull_set(id, ID_str, what);
        return;
    }
    char *number = uti_strndup(what, digits);
    unsigned min = 0, max = 0, step = 1;
    int n = sscanf(what + digits + 1, "%u-%u:%u", &min, &max, &step);
    cull_set(id, ID_str, number);
    struct TR_Type *tr = cull_append(id, ID_tasks);
    cull_set(tr, TR_min, min);
    cull_set(tr, TR_max, n > 1 ? max : min);
    cull_set(tr, TR_step, step);
    free(number);
}

bool fixture_ask(struct fixture *f, const char *user, fixture_handler_fn handler,
                 struct GR_Type *gr)
{
    struct request r = { .gr = *gr };
    *gr = (struct GR_Type){ 0 };
    ask_handler(f, user, handler, &r);
    bool is_done = !ans_has_error(&r.ans);
    ans_free(&r.ans);
    return is_done;
}

bool fixture_alter(struct fixture *f, uint32_t job, const char *ad, const char *jid)
{
    struct request r = { 0 };
    char number[16];
    snprintf(number, sizeof number, "%u", job);
    fixture_name(&r.gr, number);
    set_dependencies(cull_append(&r.gr, GR_jobs), ad, jid);
    ask_handler(f, "alice", alter_request, &r);
    bool is_done = !ans_has_error(&r.ans);
    ans_free(&r.ans);
    return is_done;
}

bool fixture_hold(struct fixture *f, const char *user, const char *what, unsigned kinds,
                  uint32_t op)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    cull_set(&gr, GR_hold_op, op);
    cull_set(&gr, GR_hold_kinds, (uint32_t)kinds);
    return fixture_ask(f, user, alter_request, &gr);
}

static void delete_with(struct fixture *f, const char *user, const char *what, uint32_t options)
{
    struct request r = { 0 };
    fixture_name(&r.gr, what);
    cull_set(&r.gr, GR_options, options);
    ask_handler(f, user, delete_request, &r);
    ans_free(&r.ans);
}

void fixture_delete(struct fixture *f, const char *user, const char *what)
{
    delete_with(f, user, what, 0);
}

void fixture_delete_forced(struct fixture *f, const char *user, const char *what)
{
    delete_with(f, user, what, GDI_FORCE);
}

bool fixture_set_queue(struct fixture *f, const char *attr, const char *value)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_CQUEUE);
    struct CQ_Type *cq = cull_append(&gr, GR_cqueues);
    cull_copy(&cull_CQ_Type, cq, &queues_cqueue(&f->q.queues, "all.q")->rec);
    assert_int_equal(cqueue_set(cq, attr, value, NULL), 0);
    return fixture_ask(f, "boss", mod_config_request, &gr);
}

bool fixture_put_group(struct fixture *f, const char *name, const char *hosts)
{
    bool is_there = settings_text(&f->q.settings, GDI_HOSTGROUP, name) != NULL;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_HOSTGROUP);
    const struct object_rules *rules = object_rules_of(OBJECT_HOSTGROUP);
    struct TX_Type *tx = cull_append(&gr, GR_texts);
    object_template(rules, name, tx);
    assert_int_equal(object_set(rules, tx, "hostlist", hosts, NULL), 0);
    return fixture_ask(f, "boss", is_there ? mod_config_request : add_config_request, &gr);
}

void fixture_set_group(struct fixture *f, const char *name, const char *hosts)
{
    assert_true(fixture_put_group(f, name, hosts));
}

static void on_unmatched(struct request *r, const char *what)
{
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, "no %s", what);
}

/* the last selection, moved out of the handler that it was made for */
static struct selection *selected;

static void keep_selection(struct qmaster *q, struct request *r, struct selection *chosen,
                           uint32_t at)
{
    (void)q;
    (void)r;
    (void)at;
    *selected = *chosen;
    *chosen = (struct selection){ 0 };
}

void fixture_select(struct fixture *f, const char *user, const char *what, struct selection *out)
{
    struct request r = { 0 };
    r.from = fixture_session(f, user);
    fixture_name(&r.gr, what);
    selected = out;
    select_jobs(&f->q, &r, user, on_unmatched, keep_selection);
    for (uint32_t i = 0; i < out->n; i++)
        out->v[i].asked = (struct TR_Type_list){ 0 }; /* borrowed from the request */
    dstr_clear(&f->said);
    dstr_add(&f->said, ans_first_error(&r.ans));
    ans_free(&r.ans);
    cull_clear(&cull_GR_Type, &r.gr);
}

/* ---- jobs and tasks ---- */
struct job *fixture_job(struct fixture *f, uint32_t number)
{
    struct job *job = jobs_find(&f->q.jobs, number);
    assert_non_null(job);
    return job;
}

static uint32_t ordinal_of(struct fixture *f, uint32_t number, uint32_t task_id)
{
    uint32_t ordinal = 0;
    assert_true(job_task_ordinal(&fixture_job(f, number)->rec, task_id, &ordinal));
    return ordinal;
}

struct task *fixture_task(struct fixture *f, uint32_t job, uint32_t task_id)
{
    struct task *t = job_task(fixture_job(f, job), ordinal_of(f, job, task_id));
    assert_non_null(t);
    return t;
}

struct qinstance *fixture_queue(struct fixture *f)
{
    struct qinstance *qi = queues_instance(&f->q.queues, "all.q@node1");
    assert_non_null(qi);
    return qi;
}

void fixture_start(struct fixture *f, uint32_t number, uint32_t task_id)
{
    struct job *job = fixture_job(f, number);
    uint32_t ordinal = ordinal_of(f, number, task_id);
    assert_true(job_is_startable(job, ordinal));
    struct place one = { .qi = fixture_queue(f), .slots = 1 };
    task_start(&f->q, job, ordinal, &(struct places){ .v = &one, .n = 1 }, 0);
}

void fixture_report(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t state,
                    uint32_t failed)
{
    struct task *t = fixture_task(f, job, task_id);
    struct JR_Type report = { 0 };
    cull_set(&report, JR_job_number, job);
    cull_set(&report, JR_task_number, task_id);
    cull_set(&report, JR_attempt, t->rec.JAT_attempt);
    cull_set(&report, JR_state, state);
    cull_set(&report, JR_failed, failed);
    cull_set(&report, JR_start_time, f->q.now_s);
    cull_set(&report, JR_end_time, f->q.now_s + 1);
    task_report(&f->q, t, &report);
    cull_clear(&cull_JR_Type, &report);
}

void fixture_run(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t failed)
{
    fixture_start(f, job, task_id);
    fixture_report(f, job, task_id, REPORT_STARTED, 0);
    fixture_report(f, job, task_id, REPORT_ENDED, failed);
}

/* ---- looking ---- */
const char *said(const struct fixture *f)
{
    return dstr_get(&f->said);
}

static const char *ids_text(struct fixture *f, const struct job *job, const struct range_set *ids)
{
    dstr_clear(&f->said);
    job_ids_text(&job->rec, ids, &f->said);
    return dstr_get(&f->said);
}

const char *fixture_held(struct fixture *f, uint32_t number)
{
    struct job *job = fixture_job(f, number);
    return ids_text(f, job, &job->rec.JB_ja_a_h_ids);
}

const char *fixture_ready(struct fixture *f, uint32_t number)
{
    struct job *job = fixture_job(f, number);
    struct range_set ready = { 0 };
    job_startable(job, &job->unfinished, &ready);
    const char *text = ids_text(f, job, &ready);
    range_set_free(&ready);
    return text;
}

static void add_set(struct dstr *out, const char *name, const struct range_set *set)
{
    struct range run;
    if (range_set_is_empty(set))
        return;
    dstr_addf(out, "  %s", name);
    for (uint64_t at = 0; range_set_next_run(set, at, &run); at = (uint64_t)run.last + 1)
        dstr_addf(out, " %u-%u", run.first, run.last);
    dstr_add(out, "\n");
}

static void add_list(struct dstr *out, const char *name, const struct JRE_Type_list *l)
{
    if (l->n == 0)
        return;
    dstr_addf(out, "  %s", name);
    for (uint32_t i = 0; i < l->n; i++)
        dstr_addf(out, " %u/%s", l->v[i].JRE_job_number,
                  l->v[i].JRE_job_name != NULL ? l->v[i].JRE_job_name : "");
    dstr_add(out, "\n");
}

static void add_job(struct dstr *out, struct job *job)
{
    const struct JB_Type *rec = &job->rec;
    links_tidy(job);
    dstr_addf(out, "%u %s %s %u-%u:%u running %u\n", rec->JB_job_number, rec->JB_owner,
              rec->JB_job_name, rec->JB_ja_first, rec->JB_ja_last, rec->JB_ja_step, job->n_running);
    add_set(out, "unfinished", &job->unfinished);
    add_set(out, "pending", &rec->JB_ja_pending_ids);
    add_set(out, "waiting", &job->rare->waiting);
    add_set(out, "user hold", &rec->JB_ja_u_h_ids);
    add_set(out, "operator hold", &rec->JB_ja_o_h_ids);
    add_set(out, "system hold", &rec->JB_ja_s_h_ids);
    add_set(out, "array hold", &rec->JB_ja_a_h_ids);
    add_list(out, "jid request", &rec->JB_jid_request_list);
    add_list(out, "jid predecessors", &rec->JB_jid_predecessor_list);
    add_list(out, "jid sucessors", &rec->JB_jid_sucessor_list);
    add_list(out, "ad request", &rec->JB_ja_ad_request_list);
    add_list(out, "ad predecessors", &rec->JB_ja_ad_predecessor_list);
    add_list(out, "ad sucessors", &rec->JB_ja_ad_sucessor_list);
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t))
        dstr_addf(out, "  task %u status %u state %u attempt %u\n", t->rec.JAT_task_number,
                  t->rec.JAT_status, t->rec.JAT_state, t->rec.JAT_attempt);
}

char *fixture_picture(struct fixture *f)
{
    struct dstr out = DSTR_INIT;
    dstr_addf(&out, "next %u slots used %u\n", f->q.jobs.next_number,
              fixture_queue(f)->rec.QU_slots_used);
    for (struct job *job = jobs_at_or_after(&f->q.jobs, 0); job != NULL;
         job = jobs_next(&f->q.jobs, job))
        add_job(&out, job);
    return dstr_take(&out);
}

void fixture_assert_picture(struct fixture *f, char *before)
{
    char *after = fixture_picture(f);
    assert_string_equal(after, before);
    free(after);
    free(before);
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
