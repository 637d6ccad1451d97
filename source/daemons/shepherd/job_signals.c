/* From a signal that the shepherd got to what happens to the job: its methods, or signals to its
 * processes. */
#include "daemons/shepherd/job_signals.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "daemons/shepherd/hooks.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/shepherd.h"
#include "daemons/shepherd/tree.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"

/* the signal that the execd left in a file, as a shepherd cannot be sent every signal; 0 if
 * there is none */
static int read_signal_file(void)
{
    struct dstr text = DSTR_INIT;
    uint32_t sig = 0;
    if (file_read(TASK_FILE_SIGNAL, 16, &text, NULL) == 0 && text.s != NULL) {
        text.s[strcspn(text.s, "\n")] = '\0';
        if (!parse_u32(text.s, &sig) || sig >= (uint32_t)SIGRTMAX)
            sig = 0;
        (void)unlink(TASK_FILE_SIGNAL);
    }
    dstr_free(&text);
    return (int)sig;
}

void job_signal(struct shepherd *s, int sig)
{
    const struct supervised *child = &s->supervisor.child[SUPERVISE_JOB];
    pid_t job = child->pid;
    trace_add(&s->trace, MSG_TRACE_SEND_SIGNAL_I, sig);
    if (sig == SIGSTOP) {
        if (!hook_method(s, "suspend_method"))
            tree_signal(SIGSTOP);
    } else if (sig == SIGCONT) {
        if (!hook_method(s, "resume_method"))
            tree_signal(SIGCONT);
    } else if (sig == SIGKILL) {
        if (s->is_limit_reached || !hook_method(s, "terminate_method"))
            (void)tree_kill(&s->cgroup);
    } else if (sig > 0 && !child->is_done && privilege_signal(-job, sig) != 0) {
        (void)privilege_signal(job, sig); /* its process has not made its group yet */
    }
}

/* do what a signal to us asks for */
static void obey_signal(struct shepherd *s, int sig)
{
    int from_file;
    trace_add(&s->trace, MSG_TRACE_GOT_SIGNAL_I, sig);
    switch (sig) {
    case SIGTTOU:
    case SIGTSTP:
        job_signal(s, SIGSTOP);
        break;
    case SIGCONT:
        job_signal(s, SIGCONT);
        if ((from_file = read_signal_file()) != 0) /* the kernel drops a pending SIGTTIN */
            job_signal(s, from_file);
        break;
    case SIGTTIN:
        if ((from_file = read_signal_file()) != 0)
            job_signal(s, from_file);
        break;
    case SIGUSR1:
    case SIGUSR2:
        job_signal(s, sig);
        break;
    default:
        job_signal(s, SIGKILL);
    }
}

void job_take_signal(struct shepherd *s, int sig)
{
    if (sig == SIGCHLD)
        return;
    obey_signal(s, sig);
    while (s->is_terminated) { /* asked while a method ran */
        s->is_terminated = false;
        job_signal(s, SIGKILL);
    }
}
