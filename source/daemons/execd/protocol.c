/* Messages of the qmaster, one function for each kind. Every one may come twice. What is
 * malformed ends the connection and changes nothing: the next one starts with what both sides
 * know. */
#include "daemons/execd/protocol.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "daemons/execd/carrier.h"
#include "daemons/execd/msg_execd.h"
#include "daemons/execd/remote.h"
#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/tasks.h"
#include "libs/comm/loop.h"
#include "libs/config/conf.h"
#include "libs/gdi/hello.h"
#include "libs/gdi/message.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"

static void set_log_level(const struct execd *x)
{
    static const struct {
        const char *name;
        enum log_level level;
    } levels[] = { { "log_emerg", LOG_LEVEL_CRITICAL },  { "log_alert", LOG_LEVEL_CRITICAL },
                   { "log_crit", LOG_LEVEL_CRITICAL },   { "log_err", LOG_LEVEL_ERROR },
                   { "log_warning", LOG_LEVEL_WARNING }, { "log_notice", LOG_LEVEL_WARNING },
                   { "log_info", LOG_LEVEL_INFO },       { "log_debug", LOG_LEVEL_DEBUG } };
    const char *wanted = conf_get(&x->global_conf, &x->host_conf, "loglevel");
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (strcmp(wanted, levels[i].name) == 0)
            log_set_level(levels[i].level);
}

/* default: yes */
static bool wants_cgroups(const struct execd *x)
{
    char *value = conf_get_word(&x->global_conf, &x->host_conf, "execd_params", "USE_CGROUPS");
    bool is_wanted = value == NULL || (strcasecmp(value, "false") != 0 && strcmp(value, "0") != 0);
    free(value);
    return is_wanted;
}

static const char *configured_starter(const struct execd *x, const char *name)
{
    const char *text = conf_get(&x->global_conf, &x->host_conf, name);
    return strcasecmp(text, "none") != 0 && *text != '\0' ? text : NULL;
}

/* where they are root's and root does not permit it, no task starts (task_hooks_as) */
static void use_starters(struct execd *x)
{
    shepherds_use(&x->shepherds, configured_starter(x, "shepherd_cmd"),
                  configured_starter(x, "pag_cmd"));
    x->place.has_starters = x->shepherds.command != NULL || x->shepherds.pag != NULL;
}

/* execd_spool_dir, for the next start */
static void take_spool_dir(struct execd *x, const char *dir)
{
    struct answer ans = ANSWER_INIT;
    int rc = host_dir_want(&x->dir, dir, &ans);
    if (rc < 0)
        log_answer(&ans);
    else if (rc > 0)
        log_msg(LOG_LEVEL_WARNING, MSG_SPOOL_DIR_LATER_S, dir != NULL ? dir : x->dir.path);
    ans_free(&ans);
}

/* the message has all configurations that count here: one that is not in it is no more */
static void take_config(struct execd *x, const struct XM_Type *m)
{
    cull_clear(&cull_CONF_Type, &x->host_conf);
    for (uint32_t i = 0; i < m->XM_confs.n; i++) {
        const struct CONF_Type *conf = &m->XM_confs.v[i];
        if (conf->CONF_name != NULL && strcmp(conf->CONF_name, CONF_GLOBAL) == 0)
            cull_copy(&cull_CONF_Type, &x->global_conf, conf);
        else if (conf->CONF_name != NULL && strcmp(conf->CONF_name, x->place.host) == 0)
            cull_copy(&cull_CONF_Type, &x->host_conf, conf);
    }
    take_spool_dir(x, m->XM_spool_dir);
    x->cache.settings_version++;
    if (x->remote != NULL)
        remote_set_silence(x->remote, x->link, conf_host_silence_s(&x->global_conf));
    carrier_set_silence(x->carrier, conf_host_silence_s(&x->global_conf));
    set_log_level(x);
    use_starters(x);
    load_sensors_use(&x->sensors, conf_get(&x->global_conf, &x->host_conf, "load_sensor"));
    gid_pool_range(&x->gids, conf_get(&x->global_conf, &x->host_conf, "gid_range"));
    if (geteuid() == 0 && x->gids.first == 0 && !x->is_unmarked)
        log_msg(LOG_LEVEL_WARNING, MSG_NO_GROUP_RANGE);
    x->is_unmarked = x->gids.first == 0;
    cgroups_use(&x->cgroups, wants_cgroups(x));
    tasks_mark_gids(x); /* of tasks found again, too, which are older than the pool */
    loop_timer_set(x->load_timer, 0);
}

/* one that was on its way when this execd said that it ends goes back */
static void take_order(struct execd *x, const struct JAT_Type *record)
{
    struct task_key key = task_key_of_record(record);
    if (x->leave_by_us == 0 || task_find(x, &key) != NULL)
        task_order(x, record);
    else
        report_unknown(x, &key, record->JAT_attempt);
}

static void take_start(struct execd *x, const struct XM_Type *m)
{
    for (uint32_t i = 0; i < m->XM_jobs.n; i++)
        job_cache_put_job(&x->cache, &m->XM_jobs.v[i]);
    for (uint32_t i = 0; i < m->XM_queues.n; i++)
        job_cache_put_queue(&x->cache, &m->XM_queues.v[i]);
    for (uint32_t i = 0; i < m->XM_tasks.n; i++)
        take_order(x, &m->XM_tasks.v[i]);
}

static void take_signal(struct execd *x, const struct XM_Type *m)
{
    bool is_request =
        m->XM_signal == TASK_REQUEST_MIGRATE || m->XM_signal == TASK_REQUEST_END_AGAIN;
    if (m->XM_signal == 0 || (m->XM_signal >= (uint32_t)SIGRTMAX && !is_request))
        return;
    for (uint32_t i = 0; i < m->XM_reports.n; i++) {
        const struct JR_Type *r = &m->XM_reports.v[i];
        struct task_key key = task_key_of_report(r);
        if (!task_signal(x, &key, r->JR_attempt, (int)m->XM_signal))
            report_unknown(x, &key, r->JR_attempt);
    }
}

static void take_end_ack(struct execd *x, const struct XM_Type *m)
{
    for (uint32_t i = 0; i < m->XM_reports.n; i++) {
        const struct JR_Type *r = &m->XM_reports.v[i];
        struct task_key key = task_key_of_report(r);
        struct exec_task *t = task_find(x, &key);
        if (t != NULL && t->attempt == r->JR_attempt)
            task_acknowledge(t);
    }
    if (x->is_ending && task_first(x) == NULL)
        loop_stop(x->loop);
    execd_leave_if_done(x);
}

static void take_forget_job(struct execd *x, const struct XM_Type *m)
{
    for (uint32_t i = 0; i < m->XM_jobs.n; i++)
        job_forget(x, m->XM_jobs.v[i].JB_job_number);
}

static void take_shutdown(struct execd *x, const struct XM_Type *m)
{
    if (m->XM_signal == SIGKILL && task_first(x) != NULL)
        execd_leave_with_tasks(x);
    else
        execd_leave(x);
}

static void obey_message(struct execd *x, const struct XM_Type *m)
{
    switch (m->XM_kind) {
    case EXEC_CONFIG:
        take_config(x, m);
        break;
    case EXEC_START:
        take_start(x, m);
        break;
    case EXEC_SIGNAL:
        take_signal(x, m);
        break;
    case EXEC_END_ACK:
        take_end_ack(x, m);
        break;
    case EXEC_FORGET_JOB:
        take_forget_job(x, m);
        break;
    case EXEC_SHUTDOWN:
        take_shutdown(x, m);
        break;
    default:
        log_msg(LOG_LEVEL_WARNING, MSG_UNKNOWN_MESSAGE_U, m->XM_kind);
    }
}

static void send_frame(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct execd *x = ctx;
    link_send(x->link, kind, serial, body, len);
}

static int take_frame(struct execd *x, const struct frame *f, struct answer *ans)
{
    struct unpacker u = unpacker_over(f->body, f->len);
    struct XM_Type m = { 0 };
    if (f->kind == GDI_FRAME_REVOKED)
        carrier_revoke(x->carrier, (const char *)f->body, f->len);
    if (f->kind != GDI_FRAME_EXEC)
        return 0; /* a newer qmaster may say more */
    if (cull_unpack(&u, &cull_XM_Type, gdi_peer_map(x->peer), NULL, &m, ans) != 0)
        return -1;
    int rc = exec_message_check(&m, ans);
    if (rc == 0)
        obey_message(x, &m);
    x->is_heard |= rc == 0;
    cull_clear(&cull_XM_Type, &m);
    return rc;
}

/* Attempts follow each other every two seconds: what keeps them from succeeding is said once, and
 * again when it is something else. NULL: the qmaster has spoken. True: that is news. */
static bool note_trouble(struct execd *x, const char *why)
{
    if (why == NULL ? x->trouble == NULL : x->trouble != NULL && strcmp(x->trouble, why) == 0)
        return false;
    free(x->trouble);
    x->trouble = why != NULL ? uti_strdup(why) : NULL;
    return true;
}

/* the last that the qmaster says; why it does is news once */
static void be_refused(struct execd *x, struct frame *f)
{
    struct dstr why = DSTR_INIT;
    dstr_addn(&why, (const char *)f->body, f->len);
    if (note_trouble(x, dstr_get(&why)))
        log_msg(LOG_LEVEL_ERROR, MSG_REFUSED_S, dstr_get(&why));
    dstr_free(&why);
    free(f->body);
    x->is_refused = true;
    link_refused(x->link);
}

static void on_frame(void *ctx, struct frame *f)
{
    struct execd *x = ctx;
    struct answer ans = ANSWER_INIT;
    struct frame next;
    if (f->kind == GDI_FRAME_REFUSED) {
        be_refused(x, f);
        return;
    }
    if (note_trouble(x, NULL))
        log_msg(LOG_LEVEL_INFO, MSG_CONNECTED);
    if (user_relay_take(x->user_relay, x->link, f))
        return;
    int rc = gdi_peer_take(x->peer, f, send_frame, x, &ans);
    while (rc == 0 && gdi_peer_next(x->peer, &next)) {
        rc = take_frame(x, &next, &ans);
        free(next.body);
    }
    if (rc != 0) {
        log_msg(LOG_LEVEL_ERROR, MSG_BAD_MESSAGE_S, ans_first_error(&ans));
        link_drop(x->link);
    }
    ans_free(&ans);
}

static void on_up(void *ctx)
{
    struct execd *x = ctx;
    struct packer hello = { 0 };
    x->peer = gdi_peer_new(false);
    gdi_hello_pack(&hello, "sge_execd", x->place.host);
    link_send(x->link, GDI_FRAME_HELLO, 0, hello.data, hello.len);
    if (x->trouble == NULL)
        log_msg(LOG_LEVEL_INFO, MSG_CONNECTED);
    stale_jobs_begin(x);
    report_register(x);
    user_relay_up(x->user_relay, x->link);
}

static void on_down(void *ctx, const char *why)
{
    struct execd *x = ctx;
    if (!x->is_refused && note_trouble(x, why))
        log_msg(LOG_LEVEL_WARNING, MSG_CONNECTION_LOST_S, why);
    x->is_refused = false;
    user_relay_down(x->user_relay);
    gdi_peer_free(x->peer);
    x->peer = NULL;
}

static void on_failed(void *ctx, const char *why)
{
    if (note_trouble(ctx, why))
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_CONNECTED_S, why);
}

const struct link_ops protocol_ops = {
    .up = on_up, .frame = on_frame, .down = on_down, .failed = on_failed
};
