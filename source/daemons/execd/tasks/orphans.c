/* Finding the processes of a task without its shepherd. Our children that are neither shepherds,
 * removals, load sensors nor the renewal of the certificate can only be what dead shepherds left:
 * execd starts nothing else. After a restart of execd they have fallen to init; then the group and
 * the environment tell. */
#include "daemons/execd/tasks/orphans.h"

#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/privilege.h"
#include "daemons/execd/tables/task_table.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/process.h"

static bool is_shepherd(const struct execd *x, pid_t pid)
{
    for (const struct task *t = task_first(x); t != NULL; t = task_next(t))
        if (t->shepherd != NULL && shepherd_pid(t->shepherd) == pid)
            return true;
    return shepherds_have(&x->shepherds, pid);
}

static bool is_helper(const struct execd *x, pid_t pid)
{
    return removals_has(&x->removals, pid) || load_sensors_has(&x->sensors, pid) ||
           pid == x->renewal;
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
static uint32_t kill_marked(const struct task *t)
{
    struct process_list marked = { 0 };
    struct dstr variable = DSTR_INIT;
    uint32_t n = 0;
    dstr_addf(&variable, "SGE_JOB_SPOOL_DIR=%s/%s", t->x->dir.active_path, t->name);
    os_processes_of(t->additional_gid, dstr_get(&variable), &marked);
    for (uint32_t i = 0; i < marked.n; i++)
        if (!os_stands_below(marked.v[i], "sge_shepherd"))
            n += privilege_kill_marked(marked.v[i], t->additional_gid, dstr_get(&variable));
    dstr_free(&variable);
    process_list_free(&marked);
    return n;
}

/* returns 1 while there is anybody in it: how many is not known */
static uint32_t kill_cgroup(const struct task *t)
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

void orphans_remove_cgroup(const struct task *t)
{
    if (t->cgroup != NULL)
        (void)cgroup_remove(t->cgroup);
}

void orphans_reap(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

uint32_t orphans_kill(struct task *t, bool with_unmarked)
{
    uint32_t grouped = kill_cgroup(t);
    orphans_reap();
    uint32_t adopted = kill_adopted(t->x);
    uint32_t others = kill_marked(t) + (with_unmarked ? adopted : 0);
    return others > grouped ? others : grouped;
}
