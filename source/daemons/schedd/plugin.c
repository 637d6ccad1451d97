/* The life of a scheduler plug-in, and its part in each run: none -> loading -> idle <-> asked ->
 * answered -> idle; each may end in failed. Owns the process and its name. */
#include "daemons/schedd/plugin.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/schedd/msg_schedd.h"
#include "daemons/schedd/plugin_process.h"
#include "libs/plugin/wire.h"
#include "libs/sched/policy/plugin.h"
#include "libs/sched/sched.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"

enum plugin_state {
    PLUGIN_NONE,
    PLUGIN_LOADING,
    PLUGIN_IDLE,
    PLUGIN_ASKED,
    PLUGIN_ANSWERED,
    PLUGIN_FAILED
};
struct plugin {
    struct loop *loop;
    char *runner, *dir, *name; /* NAME: of the shared object; NULL: none is configured */
    void (*on_ready)(void *ctx);
    void *ctx;
    enum plugin_state state;
    struct plugin_process *process; /* NULL in NONE and FAILED */
    struct sched *sched;            /* borrowed; NULL likewise */
    uint64_t now_s;                 /* of the run that waits, while asked */
    uint32_t most;
};

struct plugin *plugin_new(struct loop *l, const char *runner, const char *dir,
                          void (*on_ready)(void *ctx), void *ctx)
{
    struct plugin *p = uti_calloc(1, sizeof *p);
    *p = (struct plugin){ .loop = l,
                          .runner = uti_strdup(runner),
                          .dir = uti_strdup(dir),
                          .on_ready = on_ready,
                          .ctx = ctx };
    return p;
}

void plugin_free(struct plugin *p)
{
    if (p == NULL)
        return;
    plugin_process_end(p->process);
    free(p->runner);
    free(p->dir);
    free(p->name);
    free(p);
}

/* ---- its end ---- */
/* the process has gone, or goes; the default decides */
static void stop_process(struct plugin *p, enum plugin_state state)
{
    struct sched *s = p->sched;
    plugin_process_free(p->process);
    p->process = NULL;
    p->sched = NULL;
    p->state = state;
    if (s != NULL)
        sched_plugin_end(s);
}

static void plugin_fail(struct plugin *p, const char *why)
{
    log_msg(LOG_LEVEL_ERROR, MSG_PLUGIN_FAILED_SS, p->name, why);
    stop_process(p, PLUGIN_FAILED);
}

static void on_end(void *ctx, const char *why)
{
    struct plugin *p = ctx;
    p->process = NULL;
    plugin_fail(p, why);
    p->on_ready(p->ctx);
}

/* ---- being asked ---- */
static void ask_process(struct plugin *p)
{
    struct packer request = { 0 };
    (void)sched_plugin_request(p->sched, p->now_s, p->most, &request);
    p->state = PLUGIN_ASKED;
    plugin_process_ask(p->process, &request);
    packer_free(&request);
}

static void on_loaded(void *ctx, unsigned does)
{
    struct plugin *p = ctx;
    if (p->state != PLUGIN_LOADING) {
        plugin_fail(p, MSG_PLUGIN_ANSWER);
        p->on_ready(p->ctx);
        return;
    }
    log_msg(LOG_LEVEL_INFO, MSG_PLUGIN_LOADED_S, p->name);
    p->state = PLUGIN_IDLE;
    sched_plugin_begin(p->sched, does);
    p->on_ready(p->ctx);
}

static void on_answer(void *ctx, unsigned what, struct unpacker *body)
{
    struct plugin *p = ctx;
    struct answer ans = ANSWER_INIT;
    if (p->state == PLUGIN_ASKED && what == PLUGIN_READ) {
        ask_process(p);
        return;
    }
    if (p->state != PLUGIN_ASKED) {
        plugin_fail(p, MSG_PLUGIN_ANSWER);
    } else if (sched_plugin_take(p->sched, body, &ans) < 0) {
        plugin_fail(p, ans_first_error(&ans));
    } else {
        log_answer(&ans);
        p->state = PLUGIN_ANSWERED;
    }
    ans_free(&ans);
    p->on_ready(p->ctx);
}

static const struct plugin_calls calls = { on_loaded, on_answer, on_end };

bool plugin_may_run(struct plugin *p, struct sched *s, uint64_t now_s, uint32_t most)
{
    if (p == NULL || !sched_plugin_is_on(s) || p->state == PLUGIN_ANSWERED)
        return true;
    p->now_s = now_s;
    p->most = most;
    if (p->state == PLUGIN_IDLE)
        ask_process(p);
    return false;
}

bool plugin_ran(struct plugin *p, struct sched *s)
{
    if (p == NULL || p->state != PLUGIN_ANSWERED)
        return false;
    if (sched_plugin_fault(s) != NULL) {
        plugin_fail(p, sched_plugin_fault(s));
        return true;
    }
    if (sched_is_cut(s))
        return false;
    p->state = PLUGIN_IDLE;
    return sched_plugin_is_behind(s);
}

/* ---- following the configuration ---- */
static void start_process(struct plugin *p, struct sched *s)
{
    struct answer ans = ANSWER_INIT;
    char *path = path_join(p->dir, p->name);
    p->process = plugin_process_new(p->loop, p->runner, path, &calls, p, &ans);
    p->state = PLUGIN_LOADING;
    p->sched = s;
    if (p->process == NULL)
        plugin_fail(p, ans_first_error(&ans));
    ans_free(&ans);
    free(path);
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

void plugin_follow(struct plugin *p, struct sched *s)
{
    const char *name = sched_plugin_name(s);
    if (p == NULL || (name == NULL && p->name == NULL))
        return;
    if (!is_same(name, p->name)) {
        stop_process(p, PLUGIN_NONE);
        free(p->name);
        p->name = name != NULL ? uti_strdup(name) : NULL;
    }
    if (p->name != NULL && p->state == PLUGIN_NONE)
        start_process(p, s);
}

void plugin_retry(struct plugin *p)
{
    if (p != NULL && p->state == PLUGIN_FAILED)
        p->state = PLUGIN_NONE;
}

void plugin_drop(struct plugin *p)
{
    if (p != NULL && p->process != NULL)
        stop_process(p, PLUGIN_NONE);
}
