/* qevent: what happens in the cell, as it happens: options, a line for each event, triggers, and
 * the connection over which events come. Small on purpose: a starting point for new event
 * clients.
 * Source: qevent(1). */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "common/version.h"
#include "libs/comm/loop.h"
#include "libs/doc/doc.h"
#include "libs/evc/evc.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/reach.h"
#include "libs/mir/mir.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/task_state.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

/* which script runs when something has ended */
enum { TRIGGER_TASK, TRIGGER_JOB, TRIGGERS };
struct qevent_options {
    bool wants_help, shows_events, wants_all;
    enum doc_form form; /* 0: text */
    struct name_list kinds;
    const char *scripts[TRIGGERS]; /* borrowed from the command line; NULL: none */
    int awaits_script; /* of -trigger, while its second word is to come: its index + 1 */
};

enum { TRIGGERS_AT_ONCE = 16 };
struct triggers {
    const char *const *scripts; /* of the options, borrowed */
    unsigned running;           /* children that have not been waited for */
};

/* ---- options, one row each ---- */

static bool o_trigger(void *options, const char *a, unsigned value SGE_UNUSED)
{
    static const char *const names[TRIGGERS] = { "JB_TASK_END", "JB_END" };
    struct qevent_options *o = options;
    for (int i = 0; i < TRIGGERS; i++)
        if (strcmp(names[i], a) == 0)
            o->awaits_script = i + 1;
    return o->awaits_script != 0;
}

/* the script of the -trigger before it; a comma may divide them */
static bool take_operand(void *options, const char *word)
{
    struct qevent_options *o = options;
    if (o->awaits_script == 0)
        return strcmp(word, ",") == 0;
    o->scripts[o->awaits_script - 1] = word;
    o->awaits_script = 0;
    return true;
}

#define AT(member) offsetof(struct qevent_options, member)

static const struct client_option rows[] = {
    { "-h", ARGUMENT_NONE, option_flag, NULL, NULL, AT(wants_help), 0 },
    { "-help", ARGUMENT_NONE, option_flag, "[-h|-help]", "show usage", AT(wants_help), 0 },
    { "-sm", ARGUMENT_NONE, option_flag, "[-sm|-subscribe]",
      "show events as they come, a line each", AT(shows_events), 0 },
    { "-subscribe", ARGUMENT_NONE, option_flag, NULL, NULL, AT(shows_events), 0 },
    { "-json", ARGUMENT_NONE, option_form, "[-json]", "the same as JSON, a line each", AT(form),
      DOC_JSON },
    { "-kinds", ARGUMENT_NEEDED, option_names, "[-kinds kind,...]", "events of these kinds only",
      AT(kinds), 0 },
    { "-all", ARGUMENT_NONE, option_flag, "[-all]", "jobs of all users (operators)", AT(wants_all),
      0 },
    { "-trigger", ARGUMENT_NEEDED, o_trigger, "[-trigger EVENT SCRIPT]",
      "start SCRIPT when EVENT (JB_END, JB_TASK_END) occurs", 0, 0 },
    { "-ts", ARGUMENT_NONE, NULL, NULL, NULL, 0, 0 },
    { "-testsuite", ARGUMENT_NONE, NULL, NULL, NULL, 0, 0 },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "  ", .width = 26, .operand = take_operand
};

/* append the help text */
static void qevent_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qevent [options]\n");
    option_table_help(&table, out);
}

static int check_kinds(const struct name_list *kinds, struct answer *ans)
{
    for (uint32_t i = 0; i < kinds->n; i++)
        if (event_kind_find(kinds->v[i]) == 0)
            return ans_fail(ans, STATUS_ESYNTAX, "\"%s\" is no kind of event: see qevent(1)",
                            kinds->v[i]);
    return 0;
}

static int check_sense(const struct qevent_options *o, bool *shows_usage, struct answer *ans)
{
    if (o->awaits_script != 0) {
        *shows_usage = true;
        return ans_fail(ans, STATUS_ESYNTAX, "option \"-trigger\" needs a script");
    }
    if (o->wants_help || o->shows_events || o->scripts[TRIGGER_TASK] != NULL ||
        o->scripts[TRIGGER_JOB] != NULL)
        return 0;
    *shows_usage = true;
    return ans_fail(ans, STATUS_ESYNTAX, "nothing to do: give \"-sm\" or \"-trigger\"");
}

/* read the N words ARGS, borrowed. Returns 0, or -1 with ans. The names of kinds are owned. */
static int qevent_parse(int n, char *const *args, void *options, bool *shows_usage,
                        struct answer *ans)
{
    struct qevent_options *o = options;
    if (option_table_parse(&table, n, args, o, shows_usage, ans) != 0)
        return -1;
    if (check_kinds(&o->kinds, ans) != 0)
        return -1;
    o->shows_events |= o->form == DOC_JSON;
    return check_sense(o, shows_usage, ans);
}

/* ---- events as lines ---- */

static const struct doc_kind event_kind = { .name = "event", .end = "\n" };
static const struct doc_field fields[] = {
    { .name = "time", .text = { .time = DOC_ISO } },
    { .name = "event", .text = { .before = " " } },
    { .name = "job", .text = { .before = " " } },
    { .name = "owner", .text = { .before = " owner=" } },
    { .name = "name", .text = { .before = " name=" } },
    { .name = "tasks", .text = { .before = " tasks=" } },
    { .name = "queue", .text = { .before = " queue=" } },
    { .name = "slots", .text = { .before = " slots=" } },
    { .name = "configuration", .text = { .before = " configuration=" } },
    { .name = "kind", .text = { .before = " kind=" } },
    { .name = "object", .text = { .before = " object=" } },
    { .name = "host", .text = { .before = " host=" } },
    { .name = "state", .text = { .before = " state=" } },
    { .name = "failed", .text = { .before = " failed=" } },
    { .name = "exit_status", .text = { .before = " exit_status=" } },
    { .name = "project", .text = { .before = " project=" } },
    { .name = "wallclock", .text = { .before = " wallclock=" } },
    { .name = "cpu", .text = { .before = " cpu=", .digits = 6 } },
    { .name = "mem", .text = { .before = " mem=", .digits = 6 } },
    { .name = "io", .text = { .before = " io=", .digits = 6 } },
};
enum {
    F_TIME,
    F_EVENT,
    F_JOB,
    F_OWNER,
    F_NAME,
    F_TASKS,
    F_QUEUE,
    F_SLOTS,
    F_CONF,
    F_KIND,
    F_OBJECT,
    F_HOST,
    F_STATE,
    F_FAILED,
    F_EXIT_STATUS,
    F_PROJECT,
    F_WALLCLOCK,
    F_CPU,
    F_MEM,
    F_IO
};

static void put_string(struct doc *d, unsigned field, const char *text)
{
    if (text != NULL)
        doc_field(d, &fields[field], doc_string(text));
}

static uint32_t number_of(const struct EV_Type *event)
{
    return event->EV_jobs.n > 0 ? event->EV_jobs.v[0].JB_job_number : event->EV_job_number;
}

static void put_job(struct doc *d, const struct EV_Type *event, const struct mir *known)
{
    uint32_t number = number_of(event);
    const struct JB_Type *job = event->EV_jobs.n > 0 ? event->EV_jobs.v : mir_job(known, number);
    if (number == 0)
        return;
    doc_field(d, &fields[F_JOB], doc_number(number));
    if (job == NULL) {
        put_string(d, F_OWNER, event->EV_owner);
        return;
    }
    put_string(d, F_OWNER, job->JB_owner);
    put_string(d, F_NAME, job->JB_job_name);
    if (range_set_is_empty(&event->EV_ids))
        return;
    struct dstr tasks = DSTR_INIT;
    job_ids_text(job, &event->EV_ids, &tasks);
    put_string(d, F_TASKS, dstr_get(&tasks));
    dstr_free(&tasks);
}

static void put_place(struct doc *d, const char *queue, uint32_t slots)
{
    put_string(d, F_QUEUE, queue);
    doc_field(d, &fields[F_SLOTS], doc_number(slots));
}

/* in the letters of qstat, without those of holds */
static void put_state(struct doc *d, const struct EV_Type *event)
{
    struct JAT_Type task = { .JAT_status = event->EV_status, .JAT_state = event->EV_state };
    struct dstr letters = DSTR_INIT;
    task_state_text(&task, 0, &letters);
    put_string(d, F_STATE, dstr_get(&letters));
    dstr_free(&letters);
}

static void put_usage(struct doc *d, const struct EV_Type *event)
{
    put_string(d, F_PROJECT, event->EV_project);
    for (uint32_t i = 0; i < event->EV_usage.n; i++)
        for (unsigned f = F_WALLCLOCK; f <= F_IO; f++)
            if (event->EV_usage.v[i].UA_name != NULL &&
                strcmp(event->EV_usage.v[i].UA_name, fields[f].name) == 0)
                doc_field(d, &fields[f], doc_real(event->EV_usage.v[i].UA_value));
}

static void put_others(struct doc *d, const struct EV_Type *event)
{
    if (event->EV_granted.n > 0)
        put_place(d, allocation_queue(&event->EV_granted), allocation_slots(&event->EV_granted));
    else if (event->EV_queues.n > 0 && !cull_has(event->EV_queues.v, QU_job_slots))
        put_string(d, F_QUEUE, event->EV_queues.v[0].QU_full_name);
    else if (event->EV_queues.n > 0)
        put_place(d, event->EV_queues.v[0].QU_full_name, event->EV_queues.v[0].QU_job_slots);
    else
        put_string(d, F_QUEUE, event->EV_queue);
    if (event->EV_kind == EV_TASKS_STATE)
        put_state(d, event);
    if (event->EV_kind == EV_USAGE)
        put_usage(d, event);
    if (cull_has(event, EV_exit_status)) {
        doc_field(d, &fields[F_FAILED], doc_number(event->EV_failed));
        doc_field(d, &fields[F_EXIT_STATUS], doc_number(event->EV_exit_status));
    }
    if (event->EV_hosts.n > 0)
        put_string(d, F_HOST, event->EV_hosts.v[0].EH_name);
    if (event->EV_confs.n > 0)
        put_string(d, F_CONF, event->EV_confs.v[0].CONF_name);
    if (event->EV_texts.n > 0) {
        put_string(d, F_KIND, object_kind_name(event->EV_texts.v[0].TX_kind));
        put_string(d, F_OBJECT, event->EV_texts.v[0].TX_name);
    }
}

/* EVENT as one line on OUT
 *
 *   known  what was known before EVENT: names and task ids come from it
 *
 * Returns 0, or -1 with ans. */
static int show_event(const struct EV_Type *event, const struct mir *known, enum doc_form form,
                      FILE *out, struct answer *ans)
{
    struct doc *d = doc_open(form, out, NULL, ans);
    if (d == NULL)
        return -1;
    doc_begin(d, &event_kind);
    doc_field(d, &fields[F_TIME], doc_moment(uti_now_s()));
    put_string(d, F_EVENT, event_kind_name(event->EV_kind));
    put_job(d, event, known);
    put_others(d, event);
    doc_end(d);
    return doc_close(d, ans);
}

/* ---- triggers ---- */

extern char **environ;

static void wait_for_one(struct triggers *t)
{
    if (waitpid(-1, NULL, 0) > 0 || errno == ECHILD)
        t->running--;
}

static void run_script(struct triggers *t, const char *script, const char *event, uint32_t job,
                       uint64_t task)
{
    char job_text[16], task_text[24];
    snprintf(job_text, sizeof job_text, "%u", job);
    snprintf(task_text, sizeof task_text, "%llu", (unsigned long long)task);
    const char *const args[] = { script, event, job_text, task_text, NULL };
    pid_t pid;
    while (t->running > 0 && waitpid(-1, NULL, WNOHANG) > 0)
        t->running--;
    while (t->running >= TRIGGERS_AT_ONCE)
        wait_for_one(t);
    int rc = posix_spawn(&pid, script, NULL, NULL, (char **)args, environ);
    if (rc == 0)
        t->running++;
    else
        fprintf(stderr, "qevent: cannot run %s: %s\n", script, strerror(rc));
}

/* ordinals are ids for an array whose range is not known: 1, 2, ... */
static uint64_t id_of(const struct JB_Type *job, uint64_t ordinal)
{
    if (job == NULL || job->JB_ja_step == 0)
        return ordinal + 1;
    return job->JB_ja_first + ordinal * job->JB_ja_step;
}

static void run_for_tasks(struct triggers *t, const struct EV_Type *event,
                          const struct JB_Type *job)
{
    struct range run;
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(&event->EV_ids, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint64_t ordinal = run.first; ordinal <= run.last; ordinal++)
            run_script(t, t->scripts[TRIGGER_TASK], "JB_TASK_END", event->EV_job_number,
                       id_of(job, ordinal));
}

/* run the scripts that wait for EVENT, with what ended as arguments: name of the event, job,
 * task. No more than TRIGGERS_AT_ONCE run at a time: the next one waits until one has ended. A
 * script that cannot be run is named on stderr. */
static void trigger_event(struct triggers *t, const struct EV_Type *event, const struct mir *known)
{
    if (event->EV_kind == EV_TASKS_DONE && t->scripts[TRIGGER_TASK] != NULL)
        run_for_tasks(t, event, mir_job(known, event->EV_job_number));
    if (event->EV_kind == EV_JOB_DEL && t->scripts[TRIGGER_JOB] != NULL)
        run_script(t, t->scripts[TRIGGER_JOB], "JB_END", event->EV_job_number, 0);
}

/* ---- the event client ---- */

struct listener {
    struct evc *evc;
    const struct qevent_options *options;
    struct loop *loop;
    struct mir *known;
    struct triggers triggers;
    bool is_synced; /* the state has come at least once */
    int status;
    struct answer *ans;
};

static int on_event(void *ctx, const struct EV_Type *event, struct answer *ans)
{
    struct listener *l = ctx;
    const struct qevent_options *o = l->options;
    bool is_wanted = o->kinds.n == 0 || name_list_has(&o->kinds, event_kind_name(event->EV_kind));
    if (event_check(event, ans) != 0)
        return -1;
    if (o->shows_events && is_wanted && show_event(event, l->known, o->form, stdout, l->ans) != 0) {
        l->status = 1;
        loop_stop(l->loop);
    }
    if (l->is_synced)
        trigger_event(&l->triggers, event, l->known);
    return mir_apply(l->known, event, ans);
}

static void on_synced(void *ctx)
{
    ((struct listener *)ctx)->is_synced = true;
}

/* who reads our lines may wait for them; who has gone ends us */
static void on_package_end(void *ctx)
{
    struct listener *l = ctx;
    if (fflush(stdout) == 0)
        return;
    l->status = 1;
    loop_stop(l->loop);
}

static void on_lost(void *ctx, const char *why)
{
    struct listener *l = ctx;
    if (l->is_synced && !evc_is_refused(l->evc)) {
        fprintf(stderr, "qevent: connection to the qmaster lost: %s; connecting again\n", why);
        return;
    }
    ans_fail(l->ans, STATUS_ENOCONN, "%s", why);
    l->status = 1;
    loop_stop(l->loop);
}

static const struct evc_ops calls = { on_event, on_synced, on_package_end, NULL, on_lost };

static void on_signal(void *ctx)
{
    loop_stop(ctx);
}

static void listen_to(struct listener *l, const struct link_dial *dial, const struct evc_wish *wish)
{
    struct loop_watch *interrupt = loop_watch_signal(l->loop, SIGINT, on_signal, l->loop);
    struct loop_watch *terminate = loop_watch_signal(l->loop, SIGTERM, on_signal, l->loop);
    l->evc = evc_connect(l->loop, dial, "qevent", wish, &calls, l);
    loop_run(l->loop);
    evc_free(l->evc);
    loop_watch_free(terminate);
    loop_watch_free(interrupt);
    /* until all of them have ended */
    while (l->triggers.running > 0)
        wait_for_one(&l->triggers);
}

/* the kinds that are shown, and those that names, task ids and triggers need */
static const char **wanted_kinds(const struct qevent_options *o)
{
    static const char *const needed[] = { "job_add", "job_del", "tasks_done" };
    const char **kinds = uti_calloc(o->kinds.n + ARRAY_LEN(needed) + 1, sizeof *kinds);
    uint32_t n = 0;
    for (; n < o->kinds.n; n++)
        kinds[n] = o->kinds.v[n];
    for (size_t i = 0; i < ARRAY_LEN(needed); i++)
        kinds[n++] = needed[i];
    return kinds;
}

static int listen_to_cell(const struct cell *cell, const struct qevent_options *o,
                          struct answer *ans)
{
    struct listener l = { .options = o,
                          .loop = loop_new(ans),
                          .known = mir_new(),
                          .triggers.scripts = o->scripts,
                          .ans = ans };
    const char **kinds = o->kinds.n > 0 || !o->shows_events ? wanted_kinds(o) : NULL;
    struct evc_wish wish = { .kinds = kinds, .wants_all = o->wants_all };
    l.status = l.loop == NULL;
    char host[HOST_NAME_BYTES];
    struct reach *reach = reach_new(cell, os_hostname(host, sizeof host) == 0 ? host : "");
    struct link_dial dial = reach_dial(reach);
    if (l.loop != NULL)
        listen_to(&l, &dial, &wish);
    reach_free(reach);
    free(kinds);
    mir_free(l.known);
    loop_free(l.loop);
    return l.status;
}

/* whether the qmaster answers is asked first, as every command does */
static int run_qevent(void *options, bool *shows_usage, struct answer *ans)
{
    struct qmaster_source q = { 0 };
    int status = 1;
    (void)shows_usage;
    if (source_open(&q, "qevent", ans) == 0)
        status = listen_to_cell(q.cell, options, ans);
    source_close(&q);
    return status;
}

int main(int argc, char **argv)
{
    static const struct command qevent = { qevent_parse, run_qevent, qevent_usage };
    struct qevent_options o = { 0 };
    int status = command_main(&qevent, argc, argv, &o, &o.wants_help);
    name_list_free(&o.kinds);
    return status;
}
