/* Putting a qmaster together and taking it apart; main.c adds the threads. A new cell gets the
 * objects that it starts with. */
#include "daemons/qmaster/state.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/account_reader.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/mailer.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/jobs/ar_books.h"
#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/jobs/letter.h"
#include "daemons/qmaster/jobs/mail.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/recover.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sessions/ends.h"
#include "daemons/qmaster/tables/user_sets.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/object.h"
#include "libs/cull/pack.h"
#include "libs/gdi/cell.h"
#include "libs/spool/records.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

/* ---- a new cell ---- */
/* A new cell: the objects it starts with. common/cell_setup, written by sge_cell, says slots,
 * queue, manager, host and tmpdir. */
enum { SETUP_MAX_BYTES = 64 * 1024 };

struct setup {
    char *slots, *queue, *manager, *host, *tmpdir, *load_thresholds, *load_formula;
};

static void setup_free(struct setup *s)
{
    free(s->slots);
    free(s->queue);
    free(s->manager);
    free(s->host);
    free(s->tmpdir);
    free(s->load_thresholds);
    free(s->load_formula);
}

static int setup_line(struct setup *s, const char *path, char *line, struct answer *ans)
{
    struct {
        const char *key;
        char **to;
    } keys[] = {
        { "slots", &s->slots },
        { "queue", &s->queue },
        { "manager", &s->manager },
        { "host", &s->host },
        { "tmpdir", &s->tmpdir },
        { "load_thresholds", &s->load_thresholds },
        { "load_formula", &s->load_formula },
    };
    size_t len = strcspn(line, " \t");
    char *value = line + len + strspn(line + len, " \t");
    if (*line == '#' || *line == '\0')
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (strlen(keys[i].key) == len && strncmp(keys[i].key, line, len) == 0) {
            free(*keys[i].to);
            *keys[i].to = uti_strdup(value);
            return 0;
        }
    return ans_fail(ans, STATUS_ESYNTAX, MSG_SETUP_LINE_SS, path, line);
}

static int setup_read(struct setup *s, const char *path, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    int rc = 0;
    if (access(path, F_OK) == 0)
        rc = file_read(path, SETUP_MAX_BYTES, &text, ans);
    char *all = dstr_take(&text), *at = all;
    while (rc == 0 && *at != '\0') {
        char *end = at + strcspn(at, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        rc = setup_line(s, path, at, ans);
        at = is_last ? end : end + 1;
    }
    free(all);
    return rc;
}

static void default_to(char **value, const char *fallback)
{
    if (*value == NULL)
        *value = uti_strdup(fallback);
}

static void setup_defaults(struct setup *s, const struct qmaster *q)
{
    struct dstr cores = DSTR_INIT;
    struct passwd *pw = getpwuid(geteuid());
    char host[HOST_NAME_BYTES];
    dstr_addf(&cores, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    default_to(&s->slots, dstr_get(&cores));
    default_to(&s->queue, "all.q");
    default_to(&s->manager, pw != NULL ? pw->pw_name : "root");
    host_name_unique(q->host, host);
    default_to(&s->host, host);
    default_to(&s->tmpdir, "/tmp");
    dstr_free(&cores);
}

static int make_queue(struct qmaster *q, const struct setup *s, struct answer *ans)
{
    struct CQ_Type *cq = cqueue_template(s->queue);
    int rc = -1;
    bool is_good = cqueue_set(cq, "slots", s->slots, ans) == 0 &&
                   cqueue_set(cq, "hostlist", "@allhosts", ans) == 0 &&
                   cqueue_set(cq, "pe_list", "make smp mpi", ans) == 0 &&
                   cqueue_set(cq, "tmpdir", s->tmpdir, ans) == 0 &&
                   (s->load_thresholds == NULL ||
                    cqueue_set(cq, "load_thresholds", s->load_thresholds, ans) == 0) &&
                   cqueue_set(cq, "shell_start_mode", "unix_behavior", ans) ==
                       0; /* scripts choose their own interpreter */
    if (is_good && cqueue_check(cq, ans) == 0) {
        struct cqueue *made = queues_add_cqueue(&q->queues, cq);
        change_record(q, SPOOL_CQUEUE, made->rec.CQ_name, &cull_CQ_Type, &made->rec);
        queue_resolve(q, made);
        rc = 0;
    }
    cull_delete(&cull_CQ_Type, cq);
    return rc;
}

static void make_pe(struct qmaster *q, const char *name, const char *rule)
{
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    struct TX_Type pe = { 0 };
    object_template(rules, name, &pe);
    (void)object_set(rules, &pe, "slots", "999", NULL);
    (void)object_set(rules, &pe, "allocation_rule", rule, NULL);
    (void)object_set(rules, &pe, "control_slaves", "TRUE", NULL);
    config_stage_text(q, &settings_put_text(&q->settings, &pe)->rec);
}

static void make_userset(struct qmaster *q, const char *name, const char *type)
{
    const struct object_rules *rules = object_rules_of(OBJECT_USERSET);
    struct TX_Type set = { 0 };
    object_template(rules, name, &set);
    (void)object_set(rules, &set, "type", type, NULL);
    config_stage_text(q, &settings_put_text(&q->settings, &set)->rec);
}

static void make_objects(struct qmaster *q, const struct setup *s)
{
    const struct object_rules *rules = object_rules_of(OBJECT_HOSTGROUP);
    struct TX_Type group = { 0 };
    object_template(rules, "@allhosts", &group);
    (void)object_set(rules, &group, "hostlist", s->host, NULL);
    config_stage_text(q, &settings_put_text(&q->settings, &group)->rec);
    make_pe(q, "smp", "$pe_slots");
    make_pe(q, "mpi", "$fill_up");
    make_pe(q, "make", "$round_robin");
    make_userset(q, "arusers", "ACL");
    make_userset(q, "deadlineusers", "ACL");
    make_userset(q, "defaultdepartment", "DEPT");
}

/* A task has a group id of its own: where more run at a time than the default has ids, the range is
 * wider, and stands above the ids that systems give to users and to nobody. */
static void widen_gid_range(struct CONF_Type *conf, uint32_t slots)
{
    enum { DEFAULT_IDS = 101, FIRST = 100000 };
    struct dstr range = DSTR_INIT;
    if (slots < DEFAULT_IDS)
        return;
    dstr_addf(&range, "%u-%u", (unsigned)FIRST,
              FIRST + slots); /* one rests before it is used again */
    (void)conf_set(conf, "gid_range", dstr_get(&range), NULL);
    dstr_free(&range);
}

static void fill_global(const struct qmaster *q, const struct setup *s, struct CONF_Type *conf)
{
    uint32_t slots;
    if (!parse_u32(s->slots, &slots))
        slots = 0; /* make_queue says so */
    widen_gid_range(conf, slots);
    if (q->cell != NULL) /* where it is; a path with blanks is not one that this can hold */
        (void)conf_set(conf, "execd_spool_dir", q->cell->spool_dir, NULL);
}

static void make_conf(struct qmaster *q, const char *name, const struct setup *s)
{
    struct CONF_Type *conf = conf_template(name);
    cull_set(conf, CONF_version, 1u);
    if (strcmp(name, CONF_GLOBAL) == 0)
        fill_global(q, s, conf);
    else if (s->load_formula != NULL)
        (void)conf_set(conf, "load_formula", s->load_formula, NULL);
    struct conf *c = settings_put_conf(&q->settings, conf);
    change_record(q, SPOOL_CONFIG, name, &cull_CONF_Type, &c->rec);
    cull_delete(&cull_CONF_Type, conf);
}

static void make_host(struct qmaster *q, const char *name)
{
    struct host *h = hosts_add(&q->hosts, name);
    change_record(q, SPOOL_HOST, name, &cull_EH_Type, &h->rec);
    settings_put_name(&q->settings, NAMES_ADMIN_HOST, name);
    settings_put_name(&q->settings, NAMES_SUBMIT_HOST, name);
}

int setup_new_cell(struct qmaster *q, const char *setup_path, struct answer *ans)
{
    struct setup s = { 0 };
    int rc = setup_read(&s, setup_path, ans);
    if (rc == 0) {
        setup_defaults(&s, q);
        change_schema(q);
        make_conf(q, CONF_GLOBAL, &s);
        make_conf(q, CONF_SCHEDULER, &s);
        settings_put_name(&q->settings, NAMES_MANAGER, s.manager);
        make_host(q, s.host);
        for (int i = 0; i < NAME_LISTS; i++)
            config_stage_names(q, (enum admin_list)i);
        make_objects(q, &s);
        rc = make_queue(q, &s, ans);
    }
    setup_free(&s);
    return rc;
}

/* ---- state ---- */
void state_init(struct qmaster *q)
{
    jobs_init(&q->jobs);
    usage_init(&q->usage);
    hosts_init(&q->hosts);
    queues_init(&q->queues);
    ars_init(&q->ars);
    settings_init(&q->settings);
    user_sets_init(&q->settings);
    file_cache_init(&q->file_cache);
    q->inbox = inbox_new();
    q->work = work_new(core_on_frame);
    q->connections = connections_new();
    q->events = events_new();
    TAILQ_INIT(&q->reads);
    LIST_INIT(&q->account_reads);
    TAILQ_INIT(&q->renewals);
    q->job_sessions = job_sessions_new();
    TAILQ_INIT(&q->waiting);
    q->recent = recent_new();
    q->scripts = scripts_new();
    q->mails = mails_new();
    q->letters = letters_new();
    q->now_s = q->started_s = uti_now_s();
    q->now_us = uti_mono_us();
}

/* the disk had no room for these: the committer tries again, and nobody hears before that their
 * tasks are gone */
static void take_over_accounting(struct qmaster *q, struct recovered *found)
{
    if (found->unwritten.len > 0) {
        change_accounting_left(q, dstr_get(&found->unwritten));
        q->jobs.removed = change_number(q);
    }
    dstr_free(&found->unwritten);
}

int state_load(struct qmaster *q, const char *accounting_path, const char *setup_path,
               struct comm_server *server, struct answer *ans)
{
    struct recovered found = { 0 };
    shares_usual(q->spool, q->usual_shares);
    int is_new = recover(q, accounting_path, &found, ans);
    if (is_new < 0) {
        dstr_free(&found.unwritten);
        return -1;
    }
    q->change = change_new(found.last_batch + 1);
    q->fetcher = fetcher_new(q->spool, q->inbox);
    q->account_reader = account_reader_new(accounting_path, q->inbox);
    take_over_accounting(q, &found);
    q->committer = committer_new(q->spool, accounting_path, server, q->inbox);
    if (q->committer == NULL)
        return ans_fail(ans, STATUS_ESYSTEM, MSG_ACCT_OPEN_S, accounting_path);
    if (!is_new)
        change_outbox_gone(q);
    int rc = is_new ? setup_new_cell(q, setup_path, ans) : recover_finish(q, ans);
    q->queues.are_recovered = true;
    return rc;
}

/* Connections come first, because what waits in their lanes is in the lists of others; event
 * clients come before the work under way for them, which they wake. */
void state_free(struct qmaster *q)
{
    connections_free(q->connections);
    events_free(q->events);
    work_free(q->work);
    ends_free(q->job_sessions); /* after the work that removes them */
    scripts_free(q->scripts);
    free(q->schedd_turns);
    recent_free(q->recent);
    mails_free(q->mails);
    letters_free(q->letters);
    change_free(q->change);
    committer_free(q->committer);
    mailer_free(q->mailer);
    fetcher_free(q->fetcher);
    account_reader_free(q->account_reader);
    net_free(q->net);
    spool_records_free(q->records);
    spool_close(q->spool);
    ar_books_clear(q);
    ars_clear(&q->ars);
    queues_clear(&q->queues);
    hosts_clear(&q->hosts); /* before the jobs, whose lists of hosts it empties */
    jobs_clear(&q->jobs);
    usage_clear(&q->usage);
    bookings_free(q);
    user_sets_clear(&q->settings);
    settings_clear(&q->settings);
    resource_names_free(&q->resources);
    inbox_free(q->inbox);
}
