/* Every verb, asked by everybody: one table of what a manager, an operator, a queue's owner, a
 * job's owner and another user may do, from the qmaster's host, from a submit host, from an admin
 * host, from one that is neither, and with a certificate of their own. Each request goes the whole
 * way, from the frame to the answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/comm/server.h"
#include "libs/config/conf.h"
#include "libs/config/object.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/answer.h"

/* ---- who asks ---- */
enum {
    ROOT = 0x1,
    MANAGER = 0x2,
    OPERATOR = 0x4,
    QUEUE_OWNER = 0x8,
    JOB_OWNER = 0x10,
    OTHER = 0x20,
    /* the same from other hosts; none of them lets in root */
    SUBMIT_MANAGER = 0x40,
    SUBMIT_QUEUE_OWNER = 0x80,
    SUBMIT_JOB_OWNER = 0x100,
    SUBMIT_OTHER = 0x200,
    SUBMIT_ROOT = 0x400,
    ADMIN_MANAGER = 0x800,
    ADMIN_OPERATOR = 0x1000,
    ADMIN_QUEUE_OWNER = 0x2000,
    ADMIN_JOB_OWNER = 0x4000,
    ADMIN_OTHER = 0x8000,
    ADMIN_ROOT = 0x10000,
    STRANGE_MANAGER = 0x20000,
    STRANGE_JOB_OWNER = 0x40000,
    STRANGE_ROOT = 0x80000,
    /* with certificates of their own */
    CERTIFIED_MANAGER = 0x100000,
    CERTIFIED_QUEUE_OWNER = 0x200000,
    CERTIFIED_JOB_OWNER = 0x400000,
    CERTIFIED_OTHER = 0x800000,
    CERTIFIED_ROOT = 0x1000000
};
enum {
    MANAGERS = ROOT | MANAGER | ADMIN_MANAGER,
    OPERATORS = MANAGERS | OPERATOR | ADMIN_OPERATOR,
    QUEUE_OWNERS = OPERATORS | QUEUE_OWNER | ADMIN_QUEUE_OWNER,
    JOB_OWNERS = OPERATORS | JOB_OWNER | SUBMIT_JOB_OWNER | ADMIN_JOB_OWNER | CERTIFIED_JOB_OWNER,
    CERTIFIED = CERTIFIED_MANAGER | CERTIFIED_QUEUE_OWNER | CERTIFIED_JOB_OWNER | CERTIFIED_OTHER,
    FROM_SUBMIT_HOSTS = ROOT | MANAGER | OPERATOR | QUEUE_OWNER | JOB_OWNER | OTHER |
                        SUBMIT_MANAGER | SUBMIT_QUEUE_OWNER | SUBMIT_JOB_OWNER | SUBMIT_OTHER |
                        CERTIFIED,
    EVERYBODY = FROM_SUBMIT_HOSTS | ADMIN_MANAGER | ADMIN_OPERATOR | ADMIN_QUEUE_OWNER |
                ADMIN_JOB_OWNER | ADMIN_OTHER
};
#define ADDRESS "10.0.0.9 port 40112"
static const struct asker {
    unsigned bit;
    const char *user;
    uid_t uid;
    const char *host; /* NULL: the qmaster's, unless */
    const char *from; /* it comes with a certificate from this address */
} askers[] = {
    { ROOT, "root", 0, NULL, NULL },
    { MANAGER, "boss", 5001, NULL, NULL },
    { OPERATOR, "olga", 5002, NULL, NULL },
    { QUEUE_OWNER, "quinn", 5003, NULL, NULL },
    { JOB_OWNER, "alice", 5004, NULL, NULL },
    { OTHER, "bob", 5005, NULL, NULL },
    { SUBMIT_MANAGER, "boss", 5001, "submit", NULL },
    { SUBMIT_QUEUE_OWNER, "quinn", 5003, "submit", NULL },
    { SUBMIT_JOB_OWNER, "alice", 5004, "submit", NULL },
    { SUBMIT_OTHER, "bob", 5005, "submit", NULL },
    { SUBMIT_ROOT, "root", 0, "submit", NULL },
    { ADMIN_MANAGER, "boss", 5001, "admin", NULL },
    { ADMIN_OPERATOR, "olga", 5002, "admin", NULL },
    { ADMIN_QUEUE_OWNER, "quinn", 5003, "admin", NULL },
    { ADMIN_JOB_OWNER, "alice", 5004, "admin", NULL },
    { ADMIN_OTHER, "bob", 5005, "admin", NULL },
    { ADMIN_ROOT, "root", 0, "admin", NULL },
    { STRANGE_MANAGER, "boss", 5001, "strange", NULL },
    { STRANGE_JOB_OWNER, "alice", 5004, "strange", NULL },
    { STRANGE_ROOT, "root", 0, "strange", NULL },
    { CERTIFIED_MANAGER, "boss", 5001, NULL, ADDRESS },
    { CERTIFIED_QUEUE_OWNER, "quinn", 5003, NULL, ADDRESS },
    { CERTIFIED_JOB_OWNER, "alice", 5004, NULL, ADDRESS },
    { CERTIFIED_OTHER, "bob", 5005, NULL, ADDRESS },
    { CERTIFIED_ROOT, "root", 0, NULL, ADDRESS },
};

static struct connection *connect_asker(struct fixture *f, const struct asker *a)
{
    struct comm_peer peer = { .uid = a->uid,
                              .gid = a->uid,
                              .relay = a->host != NULL,
                              .host = a->host,
                              .is_local = a->host == NULL && a->from == NULL };
    if (!peer.is_local) {
        peer.user = a->user;
        peer.group = "users";
        snprintf(peer.from, sizeof peer.from, "%s", a->from != NULL ? a->from : "");
    }
    struct note *n = note_new(NOTE_OPENED, ++f->last_conn);
    n->who = identity_new(&peer, f->q.host);
    if (!identity_is_named(&n->who))
        identity_set_names(&n->who, a->user, "users");
    struct connection *s = connections_open(&f->q, n);
    note_free(n);
    return s;
}

/* ---- what is asked ---- */
/* each is asked of the job of number *JOB, alice's, which runs in all.q, quinn's */
typedef void (*fill_fn)(struct GR_Type *gr, uint32_t job);

static void name_job(struct GR_Type *gr, uint32_t job)
{
    char number[16];
    snprintf(number, sizeof number, "%u", job);
    fixture_name(gr, number);
}

static void fill_submit(struct GR_Type *gr, uint32_t job)
{
    struct JB_Type *rec = cull_append(gr, GR_jobs);
    (void)job;
    cull_set(rec, JB_job_name, "new");
    cull_set(rec, JB_type, (uint32_t)JOB_TYPE_BINARY);
}

static void fill_first(struct GR_Type *gr, uint32_t job)
{
    fill_submit(gr, job);
    cull_set(&gr->GR_jobs.v[0], JB_priority, (uint32_t)JOB_PRIORITY_BASE + 1);
}

static void fill_alter(struct GR_Type *gr, uint32_t job)
{
    name_job(gr, job);
    cull_set(cull_append(gr, GR_jobs), JB_account, "film");
}

static void fill_raise(struct GR_Type *gr, uint32_t job)
{
    name_job(gr, job);
    cull_set(cull_append(gr, GR_jobs), JB_priority, (uint32_t)JOB_PRIORITY_BASE + 1);
}

static void fill_hold(struct GR_Type *gr, uint32_t job, uint32_t kinds)
{
    name_job(gr, job);
    cull_append(gr, GR_jobs);
    cull_set(gr, GR_hold_op, (uint32_t)GDI_HOLD_ADD);
    cull_set(gr, GR_hold_kinds, kinds);
}

static void fill_user_hold(struct GR_Type *gr, uint32_t job)
{
    fill_hold(gr, job, MINUS_H_TGT_USER);
}

static void fill_operator_hold(struct GR_Type *gr, uint32_t job)
{
    fill_hold(gr, job, MINUS_H_TGT_OPERATOR);
}

static void fill_system_hold(struct GR_Type *gr, uint32_t job)
{
    fill_hold(gr, job, MINUS_H_TGT_SYSTEM);
}

static void fill_copy(struct GR_Type *gr, uint32_t job)
{
    cull_set(gr, GR_job_number, job);
}

static void fill_force(struct GR_Type *gr, uint32_t job)
{
    name_job(gr, job);
    cull_set(gr, GR_options, (uint32_t)GDI_FORCE);
}

static void fill_of_all(struct GR_Type *gr, uint32_t job)
{
    (void)job;
    cull_set(cull_append(gr, GR_users), ST_name, "*");
}

static void fill_queue(struct GR_Type *gr, uint32_t job)
{
    (void)job;
    fixture_name(gr, "all.q");
    cull_set(gr, GR_options, (uint32_t)(GDI_FORCE | GDI_QUEUES_ONLY));
}

static void fill_name(struct GR_Type *gr, uint32_t job)
{
    char name[16];
    snprintf(name, sizeof name, "zoe%u", job);
    cull_set(cull_append(gr, GR_names), NM_name, name);
}

static void fill_object(struct GR_Type *gr, uint32_t job)
{
    struct TX_Type pe = { 0 };
    char name[16];
    snprintf(name, sizeof name, "pe%u", job);
    object_template(object_rules_of(OBJECT_PE), name, &pe);
    *(struct TX_Type *)cull_append(gr, GR_texts) = pe;
}

static void fill_conf(struct GR_Type *gr, uint32_t job)
{
    struct CONF_Type *conf = conf_template(CONF_GLOBAL);
    (void)job;
    cull_copy(&cull_CONF_Type, cull_append(gr, GR_confs), conf);
    cull_delete(&cull_CONF_Type, conf);
}

static void fill_nothing(struct GR_Type *gr, uint32_t job)
{
    (void)gr;
    (void)job;
}

static void fill_host(struct GR_Type *gr, uint32_t job)
{
    (void)job;
    fixture_name(gr, "node1");
}

static void fill_scheduler(struct GR_Type *gr, uint32_t job)
{
    (void)job;
    cull_set(gr, GR_target, (uint32_t)GDI_EVENTCLIENT);
}

static const struct verb {
    const char *name;
    uint32_t verb, target, action;
    fill_fn fill;
    unsigned may;
} verbs[] = {
    { "qsub", GDI_ADD, GDI_JOB, 0, fill_submit, FROM_SUBMIT_HOSTS },
    { "qsub -p 1", GDI_ADD, GDI_JOB, 0, fill_first, ROOT | MANAGER | OPERATOR },
    { "qresub", GDI_COPY, GDI_JOB, 0, fill_copy, FROM_SUBMIT_HOSTS &JOB_OWNERS },
    { "qalter -A", GDI_MOD, GDI_JOB, 0, fill_alter, JOB_OWNERS },
    { "qalter -p 1", GDI_MOD, GDI_JOB, 0, fill_raise, OPERATORS },
    { "qhold -h u", GDI_MOD, GDI_JOB, 0, fill_user_hold, JOB_OWNERS },
    { "qhold -h o", GDI_MOD, GDI_JOB, 0, fill_operator_hold, OPERATORS },
    { "qhold -h s", GDI_MOD, GDI_JOB, 0, fill_system_hold, MANAGERS },
    { "qstat", GDI_GET, GDI_JOB, 0, fill_nothing, EVERYBODY },
    { "qhost", GDI_GET, GDI_EXECHOST, 0, fill_nothing, EVERYBODY },
    { "qmod -sj", GDI_ACT, GDI_JOB, GDI_ACT_SUSPEND, name_job, JOB_OWNERS },
    { "qmod -usj", GDI_ACT, GDI_JOB, GDI_ACT_UNSUSPEND, name_job, JOB_OWNERS },
    { "qmod -rj -f", GDI_ACT, GDI_JOB, GDI_ACT_RESCHEDULE, fill_force, JOB_OWNERS },
    { "qmod -d", GDI_ACT, GDI_JOB, GDI_ACT_DISABLE, fill_queue, QUEUE_OWNERS },
    { "qmod -e", GDI_ACT, GDI_JOB, GDI_ACT_ENABLE, fill_queue, QUEUE_OWNERS },
    { "qmod -sq", GDI_ACT, GDI_JOB, GDI_ACT_SUSPEND, fill_queue, QUEUE_OWNERS },
    { "qmod -usq", GDI_ACT, GDI_JOB, GDI_ACT_UNSUSPEND, fill_queue, QUEUE_OWNERS },
    { "qmod -cq", GDI_ACT, GDI_JOB, GDI_ACT_CLEAR_ERROR, fill_queue, QUEUE_OWNERS },
    { "qmod -rq", GDI_ACT, GDI_JOB, GDI_ACT_RESCHEDULE, fill_queue, OPERATORS },
    { "qconf -cq", GDI_ACT, GDI_CQUEUE, GDI_ACT_CLEAN, fill_queue, MANAGERS },
    { "qconf -ao", GDI_ADD, GDI_OPERATOR, 0, fill_name, MANAGERS },
    { "qconf -am", GDI_ADD, GDI_MANAGER, 0, fill_name, MANAGERS },
    { "qconf -ap", GDI_ADD, GDI_PE, 0, fill_object, MANAGERS },
    { "qconf -mconf", GDI_MOD, GDI_CONFIG, 0, fill_conf, MANAGERS },
    { "qconf -ke", GDI_ACT, GDI_EXECHOST, GDI_ACT_SHUTDOWN, fill_host, MANAGERS },
    { "qconf -tsm", GDI_ACT, GDI_EVENTCLIENT, GDI_ACT_TRIGGER_SCHEDULING, fill_scheduler,
      MANAGERS },
    { "qconf -km", GDI_ACT, GDI_MASTER, GDI_ACT_SHUTDOWN, fill_nothing, MANAGERS },
    { "qdel -u *", GDI_DEL, GDI_JOB, 0, fill_of_all, MANAGERS },
    { "qdel -f", GDI_DEL, GDI_JOB, 0, fill_force, JOB_OWNERS },
    { "qdel", GDI_DEL, GDI_JOB, 0, name_job, JOB_OWNERS },
};

/* ---- asking ---- */
static void send_verb(struct fixture *f, struct connection *from, const struct verb *v,
                      uint32_t job)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, v->verb);
    cull_set(&gr, GR_target, v->target);
    cull_set(&gr, GR_action, v->action);
    v->fill(&gr, job);
    fixture_hear(f, from, 1, &gr);
}

/* how many errors the answer over CONN has; it ends */
static uint32_t count_refusals(struct fixture *f, uint64_t conn)
{
    uint32_t refusals = 0, ends = 0;
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type part = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].conn != conn || f->sent[i].kind != GDI_FRAME_ANSWER)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &part, NULL), 0);
        ends += part.GA_is_last;
        for (uint32_t k = 0; k < part.GA_answers.n; k++)
            refusals += part.GA_answers.v[k].AN_quality == ANSWER_QUALITY_ERROR;
        cull_clear(&cull_GA_Type, &part);
    }
    assert_int_equal(ends, 1);
    return refusals;
}

/* of each asker one that runs, since what is done to queues may keep others from starting */
static void start_jobs(struct fixture *f, uint32_t *jobs)
{
    for (size_t a = 0; a < ARRAY_LEN(askers); a++) {
        jobs[a] = submit(f, .owner = "alice");
        fixture_start(f, jobs[a], 1);
        fixture_report(f, jobs[a], 1, REPORT_STARTED, 0);
    }
}

/* V of JOB, asked by A: is it done? */
static bool is_granted(struct fixture *f, const struct asker *a, const struct verb *v, uint32_t job)
{
    struct connection *s = connect_asker(f, a);
    submit(f, .owner = "bob"); /* there always is one more */
    fixture_commit(f);
    fixture_forget_sent(f);
    send_verb(f, s, v, job);
    fixture_commit(f);
    return count_refusals(f, s->conn) == 0;
}

static void ask_all(struct fixture *f, const struct verb *v)
{
    uint32_t jobs[ARRAY_LEN(askers)];
    start_jobs(f, jobs);
    for (size_t a = 0; a < ARRAY_LEN(askers); a++) {
        bool may = (v->may & askers[a].bit) != 0;
        if (is_granted(f, &askers[a], v, jobs[a]) != may)
            fail_msg("%s by %s of %s is %s", v->name, askers[a].user,
                     askers[a].host != NULL ? askers[a].host : "the qmaster's host",
                     may ? "refused" : "done");
    }
}

static int make_places(void **state)
{
    if (fixture_setup_operator(state) != 0)
        return -1;
    struct fixture *f = *state;
    settings_put_name(&f->q.settings, NAMES_SUBMIT_HOST, "submit");
    settings_put_name(&f->q.settings, NAMES_ADMIN_HOST, "admin");
    assert_true(fixture_set_queue(f, "owner_list", "quinn"));
    return 0;
}

static void every_verb_is_for_whom_the_table_says(void **state)
{
    (void)state;
    for (size_t v = 0; v < ARRAY_LEN(verbs); v++) {
        void *own = NULL;
        make_places(&own);
        ask_all(own, &verbs[v]);
        fixture_teardown(&own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_verb_is_for_whom_the_table_says) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
