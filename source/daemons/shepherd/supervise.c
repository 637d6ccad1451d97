/* Children and signals. All signals stay blocked and are taken one at a time with sigtimedwait, so
 * that there are no handlers and no races with them. */
#include "daemons/shepherd/supervise.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "libs/uti/time.h"

void supervise_block(void)
{
    sigset_t all;
    sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
}

bool supervise_reap(struct supervisor *s)
{
    struct rusage used;
    int status;
    pid_t pid;
    while ((pid = wait4(-1, &status, WNOHANG, &used)) > 0) {
        usage_add(s->usage, &used);
        for (int i = 0; i < SUPERVISE_CHILDREN; i++)
            if (s->child[i].pid == pid && !s->child[i].is_done) {
                s->child[i].is_done = true;
                s->child[i].wait_status = status;
            }
    }
    return pid == 0;
}

static void add_signals(sigset_t *set, const int *signals, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sigaddset(set, signals[i]);
}

/* what a shepherd answers to; the rest stays pending for ever */
static void signals_of_interest(sigset_t *set, enum supervise_for what)
{
    static const int ending[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
    static const int for_job[] = { SIGTTIN, SIGTTOU, SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2 };
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    if (what >= SUPERVISE_ENDING)
        add_signals(set, ending, ARRAY_LEN(ending));
    if (what >= SUPERVISE_ANY)
        add_signals(set, for_job, ARRAY_LEN(for_job));
}

int supervise_sleep(uint64_t until_us, enum supervise_for what)
{
    sigset_t set;
    signals_of_interest(&set, what);
    for (;;) {
        uint64_t now_us = uti_mono_us();
        uint64_t left_us = until_us > now_us ? until_us - now_us : 0;
        struct timespec left = { (time_t)(left_us / 1000000), (long)(left_us % 1000000) * 1000 };
        int sig =
            until_us == UINT64_MAX ? sigwaitinfo(&set, NULL) : sigtimedwait(&set, NULL, &left);
        if (sig > 0)
            return sig;
        if (errno == EAGAIN)
            return 0;
    }
}
