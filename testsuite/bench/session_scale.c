/* session_scale - what sessions that keep ends cost the core of the qmaster
 *
 * 20,000 tasks of array jobs run and end in turns, in the qmaster of the tests (fixture.h):
 * processor time of the core, without committer and network. Each figure is a line: name and
 * seconds for a task that starts and ends. one_job, jobs: one job, or 1,000, without a session;
 * one_session, sessions: the same, each job in a session of its own that a client watches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/test/ends_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"

enum { SESSIONS = 1000, TASKS = 20000, TASKS_A_TURN = 100, KEY_BYTES = 16 };

static double thread_s(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static unsigned long n_sent; /* frames to clients */

static void settle(struct fixture *f)
{
    fixture_commit(f);
    n_sent += f->n_sent;
    fixture_forget_sent(f);
}

/* job I is in session "sI", which is watched, if there are sessions */
static void submit_jobs(struct fixture *f, unsigned jobs, bool has_sessions)
{
    char key[KEY_BYTES];
    f->q.settings.user_sessions = jobs;
    for (unsigned i = 1; i <= jobs; i++) {
        (void)snprintf(key, sizeof key, "s%u", i);
        if (has_sessions)
            ask_session(f, "alice", 1, GDI_ADD, key);
        ask_submit(f, "alice", 2, TASKS / jobs, has_sessions ? key : NULL, 0, NULL);
        if (has_sessions)
            ask_watch(f, "alice", 3, key, 0);
        settle(f);
    }
}

static void measure(const char *name, unsigned jobs, bool has_sessions)
{
    void *state = NULL;
    fixture_setup(&state);
    struct fixture *f = state;
    submit_jobs(f, jobs, has_sessions);
    double took = 0;
    n_sent = 0;
    for (unsigned n = 0; n < TASKS; n++) {
        double from = thread_s();
        fixture_run(f, n % jobs + 1, n / jobs + 1, 0);
        if (n % TASKS_A_TURN == TASKS_A_TURN - 1)
            core_hand_over(&f->q);
        took += thread_s() - from;
        if (n % TASKS_A_TURN == TASKS_A_TURN - 1)
            settle(f);
    }
    if (has_sessions && n_sent < TASKS)
        exit(1); /* clients have not heard of all ends: the figure is of nothing */
    printf("%s %.9f\n", name, took / TASKS);
    fixture_teardown(&state);
}

int main(void)
{
    measure("one_job", 1, false);
    measure("one_session", 1, true);
    measure("jobs", SESSIONS, false);
    measure("sessions", SESSIONS, true);
    return 0;
}
