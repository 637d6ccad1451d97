/* Signals to all processes of the job. A snapshot may miss a process that is just being forked; stopping everybody, again and
 * again until a look finds nobody new, leaves no one who could fork. Processes of the tree that this shepherd may not signal
 * (set-user-id programs in a cell of an ordinary user) are passed over. */
#include "daemons/shepherd/tree.h"

#include <signal.h>
#include <unistd.h>

#include "daemons/shepherd/privilege.h"
#include "libs/uti/process.h"

enum { STOP_ROUNDS_MAX = 50 };

static void find_all(struct process_list *found)
{
    found->n = 0;
    process_descendants(getpid(), found);
}

static void signal_all(const struct process_list *found, int sig)
{
    pid_t self = getpid();
    for (uint32_t i = 0; i < found->n; i++)
        if (found->v[i] != self)
            (void)privilege_signal(found->v[i], sig);
}

/* stop everybody; FOUND is the last look */
static void stop_all(struct process_list *found)
{
    uint32_t before = 0;
    for (int round = 0; round < STOP_ROUNDS_MAX; round++) {
        find_all(found);
        signal_all(found, SIGSTOP);
        if (round > 0 && found->n <= before)
            return;
        before = found->n;
    }
}

void tree_signal(int sig)
{
    struct process_list found = { 0 };
    if (sig == SIGSTOP) {
        stop_all(&found);
    } else {
        find_all(&found);
        signal_all(&found, sig);
    }
    process_list_free(&found);
}

uint32_t tree_kill(void)
{
    struct process_list found = { 0 };
    stop_all(&found);
    signal_all(&found, SIGKILL);
    uint32_t n = found.n;
    process_list_free(&found);
    return n;
}
