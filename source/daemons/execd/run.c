/* Setting up, timers and signals. The execd owns the host's directory (host_dir.h) and the table
 * of tasks; everything happens on its loop. It ends without touching its tasks: shepherds are in
 * sessions of their own and write what the next execd reads. */
#include "daemons/execd/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/version.h"
#include "daemons/execd/carrier.h"
#include "daemons/execd/files/task_files.h"
#include "daemons/execd/host/session_relay.h"
#include "daemons/execd/host/sessions.h"
#include "daemons/execd/host/user.h"
#include "daemons/execd/msg_execd.h"
#include "daemons/execd/protocol.h"
#include "daemons/execd/remote.h"
#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/tasks.h"
#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/config/conf.h"
#include "libs/gdi/hello.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

/* ---- tasks of an earlier execd ---- */
/* After a restart: which tasks of the execd before us run, which have ended. The lock on "pid"
 * tells (uti/task_dir.h), and the process named in it is the shepherd only if start time, boot,
 * program and user agree: a pid alone may be anybody's by now. */

/* what the order said, as far as the files still tell */
static void take_config(struct exec_task *t, const char *config)
{
    char *queue = task_files_value(config, "queue"), *host = task_files_value(config, "host");
    struct dstr full = DSTR_INIT;
    dstr_addf(&full, "%s@%s", queue != NULL ? queue : "", host != NULL ? host : "");
    struct JG_Type *entry = cull_append(&t->record, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, dstr_get(&full));
    t->tmpdir = task_files_value(config, "tmpdir");
    t->additional_gid = (gid_t)task_files_number(config, "add_grp_id", 0);
    t->cgroup = task_files_value(config, "cgroup");
    checkpoint_take_config(t, config);
    if (task_files_number(config, "petasks", 0) > 0)
        task_limits_take(t, config);
    task_find_cores(t, config);
    gid_pool_set(&t->x->gids, t->additional_gid, true);
    t->start_s = task_files_number(config, "ordered_at", uti_now_s());
    t->start_us = uti_mono_us();
    free(queue);
    free(host);
    dstr_free(&full);
}

/* a task that was running when the machine went down; the qmaster hears nothing of it and puts
 * it back */
static bool is_lost(const struct execd *x, enum task_life life, int dir_fd)
{
    struct JR_Type report = { 0 };
    if (life != TASK_LIFE_ENDED || !x->dir.is_new_boot)
        return false;
    bool is_whole = task_files_report(dir_fd, &report);
    cull_clear(&cull_JR_Type, &report);
    return !is_whole;
}

/* a slave: all of it are the files that its petasks are made from; false if it is none, or if the
 * machine was down meanwhile */
static bool recover_slave(struct execd *x, const struct task_key *key, int dir_fd)
{
    struct dstr config = DSTR_INIT;
    bool is_slave = key->petask == NULL && !x->dir.is_new_boot &&
                    task_files_read(dir_fd, TASK_FILE_CONFIG, &config) &&
                    task_files_number(dstr_get(&config), "slave", 0) == 1;
    if (is_slave) {
        struct exec_task *t =
            task_new(x, key, (uint32_t)task_files_number(dstr_get(&config), "attempt", 0));
        t->kind = EXEC_TASK_SLAVE;
        take_config(t, dstr_get(&config));
        t->checkpoint = (struct task_checkpoint){ .is_there = false };
        task_announced(t);
    }
    dstr_free(&config);
    return is_slave;
}

/* NAME is known again, or removed; the directory of a task that runs elsewhere alone is there for
 * its petasks */
static void recover_task(struct execd *x, const char *name, int dir_fd, const struct task_key *key,
                         bool has_petasks)
{
    struct dstr config = DSTR_INIT;
    struct process_id shepherd;
    enum task_life life = task_files_life(dir_fd, &shepherd);
    if (life == TASK_LIFE_NONE && recover_slave(x, key, dir_fd)) {
        return;
    } else if (life == TASK_LIFE_NONE && has_petasks) {
        return;
    } else if (life == TASK_LIFE_NONE || !task_files_read(dir_fd, TASK_FILE_CONFIG, &config)) {
        log_msg(LOG_LEVEL_WARNING, MSG_TASK_NOT_STARTED_S, name);
        task_files_remove(&x->dirs, name);
    } else if (is_lost(x, life, dir_fd)) {
        log_msg(LOG_LEVEL_WARNING, MSG_TASK_LOST_S, name);
        task_files_remove(&x->dirs, name);
    } else {
        uint32_t attempt = (uint32_t)task_files_number(dstr_get(&config), "attempt", 0);
        struct exec_task *t = task_new(x, key, attempt);
        take_config(t, dstr_get(&config));
        task_take_sample(t, dir_fd);
        task_follow(t);
    }
    dstr_free(&config);
}

static bool is_reported(int dir_fd)
{
    return faccessat(dir_fd, TASK_FILE_REPORTED, F_OK, 0) == 0;
}

static bool recover_petasks(struct execd *x, const char *task);

/* NAME: a path below active_jobs; false if it is no task's directory */
static bool recover_name(struct execd *x, const char *name)
{
    struct task_key key;
    int fd = task_key_parse(name, &key)
                 ? openat(x->dir.active_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                 : -1;
    if (fd < 0)
        return false;
    bool has_petasks = key.petask == NULL && recover_petasks(x, name);
    if (!is_reported(fd))
        recover_task(x, name, fd, &key, has_petasks);
    close(fd);
    return true;
}

/* what stands in the directory of TASK; true if there are any */
static bool recover_petasks(struct execd *x, const char *task)
{
    char *path = path_join(x->dir.active_path, task);
    DIR *dir = opendir(path);
    struct dirent *entry;
    bool has_any = false;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char *name = path_join(task, entry->d_name);
        has_any |= recover_name(x, name);
        free(name);
    }
    if (dir != NULL)
        closedir(dir);
    free(path);
    return has_any;
}

static void tasks_recover(struct execd *x)
{
    DIR *dir = opendir(x->dir.active_path);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        (void)recover_name(x, entry->d_name);
    if (dir != NULL)
        closedir(dir);
}

/* ---- start and end ---- */

enum { SAMPLE_EVERY_US = 1000000, LOAD_INTERVAL_MIN_S = 1 };

static uint64_t load_interval_s(const struct execd *x)
{
    uint64_t interval_s = conf_get_time_s(&x->global_conf, &x->host_conf, "load_report_time");
    return interval_s > LOAD_INTERVAL_MIN_S ? interval_s : LOAD_INTERVAL_MIN_S;
}

static void on_sample_timer(void *ctx)
{
    struct execd *x = ctx;
    loop_doing(x->loop, "sampling tasks");
    orphans_reap(); /* what load sensors left falls to us, and no shepherd ends with it */
    tasks_sample(x, load_interval_s(x));
    execd_leave_if_done(x);
    loop_timer_set(x->sample_timer, SAMPLE_EVERY_US);
}

static void on_load_timer(void *ctx)
{
    struct execd *x = ctx;
    loop_doing(x->loop, "reporting load");
    load_sensors_ask(&x->sensors);
    report_load(x);
    loop_timer_set(x->load_timer, load_interval_s(x) * 1000000);
}

static void on_values_timer(void *ctx)
{
    struct execd *x = ctx;
    x->are_cores_news = false;
    report_load_news(x);
}

static void on_sensors_changed(void *ctx)
{
    struct execd *x = ctx;
    loop_timer_set(x->values_timer, 0);
}

static void on_flush_timer(void *ctx)
{
    struct execd *x = ctx;
    loop_doing(x->loop, "reporting tasks");
    report_flush(x);
}

static void on_start_timer(void *ctx)
{
    struct execd *x = ctx;
    loop_doing(x->loop, "starting tasks");
    tasks_start_some(x);
}

/* the messages file was moved */
static void on_hangup(void *ctx)
{
    (void)ctx;
    log_reopen();
}

static void on_term(void *ctx)
{
    execd_leave(ctx);
}

/* two descriptors for each running task (host/shepherds.h); jobs get what we were started with */
static void raise_descriptors(struct execd *x)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    x->place.soft_descriptors = limit.rlim_cur;
    x->place.hard_descriptors = limit.rlim_max;
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int open_loop(struct execd *x, struct answer *ans)
{
    x->loop = loop_new(ans);
    if (x->loop == NULL)
        return -1;
    loop_measure(x->loop, "the execd's loop");
    x->flush_timer = loop_timer_new(x->loop, on_flush_timer, x);
    x->load_timer = loop_timer_new(x->loop, on_load_timer, x);
    x->values_timer = loop_timer_new(x->loop, on_values_timer, x);
    x->start_timer = loop_timer_new(x->loop, on_start_timer, x);
    x->sample_timer = loop_timer_new(x->loop, on_sample_timer, x);
    x->term = loop_watch_signal(x->loop, SIGTERM, on_term, x);
    x->interrupt = loop_watch_signal(x->loop, SIGINT, on_term, x);
    x->hangup = loop_watch_signal(x->loop, SIGHUP, on_hangup, x);
    x->users = users_new(x->loop, ans);
    if (x->users == NULL)
        return -1;
    bool is_good = x->term != NULL && x->interrupt != NULL && x->hangup != NULL;
    return is_good ? 0 : ans_sys(ans, errno, MSG_SIGNALS);
}

static void remove_dir(void *ctx, const char *path)
{
    struct execd *x = ctx;
    removals_add(&x->removals, path);
}

static void open_sensors(struct execd *x, const struct execd_options *o)
{
    struct sensor_place place = { .loop = x->loop,
                                  .users = x->users,
                                  .user = o->admin_user,
                                  .host = o->host,
                                  .sge_root = o->sge_root,
                                  .sge_cell = o->sge_cell,
                                  .changed = on_sensors_changed,
                                  .ctx = x };
    load_sensors_init(&x->sensors, &place);
}

static int open_log(const struct execd *x, struct answer *ans)
{
    char *messages = path_join(x->dir.work, "messages");
    int rc = log_open(messages, x->place.host, LOG_LEVEL_INFO, ans);
    free(messages);
    return rc;
}

static int open_link(struct execd *x, const struct execd_options *o, struct answer *ans)
{
    if (o->qmaster_host == NULL) {
        x->link = link_new(x->loop, o->socket, &protocol_ops, x);
        return 0;
    }
    x->user_relay = user_relay_new(x->loop, o->relay_socket, ans);
    if (x->user_relay == NULL)
        return -1;
    x->relay_turns = user_relay_turns(x->user_relay);
    x->names_turns = user_relay_names_turns(x->user_relay);
    char *papers = path_join(o->spool_dir, "tls");
    x->remote = remote_new(o->qmaster_host, o->port, papers);
    struct link_dial dial = remote_dial(x->remote);
    x->link = link_dialled(x->loop, &dial, &protocol_ops, x);
    struct renewal_place place = { papers, o->bin_dir, o->qmaster_host, o->port, &x->renewal };
    x->cert_renewal = cert_renewal_new(x->loop, &place);
    free(papers);
    return 0;
}

static bool has_task(void *ctx, const char *task)
{
    struct execd *x = ctx;
    struct task_key key;
    const struct exec_task *t = task_key_parse(task, &key) ? task_find(x, &key) : NULL;
    return t != NULL && (t->state != EXEC_TASK_ENDED || t->next != NULL);
}

static bool send_session(void *ctx, struct stream *near, const struct session_first *first,
                         const char *host, unsigned *most)
{
    struct execd *x = ctx;
    bool is_gateway =
        x->session_gateway != NULL && host_name_equal(x->session_gateway, x->place.host);
    *most = 0;
    if (first->is_relayed && !is_gateway)
        return false;
    if (x->session_gateway != NULL && !is_gateway)
        host = x->session_gateway;
    return carrier_send(x->carrier, near, first, host, most);
}

static void take_session(void *ctx, int fd, const struct session_first *first)
{
    struct execd *x = ctx;
    if (x->sessions != NULL)
        sessions_take(x->sessions, fd, first);
    else
        close(fd);
}

static void open_carrier(struct execd *x, const struct execd_options *o)
{
    char *program = path_join(o->bin_dir, "sge_carrier"),
         *messages = path_join(x->dir.work, "messages");
    struct carrier_place place = { .program = program,
                                   .host = o->host,
                                   .messages = messages,
                                   .dir = o->spool_dir,
                                   .port = o->session_port,
                                   .papers_dir = o->session_papers,
                                   .ledger_dir = o->session_ledger,
                                   .writes_ledger = o->qmaster_host != NULL,
                                   .process = &x->carrier_process };
    x->carrier = carrier_new(x->loop, &place, take_session, x);
    free(program);
    free(messages);
}

/* a host that cannot have them runs all other jobs */
static void open_sessions(struct execd *x, const struct execd_options *o)
{
    static const struct session_ops here = { .has_task = has_task,
                                             .start_petask = petask_ask,
                                             .may_ask = petask_may_ask };
    static const struct session_ops anywhere = { .has_task = has_task,
                                                 .send = send_session,
                                                 .start_petask = petask_ask,
                                                 .may_ask = petask_may_ask };
    struct answer ans = ANSWER_INIT;
    if (o->session_socket != NULL && o->session_port != 0)
        open_carrier(x, o);
    if (o->session_socket != NULL)
        x->sessions = sessions_new(x->loop, o->session_socket, o->host,
                                   x->carrier != NULL ? &anywhere : &here, x, &ans);
    if (ans.n > 0)
        log_answer(&ans);
    ans_free(&ans);
}

static void set_place(struct execd *x, const struct execd_options *o)
{
    x->place = (struct task_place){ .host = o->host,
                                    .sge_root = o->sge_root,
                                    .sge_cell = o->sge_cell,
                                    .cluster_name = o->cluster_name,
                                    .bin_dir = o->bin_dir,
                                    .port = o->port,
                                    .is_root = geteuid() == 0,
                                    .hook_users = o->hook_users,
                                    .session_socket = o->session_socket,
                                    .global_conf = &x->global_conf,
                                    .host_conf = &x->host_conf };
}

struct execd *execd_new(const struct execd_options *o, struct answer *ans)
{
    struct execd *x = uti_calloc(1, sizeof *x);
    TAILQ_INIT(&x->due);
    TAILQ_INIT(&x->starting);
    x->dir = (struct host_dir){ .active_fd = -1, .lock_fd = -1 };
    set_place(x, o);
    x->refuses_root = o->refuses_root;
    x->session_gateway = o->session_gateway;
    x->shepherd = path_join(o->bin_dir, "sge_shepherd");
    load_init(&x->load);
    if (host_dir_open(&x->dir, o->spool_dir, ans) != 0 || open_log(x, ans) != 0 ||
        open_loop(x, ans) != 0) {
        execd_free(x);
        return NULL;
    }
    open_sensors(x, o);
    raise_descriptors(x);
    (void)os_become_subreaper();
    log_msg(LOG_LEVEL_INFO, MSG_STARTED);
    if (x->dir.trouble != NULL)
        log_msg(LOG_LEVEL_ERROR, "%s", x->dir.trouble);
    task_dirs_init(&x->dirs, x->dir.active_fd, x->dir.active_path);
    cgroups_init(&x->cgroups, x->dir.path);
    shepherds_init(&x->shepherds, x->loop, x->shepherd, task_over);
    removals_init(&x->removals, x->loop, x->shepherd);
    tmpdirs_init(&x->tmpdirs, x->dir.path, remove_dir, x);
    tasks_recover(x);
    if (host_dir_note_boot(&x->dir, ans) != 0) {
        log_answer(ans); /* then the next start looks as hard as this one */
        ans_free(ans);
    }
    stale_jobs_recover(x);
    open_sessions(x, o);
    if (open_link(x, o, ans) != 0) {
        execd_free(x);
        return NULL;
    }
    on_load_timer(x);
    on_sample_timer(x);
    return x;
}

int execd_run(struct execd *x)
{
    int rc = loop_run(x->loop);
    log_msg(LOG_LEVEL_INFO, MSG_STOPPED);
    return rc;
}

void execd_free(struct execd *x)
{
    if (x == NULL)
        return;
    for (struct exec_task *t = task_first(x); t != NULL; t = task_next(t))
        orphans_forget(t);
    tasks_free(x);
    load_sensors_free(&x->sensors);
    users_free(x->users);
    carrier_free(x->carrier);
    sessions_free(x->sessions);
    user_relay_free(x->user_relay);
    link_free(x->link);
    remote_free(x->remote);
    cert_renewal_free(x->cert_renewal);
    free(x->trouble);
    gdi_peer_free(x->peer);
    loop_timer_free(x->flush_timer);
    loop_timer_free(x->load_timer);
    loop_timer_free(x->values_timer);
    loop_timer_free(x->start_timer);
    loop_timer_free(x->sample_timer);
    loop_watch_free(x->term);
    loop_watch_free(x->interrupt);
    loop_watch_free(x->hangup);
    removals_free(&x->removals);
    shepherds_free(&x->shepherds);
    loop_free(x->loop);
    job_cache_free(&x->cache);
    gid_pool_free(&x->gids);
    cgroups_free(&x->cgroups);
    load_free(&x->load);
    cull_clear(&cull_CONF_Type, &x->global_conf);
    cull_clear(&cull_CONF_Type, &x->host_conf);
    task_dirs_free(&x->dirs);
    tmpdirs_free(&x->tmpdirs);
    host_dir_close(&x->dir);
    free(x->shepherd);
    free(x);
}
