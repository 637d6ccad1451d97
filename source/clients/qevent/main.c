/* qevent: arguments in, the connection, what comes over it, the exit status. */
#include <signal.h>
#include <stdlib.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "clients/qevent/qevent.h"
#include "libs/comm/loop.h"
#include "libs/evc/evc.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/reach.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"

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
    trigger_wait(&l->triggers);
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

static int parse_words(int n, char *const *args, void *options, bool *shows_usage,
                       struct answer *ans)
{
    return qevent_parse(n, args, options, shows_usage, ans);
}

int main(int argc, char **argv)
{
    static const struct command qevent = { parse_words, run_qevent, qevent_usage };
    struct qevent_options o = { 0 };
    int status = command_main(&qevent, argc, argv, &o, &o.wants_help);
    qevent_options_free(&o);
    return status;
}
