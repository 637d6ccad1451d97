/* Petasks: a process of a parallel task asks the execd of a host of the task for them (qrsh
 * -inherit). What they are made from are the files of the task there, so that they start without
 * the qmaster, also after a restart. Invariants: the commands of no more of them run than the task
 * has slots here; a number is given once for each attempt of the task, whatever is restarted; who
 * asks is a process of the task, or another host of the task has vouched for that. Source: qrsh(1),
 * sge_pe(5); captures of -inherit. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/files/petask_text.h"
#include "daemons/execd/files/task_files.h"
#include "daemons/execd/host/sessions.h"
#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "daemons/execd/tasks/tasks.h"
#include "libs/sgeobj/task_key.h"
#include "libs/task/session_frame.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/process.h"
#include "libs/uti/time.h"

enum {
    UNREPORTED_MOST = 1000,
    ENDING_MOST = 8 /* besides those that the task has slots for twice */
};

struct petask_start { /* lives while one is started */
    struct execd *x;
    const struct session_petask *ask;
    struct exec_task *task, *petask;
    struct petask_request request;
    struct dstr config, environment; /* of the task */
    uid_t uid;                       /* its owner's */
    struct dstr *why;
};

static bool petask_refuse(struct petask_start *s, const char *why)
{
    dstr_clear(s->why);
    dstr_add(s->why, why);
    return false;
}

static int open_task(const struct petask_start *s)
{
    return openat(s->x->dir.active_fd, s->task->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* ---- who asks, and for what ---- */

static bool find_task(struct petask_start *s)
{
    struct task_key key;
    if (!task_key_parse(s->ask->task, &key) || key.petask != NULL)
        return petask_refuse(s, MSG_PETASK_MALFORMED);
    s->task = task_find(s->x, &key);
    if (s->task != NULL)
        return true;
    dstr_addf(s->why, MSG_PETASK_NO_TASK_S, s->ask->task);
    return false;
}

static bool read_files(struct petask_start *s)
{
    int fd = open_task(s);
    bool is_read = fd >= 0 && task_files_read(fd, TASK_FILE_CONFIG, &s->config) &&
                   task_files_read(fd, TASK_FILE_ENVIRONMENT, &s->environment);
    if (fd >= 0)
        close(fd);
    s->uid = (uid_t)task_files_number(dstr_get(&s->config), "job_uid", UINT32_MAX);
    return is_read || petask_refuse(s, MSG_PETASK_NOT_YET);
}

/* the group of the task, or of one of its petasks, is given to its processes alone; without groups
 * its owner's word counts */
static bool is_of_task(const struct petask_start *s)
{
    const struct exec_task *t = s->task;
    bool has_groups = geteuid() == 0 && s->x->gids.first != 0, is_member = false;
    if (t->additional_gid != 0)
        is_member = os_has_group(s->ask->pid, t->additional_gid);
    for (t = petask_first(t); t != NULL && !is_member; t = petask_next(t))
        is_member = t->additional_gid != 0 && os_has_group(s->ask->pid, t->additional_gid);
    return is_member || !has_groups;
}

/* is HOST the first word of a line of the task's pe_hostfile? */
static bool is_host_of_task(const struct petask_start *s, const char *host)
{
    struct dstr text = DSTR_INIT;
    bool is_found = false;
    int fd = open_task(s);
    if (fd >= 0 && task_files_read(fd, TASK_FILE_PE_HOSTFILE, &text)) {
        for (char *at = text.s, *end; at != NULL && *at != '\0' && !is_found; at = end) {
            size_t len = strcspn(at, "\n");
            end = at + len + (at[len] == '\n');
            at[strcspn(at, " \n")] = '\0';
            is_found = host_name_equal(at, host);
        }
    }
    if (fd >= 0)
        close(fd);
    dstr_free(&text);
    return is_found;
}

static bool may_ask(struct petask_start *s)
{
    const struct session_petask *ask = s->ask;
    if (ask->uid != s->uid)
        return petask_refuse(s, MSG_PETASK_NOT_YOURS);
    if (ask->is_relayed)
        return (ask->from != NULL && is_host_of_task(s, ask->from)) ||
               petask_refuse(s, MSG_PETASK_NOT_OF_TASK);
    return is_of_task(s) || petask_refuse(s, MSG_PETASK_NOT_OF_TASK);
}

/* has its command ended, and its shepherd not yet? */
static bool is_about_to_exit(const struct exec_task *petask)
{
    const struct execd *x = petask->x;
    bool is_known = false;
    int fd = -1;
    if (petask->state != EXEC_TASK_ENDED)
        fd = openat(x->dir.active_fd, petask->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        is_known = faccessat(fd, TASK_FILE_ABOUT_TO_EXIT, F_OK, 0) == 0;
        close(fd);
    }
    return is_known;
}

/* are all slots in use? One whose command has ended is free, but a client that does not read holds
 * shepherds up for a bounded number of times only. N: those that have not ended */
static bool is_full(const struct petask_start *s, uint32_t n, uint64_t most)
{
    uint32_t n_ending = 0;
    if (n < most)
        return false;
    for (const struct exec_task *p = petask_first(s->task); p != NULL; p = petask_next(p))
        n_ending += is_about_to_exit(p);
    return n - n_ending >= most || n >= 2 * most + ENDING_MOST;
}

static bool is_accepted(struct petask_start *s)
{
    uint64_t most = task_files_number(dstr_get(&s->config), "petasks", UINT64_MAX);
    uint32_t n = petasks_count(s->task, false), unreported = petasks_count(s->task, true);
    const struct execd *x = s->x;
    if (most == UINT64_MAX)
        return petask_refuse(s, MSG_PETASK_NO_CONTROL);
    if (s->task->state != EXEC_TASK_RUNNING || s->task->is_killed || s->task->next != NULL)
        return petask_refuse(s, MSG_PETASK_ENDING);
    if (x->is_ending || x->leave_by_us != 0)
        return petask_refuse(s, MSG_PETASK_LEAVING);
    if (is_full(s, n, most))
        dstr_addf(s->why, MSG_PETASK_SLOTS_UU, n, (unsigned)most);
    else if (unreported >= UNREPORTED_MOST)
        dstr_addf(s->why, MSG_PETASK_UNREPORTED_U, (unsigned)UNREPORTED_MOST);
    return s->why->len == 0;
}

/* ---- its start ---- */

/* the next number of this attempt, which is written down before it is used; 0: it cannot be, or was
 * the last */
static uint32_t next_number(const struct petask_start *s, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    int fd = open_task(s);
    uint32_t number = 0;
    if (fd < 0)
        return 0;
    if (task_files_read(fd, TASK_FILE_PETASKS, &text))
        number = (uint32_t)task_files_number(dstr_get(&text), "last", 0);
    dstr_clear(&text);
    dstr_addf(&text, "last=%u\n", ++number);
    if (number > TASK_PETASK_NUMBER_MOST) {
        (void)ans_fail(ans, STATUS_DENIED, MSG_PETASK_NUMBERS_U, (unsigned)TASK_PETASK_NUMBER_MOST);
        number = 0;
    } else if (task_files_write(fd, TASK_FILE_PETASKS, &text, 0600, ans) != 0) {
        number = 0;
    }
    close(fd);
    dstr_free(&text);
    return number;
}

static void copy_queue(const struct exec_task *from, struct exec_task *to)
{
    struct JG_Type *entry = cull_append(&to->record, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, task_queue(from));
}

static bool make_petask(struct petask_start *s, struct answer *ans)
{
    struct execd *x = s->x;
    struct dstr name = DSTR_INIT;
    uint32_t number = next_number(s, ans);
    if (number == 0)
        return false;
    dstr_addf(&name, "%u.%s", number, x->place.host);
    struct task_key key = { s->task->key.job_number, s->task->key.task_number, dstr_get(&name) };
    bool is_good = task_key_is_valid(&key) && task_find(x, &key) == NULL;
    if (is_good) {
        s->petask = task_new(x, &key, s->task->attempt);
        copy_queue(s->task, s->petask);
        s->petask->cgroup = cgroups_of_task(&x->cgroups, s->petask->name);
        s->petask->start_s = uti_now_s();
        s->petask->start_us = uti_mono_us();
    }
    dstr_free(&name);
    return is_good;
}

static bool take_group(struct petask_start *s)
{
    if (geteuid() != 0 || s->x->gids.first == 0)
        return true;
    s->petask->additional_gid = gid_pool_take(&s->x->gids);
    return s->petask->additional_gid != 0 || petask_refuse(s, MSG_PETASK_NO_GROUP);
}

static int write_files(const struct petask_start *s, int dir_fd, struct answer *ans)
{
    const struct exec_task *t = s->petask;
    struct dstr config = DSTR_INIT, environment = DSTR_INIT, group = DSTR_INIT;
    char *task_dir = path_join(s->x->dir.active_path, t->name);
    struct petask_text_input in = { .request = &s->request,
                                    .petask = t->key.petask,
                                    .name = t->name,
                                    .task_dir = task_dir,
                                    .cgroup = t->cgroup,
                                    .additional_gid = t->additional_gid,
                                    .session_socket = s->x->place.session_socket != NULL
                                                          ? s->x->place.session_socket
                                                          : "",
                                    .session_digest = s->ask->digest,
                                    .ordered_at_s = t->start_s,
                                    .is_terminal = (s->ask->flags & PETASK_IS_TERMINAL) != 0,
                                    .has_no_shell = (s->ask->flags & PETASK_HAS_NO_SHELL) != 0 };
    petask_config(&in, dstr_get(&s->config), &config);
    petask_environment(&in, dstr_get(&s->environment), &environment);
    int rc = 0;
    if (t->additional_gid != 0) {
        dstr_addf(&group, "%u\n", (unsigned)t->additional_gid);
        rc = task_files_write(dir_fd, TASK_FILE_ADDGRPID, &group, 0644, ans);
    }
    if (rc == 0)
        rc = task_files_write(dir_fd, TASK_FILE_ENVIRONMENT, &environment, 0600, ans);
    if (rc == 0)
        rc = task_files_write(dir_fd, TASK_FILE_CONFIG, &config, 0600, ans);
    free(task_dir);
    dstr_free(&config);
    dstr_free(&environment);
    dstr_free(&group);
    return rc;
}

static bool start_shepherd(struct petask_start *s, struct answer *ans)
{
    struct execd *x = s->x;
    struct shepherd *shepherd = NULL;
    int dir_fd = task_files_make(&x->dirs, s->petask->name, ans);
    int lock_fd = dir_fd >= 0 ? task_files_lock(dir_fd, ans) : -1;
    if (lock_fd >= 0 && write_files(s, dir_fd, ans) == 0)
        shepherd = shepherds_start(&x->shepherds, s->uid, dir_fd, lock_fd, s->petask, ans);
    if (lock_fd >= 0)
        close(lock_fd);
    if (dir_fd >= 0)
        close(dir_fd);
    if (shepherd != NULL)
        task_watch(s->petask, shepherd);
    else if (dir_fd >= 0)
        task_files_remove(&x->dirs, s->petask->name);
    return shepherd != NULL;
}

static bool start_petask(struct petask_start *s)
{
    struct answer ans = ANSWER_INIT;
    bool is_started = make_petask(s, &ans) && take_group(s) && start_shepherd(s, &ans);
    if (!is_started && s->why->len == 0)
        (void)petask_refuse(s, ans.n > 0 ? ans_first_error(&ans) : MSG_PETASK_NO_NUMBER);
    if (!is_started && s->petask != NULL)
        task_delete(s->petask);
    ans_free(&ans);
    return is_started;
}

bool petask_ask(void *execd, const struct session_petask *ask, struct dstr *out)
{
    struct petask_start s = { .x = execd, .ask = ask, .why = out };
    bool is_started = find_task(&s) && read_files(&s) && may_ask(&s) && is_accepted(&s);
    if (is_started && !petask_request_read(&s.request, ask->request, ask->len))
        is_started = petask_refuse(&s, MSG_PETASK_MALFORMED);
    if (is_started)
        is_started = start_petask(&s);
    if (is_started) {
        dstr_add(out, s.petask->name);
        report_soon(s.petask);
        task_limits_take(s.task, dstr_get(&s.config));
        if (s.task->is_stopped)
            (void)task_signal(s.x, &s.petask->key, s.petask->attempt, SIGSTOP);
    }
    petask_request_free(&s.request);
    dstr_free(&s.config);
    dstr_free(&s.environment);
    return is_started;
}

bool petask_may_ask(void *execd, const struct session_petask *ask, struct dstr *out)
{
    struct petask_start s = { .x = execd, .ask = ask, .why = out };
    bool may = find_task(&s) && read_files(&s) && may_ask(&s);
    dstr_free(&s.config);
    dstr_free(&s.environment);
    return may;
}
