/* From an order to a shepherd that runs. All that the shepherd needs is on disk before it is
 * started; a failure before that ends the task at once with the reason. The lock on "pid" passes
 * from us to the shepherd without a gap, so that at any moment a look at it tells whether the
 * task was started: an execd that dies here leaves no doubt to its successor. */
#include "daemons/execd/tasks/tasks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/files/task_allocation.h"
#include "daemons/execd/files/task_binding.h"
#include "daemons/execd/files/task_checkpoint.h"
#include "daemons/execd/files/task_files.h"
#include "daemons/execd/files/task_hooks.h"
#include "daemons/execd/host/privilege.h"
#include "daemons/execd/host/user.h"
#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { STARTS_A_TURN = 4, DIRS_TRIED = 4 };

struct start { /* what a start is made of; lives while it is made */
    struct execd *x;
    struct exec_task *t;
    struct cached_job *job;
    char *script, *dir; /* owned paths */
    struct task_text_input in;
    const struct hook_users *hooks; /* borrowed; NULL: no hook names a user */
    bool is_queues_fault;
    bool is_jobs_fault; /* a failure is the job's or its owner's, on whatever host */
};

/* the part of both files that all tasks of the job share, made when something it is made of has
 * changed */
static bool is_common_made(const struct execd *x, const struct cached_job *job, const char *queue)
{
    return job->made_for != NULL && strcmp(job->made_for, queue) == 0 &&
           job->made_at == x->cache.settings_version;
}

static int make_common(struct start *s, struct answer *ans)
{
    struct cached_job *job = s->job;
    const char *queue = s->in.queue->QU_full_name;
    if (is_common_made(s->x, job, queue))
        return 0;
    dstr_clear(&job->environment);
    dstr_clear(&job->config);
    free(job->made_for);
    job->made_for = NULL;
    task_environment_common(&s->in, &job->environment);
    if (task_config_common(&s->in, &job->config, ans) != 0)
        return -1;
    job->made_for = uti_strdup(queue);
    job->made_at = s->x->cache.settings_version;
    job->has_hook_users = s->hooks != NULL;
    return 0;
}

static int write_group(const struct start *s, int dir_fd, struct answer *ans)
{
    char text[16];
    if (s->in.additional_gid == 0) { /* a directory that is used again may have one */
        (void)unlinkat(dir_fd, TASK_FILE_ADDGRPID, 0);
        return 0;
    }
    int len = snprintf(text, sizeof text, "%u\n", (unsigned)s->in.additional_gid);
    return file_overwrite_at(dir_fd, TASK_FILE_ADDGRPID, text, (size_t)len, 0644, ans);
}

static int write_hostfile(const struct start *s, int dir_fd, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    if (s->in.job->JB_pe == NULL)
        return 0;
    task_hostfile(&s->in, &text);
    int rc = task_files_write(dir_fd, TASK_FILE_PE_HOSTFILE, &text, 0644, ans);
    dstr_free(&text);
    return rc;
}

static int write_files(struct start *s, int dir_fd, struct answer *ans)
{
    struct dstr environment = DSTR_INIT, config = DSTR_INIT;
    int rc = make_common(s, ans);
    s->is_jobs_fault = rc != 0;
    if (rc == 0)
        rc = write_group(s, dir_fd, ans);
    if (rc == 0)
        rc = write_hostfile(s, dir_fd, ans);
    if (rc == 0) {
        dstr_addn(&environment, dstr_get(&s->job->environment), s->job->environment.len);
        task_environment_own(&s->in, &environment);
        task_allocation_environment(&s->in, &environment);
        task_devices_environment(&s->in, &environment);
        dstr_addn(&config, dstr_get(&s->job->config), s->job->config.len);
        task_config_own(&s->in, &config);
        task_allocation_config(&s->in, &config);
        task_binding_environment(&s->in, &environment);
        task_binding_config(&s->in, &config);
        task_checkpoint_environment(&s->in, &environment);
        task_checkpoint_config(&s->in, &config);
        rc = task_hooks_as(&s->in, &config, ans);
        s->is_queues_fault = rc != 0;
    }
    if (rc == 0)
        rc = task_files_write(dir_fd, TASK_FILE_ENVIRONMENT, &environment, 0600, ans);
    if (rc == 0)
        rc = task_files_write(dir_fd, TASK_FILE_CONFIG, &config, 0600, ans);
    dstr_free(&environment);
    dstr_free(&config);
    return rc;
}

/* a shepherd for the complete directory, whose lock it takes over */
static int find_shepherd(struct start *s, int dir_fd, int lock_fd, struct answer *ans)
{
    struct exec_task *t = s->t;
    uid_t user = s->in.user->uid;
    struct shepherd *shepherd = shepherds_start(&s->x->shepherds, user, dir_fd, lock_fd, t, ans);
    if (shepherd == NULL)
        return -1;
    t->start_s = uti_now_s();
    t->start_us = uti_mono_us();
    task_watch(t, shepherd);
    return 0;
}

static int write_script(struct start *s, const struct user *user, struct answer *ans)
{
    const struct JB_Type *record = &s->job->record;
    if ((record->JB_type & JOB_TYPE_BINARY) != 0 || s->job->is_script_written)
        return 0;
    s->is_jobs_fault = record->JB_script_ptr == NULL;
    if (s->is_jobs_fault)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_SCRIPT_U, record->JB_job_number);
    if (privilege_write_script(s->script, record->JB_script_ptr, user->uid, user->gid, ans) != 0)
        return -1;
    s->job->is_script_written = true;
    return 0;
}

/* a directory, and the lock in it; a lock that cannot be had is a reason to take another
 * directory */
static int make_dir(struct start *s, int *lock_fd, struct answer *ans)
{
    for (int tries = 0;; tries++) {
        int fd = task_files_make(&s->x->dirs, s->t->name, ans);
        if (fd < 0)
            return -1;
        *lock_fd = task_files_lock(fd, tries < DIRS_TRIED ? NULL : ans);
        if (*lock_fd >= 0)
            return fd;
        close(fd);
        task_files_remove(&s->x->dirs, s->t->name);
        if (tries == DIRS_TRIED)
            return -1;
    }
}

/* a slave has no shepherd: what its petasks are made from is all of it */
static int announce_slave(struct exec_task *t)
{
    t->start_s = uti_now_s();
    t->start_us = uti_mono_us();
    task_announced(t);
    return 0;
}

static int run_shepherd(struct start *s, struct answer *ans)
{
    bool is_slave = s->t->kind == EXEC_TASK_SLAVE;
    int lock_fd = -1, fd = make_dir(s, &lock_fd, ans);
    if (fd < 0)
        return -1;
    int rc = write_files(s, fd, ans);
    if (rc == 0)
        rc = is_slave ? announce_slave(s->t) : find_shepherd(s, fd, lock_fd, ans);
    close(lock_fd);
    close(fd);
    if (rc != 0)
        task_files_remove(&s->x->dirs, s->t->name);
    return rc;
}

/* do the rules of the cell let USER, who is known, run jobs? */
static int check_user(const struct execd *x, const struct user *user, struct answer *ans)
{
    if (geteuid() != 0 && user->uid != geteuid()) {
        char own[16];
        (void)snprintf(own, sizeof own, "%u", (unsigned)geteuid());
        return ans_fail(ans, STATUS_DENIED, MSG_OTHER_USER_SS, user->name, own);
    }
    if (x->refuses_root && user->uid == 0)
        return ans_fail(ans, STATUS_DENIED, MSG_NO_ROOT_JOBS_S, user->name);
    int64_t min_uid = conf_get_number(&x->global_conf, &x->host_conf, "min_uid");
    int64_t min_gid = conf_get_number(&x->global_conf, &x->host_conf, "min_gid");
    if (user->uid < min_uid || user->gid < min_gid)
        return ans_fail(ans, STATUS_DENIED, MSG_MIN_UID_SU, user->name, (unsigned)user->uid);
    return 0;
}

/* whose processes the task's are: without a group of its own they could not be found for certain */
static int take_group(struct start *s, struct answer *ans)
{
    struct exec_task *t = s->t;
    if (geteuid() != 0 || s->x->gids.first == 0 || t->kind == EXEC_TASK_SLAVE)
        return 0;
    t->additional_gid = gid_pool_take(&s->x->gids);
    s->in.additional_gid = t->additional_gid;
    return t->additional_gid != 0 ? 0
                                  : ans_fail(ans, STATUS_ESHORTAGE, MSG_NO_GROUP_UU,
                                             (unsigned)s->x->gids.first, (unsigned)s->x->gids.last);
}

static int find_parts(struct start *s, const struct user *user, struct answer *ans)
{
    struct exec_task *t = s->t;
    s->in = (struct task_text_input){
        .place = &s->x->place, .task = &t->record, .user = user, .hook_users = s->hooks
    };
    s->job = job_cache_job(&s->x->cache, t->key.job_number);
    if (s->job == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_JOB_UNKNOWN_S, t->name);
    const char *queue = task_queue(t);
    s->in.job = &s->job->record;
    s->in.queue = job_cache_queue(&s->x->cache, queue);
    if (s->in.queue == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_QUEUE_UNKNOWN_SS, queue, t->name);
    if (user->error != NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, "%s", user->error);
    s->is_jobs_fault = check_user(s->x, user, ans) != 0;
    return s->is_jobs_fault ? -1 : 0;
}

static int make_tmpdir(struct start *s, const struct user *user, struct answer *ans)
{
    struct dstr path = DSTR_INIT;
    task_tmpdir(&s->in, &path);
    s->t->tmpdir = tmpdirs_make(&s->x->tmpdirs, dstr_get(&path), user->uid, user->gid, ans);
    s->in.tmpdir = s->t->tmpdir;
    dstr_free(&path);
    return s->t->tmpdir != NULL ? 0 : -1;
}

static int prepare_start(struct start *s, const struct user *user, struct answer *ans)
{
    if (find_parts(s, user, ans) != 0 || take_group(s, ans) != 0)
        return -1;
    s->script = host_dir_script(&s->x->dir, s->t->key.job_number);
    s->dir = path_join(s->x->dir.active_path, s->t->name);
    bool is_slave = s->t->kind == EXEC_TASK_SLAVE;
    s->t->cgroup = is_slave ? NULL : cgroups_of_task(&s->x->cgroups, s->t->name);
    s->in.cgroup = s->t->cgroup;
    s->in.script_path = s->script;
    s->in.task_dir = s->dir;
    task_take_cores(s->t, &s->in);
    if (!is_slave && write_script(s, user, ans) != 0)
        return -1;
    return make_tmpdir(s, user, ans);
}

/* for people, whom qhost -F shows it; WHY NULL: it is over */
static void say_shortage(struct execd *x, const char *why)
{
    load_set_shortage(&x->load, why);
    report_load_news(x);
}

/* a host that is short of something is nothing that the job has done: the task keeps its place
 * until the host has enough of it again, or until the task is deleted */
static void start_later(struct exec_task *t, const char *why)
{
    struct execd *x = t->x;
    if (x->start_pause_us == 0) {
        log_msg(LOG_LEVEL_ERROR, MSG_START_WAITS_SS, t->name, why);
        say_shortage(x, why);
    }
    task_return_place(t);
    start_queue_pause(t);
}

/* which enum task_failure: what the host lacks, or the queue says, is not the job's fault */
static uint32_t failure_of(const struct start *s, const struct user *user)
{
    if (user->is_absent)
        return TASK_FAILED_NO_OWNER;
    if (s->is_queues_fault)
        return TASK_FAILED_SETTING_UP;
    return s->is_jobs_fault ? TASK_FAILED_BEFORE_JOB : TASK_FAILED_PREPARING;
}

static void start_failed(struct exec_task *t, uint32_t failed, const struct answer *ans)
{
    enum answer_status status = ans->n > 0 ? ans->v[0].status : STATUS_ESYSTEM;
    if (t->tmpdir != NULL)
        tmpdirs_recycle(&t->x->tmpdirs, t->tmpdir);
    if (status == STATUS_EDISK || status == STATUS_ESHORTAGE)
        start_later(t, ans_first_error(ans));
    else
        task_end_unstarted(t, failed, ans_first_error(ans));
}

static void start_now(struct exec_task *t, const struct user *user, const struct hook_users *hooks)
{
    struct start s = { .x = t->x, .t = t, .hooks = hooks };
    struct answer ans = ANSWER_INIT;
    if (prepare_start(&s, user, &ans) == 0 && run_shepherd(&s, &ans) == 0) {
        if (t->x->start_pause_us != 0) {
            log_msg(LOG_LEVEL_INFO, MSG_STARTS_AGAIN);
            say_shortage(t->x, NULL);
        }
        t->x->start_pause_us = 0;
        report_soon(t);
    } else {
        start_failed(t, failure_of(&s, user), &ans);
    }
    ans_free(&ans);
    free(s.script);
    free(s.dir);
}

struct waiting { /* the task may have gone when the name service answers */
    struct execd *x;
    char *name; /* owned: its key as text */
    uint32_t attempt;
    /* owned: users in front of hooks, the first N_KNOWN of them resolved, and the owner; NULL: no
     * hook names a user */
    struct hook_users *hooks;
    uint32_t n_known;
    char *owner;
};

/* the users in front of the hooks of T, which runs JOB; NULL: there are none */
static struct hook_users *find_hook_users(struct exec_task *t, const struct cached_job *job)
{
    struct execd *x = t->x;
    const char *queue = task_queue(t);
    struct task_text_input in = { .place = &x->place, .job = &job->record, .task = &t->record };
    bool has_procedures = job->record.JB_pe != NULL || queue == NULL;
    if (is_common_made(x, job, queue) && !job->has_hook_users && !has_procedures)
        return NULL; /* nearly always */
    in.queue = job_cache_queue(&x->cache, queue);
    return in.queue != NULL ? task_hooks_users(&in) : NULL;
}

static void look_up_owner(struct exec_task *t);

/* the configuration may have named other users meanwhile: they are looked up, too */
static void start_known(struct exec_task *t, const struct user *user,
                        const struct hook_users *hooks)
{
    const struct cached_job *job = job_cache_job(&t->x->cache, t->key.job_number);
    struct hook_users *wanted = job != NULL ? find_hook_users(t, job) : NULL;
    bool has_all = hook_users_have(hooks, wanted);
    hook_users_free(wanted);
    if (has_all)
        start_now(t, user, hooks);
    else
        look_up_owner(t);
}

static void on_user(void *ctx, const struct user *user)
{
    struct waiting *w = ctx;
    struct task_key key;
    struct exec_task *t = task_key_parse(w->name, &key) ? task_find(w->x, &key) : NULL;
    if (t != NULL && t->attempt == w->attempt && t->state == EXEC_TASK_PREPARING)
        start_known(t, user, w->hooks);
    hook_users_free(w->hooks);
    free(w->owner);
    free(w->name);
    free(w);
}

static void on_hook_user(void *ctx, const struct user *user)
{
    struct waiting *w = ctx;
    struct hook_users *hooks = w->hooks;
    hook_user_resolved(&hooks->v[w->n_known++], user, w->owner, w->x->place.hook_users, geteuid());
    if (w->n_known < hooks->n)
        users_get(w->x->users, hooks->v[w->n_known].name, on_hook_user, w);
    else
        users_get(w->x->users, w->owner, on_user, w);
}

static void look_up_owner(struct exec_task *t)
{
    struct execd *x = t->x;
    const struct cached_job *job = job_cache_job(&x->cache, t->key.job_number);
    if (job == NULL || job->record.JB_owner == NULL) {
        report_unknown(x, &t->key, t->attempt);
        task_delete(t); /* the qmaster has to send the job first */
        return;
    }
    struct waiting *w = uti_alloc(sizeof *w);
    *w = (struct waiting){ x, uti_strdup(t->name), t->attempt, find_hook_users(t, job), 0, NULL };
    if (w->hooks == NULL) {
        users_get(x->users, job->record.JB_owner, on_user, w);
        return;
    }
    w->owner = uti_strdup(job->record.JB_owner);
    users_get(x->users, w->hooks->v[0].name, on_hook_user, w);
}

static void begin_start(struct execd *x, const struct JAT_Type *record)
{
    struct task_key key = task_key_of_record(record);
    struct exec_task *t = task_new(x, &key, record->JAT_attempt);
    if (record->JAT_is_slave && key.petask == NULL)
        t->kind = EXEC_TASK_SLAVE;
    cull_copy(&cull_JAT_Type, &t->record, record);
    if (t->kind != EXEC_TASK_SLAVE) /* what saves its state is the task itself */
        checkpoint_take_record(t);
    start_queue_add(t);
}

/* the older attempt was given up when the newer was ordered: its end is not reported */
static void begin_next(struct exec_task *t)
{
    struct execd *x = t->x;
    if (x->is_ending) {
        task_drop_next(t);
        report_soon(t);
        return;
    }
    struct JAT_Type *next = t->next;
    t->next = NULL;
    task_drop(t);
    begin_start(x, next);
    cull_clear(&cull_JAT_Type, next);
    free(next);
}

void tasks_start_some(struct execd *x)
{
    struct exec_task *t;
    unsigned most = x->start_pause_us != 0 ? 1 : STARTS_A_TURN; /* one tries for all */
    for (unsigned i = 0; i < most && (t = start_queue_take(x)) != NULL; i++) {
        if (t->state == EXEC_TASK_PREPARING)
            look_up_owner(t);
        else if (t->state == EXEC_TASK_ENDED && t->next != NULL)
            begin_next(t);
    }
    start_queue_go_on(x);
}

/* the older attempt is asked to end, once; it may take its time */
static void wait_for_older(struct exec_task *t, const struct JAT_Type *record)
{
    bool is_first = t->next == NULL;
    task_drop_next(t);
    t->next = uti_calloc(1, sizeof *t->next);
    cull_copy(&cull_JAT_Type, t->next, record);
    report_soon(t);
    if (!is_first)
        return;
    log_msg(LOG_LEVEL_INFO, MSG_OLDER_RUNS_SUU, t->name, record->JAT_attempt, t->attempt);
    (void)task_signal(t->x, &t->key, t->attempt, (int)TASK_REQUEST_END_AGAIN);
}

void task_order(struct execd *x, const struct JAT_Type *record)
{
    struct task_key key = task_key_of_record(record);
    struct exec_task *t = task_find(x, &key);
    uint32_t newest = t == NULL ? 0 : t->next != NULL ? t->next->JAT_attempt : t->attempt;
    if (t != NULL && newest == record->JAT_attempt) {
        report_soon(t); /* known: say how it stands */
    } else if (t != NULL && newest > record->JAT_attempt) {
        return; /* an old order, late */
    } else if (t != NULL && t->state != EXEC_TASK_ENDED) {
        wait_for_older(t, record);
    } else {
        if (t != NULL)
            task_drop(t); /* a new attempt is ordered only when the end of the last is known */
        begin_start(x, record);
    }
}
