/* Finding the processes of a task without its shepherd. Our children that are neither shepherds,
 * removals, load sensors, the carrier nor the renewal of the certificate can only be what dead
 * shepherds left: execd starts nothing else. After a restart of execd they have fallen to init;
 * then the group and the environment tell.
 *
 * The environment of a process is its user's memory, and a read of it may take as long as that user
 * likes. So a thread looks for them, one for each task; the loop waits SEARCH_MOST_US for it, and
 * then looks at the groups alone, which the kernel keeps. */
#include "daemons/execd/tasks/tasks.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/privilege.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "libs/uti/alloc.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/log.h"
#include "libs/uti/process.h"
#include "libs/uti/time.h"

enum { SEARCH_MOST_US = 2000000, STACK_BYTES = 256 * 1024 };

struct orphan_search { /* for the processes of a task; the last of its two holders frees it */
    _Atomic uint32_t holders;
    gid_t group;
    char *variable; /* owned */
    uint64_t begun_us;
    bool is_given_up; /* the loop's: it takes too long, and the log says so */
    _Atomic bool is_over;
    _Atomic uint32_t n; /* of those killed, when it is over */
};

static bool is_shepherd(const struct execd *x, pid_t pid)
{
    for (const struct exec_task *t = task_first(x); t != NULL; t = task_next(t))
        if (t->shepherd != NULL && shepherd_pid(t->shepherd) == pid)
            return true;
    return shepherds_have(&x->shepherds, pid);
}

static bool is_helper(const struct execd *x, pid_t pid)
{
    return removals_has(&x->removals, pid) || load_sensors_has(&x->sensors, pid) ||
           pid == x->renewal || pid == x->carrier_process;
}

static uint32_t kill_adopted(const struct execd *x)
{
    struct process_list children = { 0 };
    uint32_t n = 0;
    (void)os_children(getpid(), &children);
    for (uint32_t i = 0; i < children.n; i++)
        if (!is_shepherd(x, children.v[i]) && !is_helper(x, children.v[i]))
            n += privilege_kill_child(children.v[i]);
    process_list_free(&children);
    return n;
}

/* another cell on this machine may hand out the same group ids: what has a shepherd is looked
 * after by that */
static uint32_t kill_marked(gid_t group, const char *variable)
{
    struct process_list marked = { 0 };
    uint32_t n = 0;
    os_processes_of(group, variable, &marked);
    for (uint32_t i = 0; i < marked.n; i++)
        if (!os_stands_below(marked.v[i], "sge_shepherd"))
            n += privilege_kill_marked(marked.v[i], group, variable);
    process_list_free(&marked);
    return n;
}

/* ---- the thread that searches ---- */

static void search_release(struct orphan_search *s)
{
    if (--s->holders > 0)
        return;
    free(s->variable);
    free(s);
}

static void *run_search(void *arg)
{
    struct orphan_search *s = arg;
    log_thread("orphans");
    s->n = kill_marked(s->group, s->variable);
    s->is_over = true;
    search_release(s);
    return NULL;
}

/* NULL: there is no thread for it now */
static struct orphan_search *search_new(const struct exec_task *t)
{
    struct orphan_search *s = uti_calloc(1, sizeof *s);
    struct dstr variable = DSTR_INIT;
    pthread_attr_t attr;
    pthread_t thread;
    dstr_addf(&variable, "SGE_JOB_SPOOL_DIR=%s/%s", t->x->dir.active_path, t->name);
    *s = (struct orphan_search){ .holders = 2,
                                 .group = t->additional_gid,
                                 .variable = dstr_take(&variable),
                                 .begun_us = uti_mono_us() };
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    bool is_started = pthread_create(&thread, &attr, run_search, s) == 0;
    pthread_attr_destroy(&attr);
    if (is_started)
        return s;
    s->holders = 1;
    search_release(s);
    return NULL;
}

void orphans_forget(struct exec_task *t)
{
    if (t->search != NULL)
        search_release(t->search);
    t->search = NULL;
}

/* how many a search has found since the last call; 1 while it looks for them */
static uint32_t search_marked(struct exec_task *t)
{
    struct orphan_search *s = t->search;
    if (s == NULL) {
        t->search = search_new(t);
        return 1;
    }
    if (s->is_over) {
        uint32_t n = s->n;
        orphans_forget(t);
        return n;
    }
    if (uti_mono_us() - s->begun_us < SEARCH_MOST_US)
        return 1;
    if (!s->is_given_up)
        log_msg(LOG_LEVEL_WARNING, MSG_SEARCH_LONG_S, t->name);
    s->is_given_up = true;
    return s->group != 0 ? kill_marked(s->group, NULL) : 0;
}

/* returns 1 while there is anybody in it: how many is not known */
static uint32_t kill_cgroup(const struct exec_task *t)
{
    int fd = t->cgroup != NULL ? cgroup_open(t->cgroup) : -1;
    if (fd < 0)
        return 0;
    bool is_populated = cgroup_is_populated(fd);
    if (is_populated)
        (void)privilege_kill_cgroup(fd);
    close(fd);
    return is_populated;
}

void orphans_remove_cgroup(const struct exec_task *t)
{
    if (t->cgroup != NULL)
        (void)cgroup_remove(t->cgroup);
}

void orphans_reap(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

uint32_t orphans_kill(struct exec_task *t, bool with_unmarked)
{
    uint32_t grouped = kill_cgroup(t);
    orphans_reap();
    uint32_t adopted = kill_adopted(t->x);
    uint32_t others = search_marked(t) + (with_unmarked ? adopted : 0);
    return others > grouped ? others : grouped;
}
