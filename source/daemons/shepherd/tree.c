/* Signals to all processes of the job. A snapshot may miss a process that is just being forked;
 * stopping everybody, again and again until a look finds nobody new, leaves no one who could fork.
 * Processes of the tree that this shepherd may not signal (set-user-id programs in a cell of an
 * ordinary user) are passed over. */
#include "daemons/shepherd/tree.h"

#include <signal.h>

#include "daemons/shepherd/job_cgroup.h"
#include "daemons/shepherd/privilege.h"

enum { STOP_ROUNDS_MAX = 50 };

/* stop everybody; returns how many the last look found */
static uint32_t stop_all(void)
{
    uint32_t before = 0;
    for (int round = 0; round < STOP_ROUNDS_MAX; round++) {
        uint32_t found = privilege_signal_below(SIGSTOP);
        if (round > 0 && found <= before)
            return found;
        before = found;
    }
    return before;
}

void tree_signal(int sig)
{
    if (sig == SIGSTOP)
        (void)stop_all();
    else
        (void)privilege_signal_below(sig);
}

uint32_t tree_kill(const struct job_cgroup *cgroup)
{
    job_cgroup_kill(cgroup);
    (void)stop_all();
    return privilege_signal_below(SIGKILL);
}
