/* The scheduler's keeper. The socketpair is made anew for each process: one that has ended, or an
 * orphan of another qmaster, has none. So is the memory in which it shows the job that it is
 * looking at; it is read like a file, so that nothing done to it at the other end hurts. A schedd
 * that dies at once is started again ever more slowly, up to once in MOST_PAUSE_MS. */
#include "daemons/qmaster/sched/schedd.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemons/qmaster/sched/msg_sched.h"
#include "libs/gdi/message.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

/* END_MS: how long it may take to end when it is asked to */
enum { FIRST_PAUSE_MS = 50, MOST_PAUSE_MS = 5000, LONG_LIFE_US = 10000000, END_MS = 500 };
extern char **environ;

struct schedd {
    char *program;
    schedd_adopt_fn *adopt;
    void *adopt_ctx;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t stop;
    pid_t pid;           /* 0 = not running */
    int shown_fd;        /* where the last one shows its job; -1: nowhere */
    uint32_t crashed_at; /* the job that it showed when it crashed; 0: none */
    bool is_stopping;
    bool is_held; /* none is to run */
};

/* 0, or an errno; THEIRS becomes descriptor GDI_SCHEDD_FD of the process, SHOWN_FD, taken and
 * higher, becomes GDI_SCHEDD_JOB_FD unless it is -1, and it inherits nothing else */
static int spawn_schedd(struct schedd *s, int theirs, int shown_fd)
{
    char *argv[] = { s->program, NULL };
    sigset_t none;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t files;
    pid_t pid = 0;
    sigemptyset(&none);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, theirs, GDI_SCHEDD_FD);
    if (shown_fd >= 0)
        posix_spawn_file_actions_adddup2(&files, shown_fd, GDI_SCHEDD_JOB_FD);
    pthread_mutex_lock(&s->lock);
    if (s->shown_fd >= 0)
        close(s->shown_fd);
    s->shown_fd = shown_fd;
    bool is_wanted = !s->is_stopping && !s->is_held;
    int err = is_wanted ? posix_spawn(&pid, s->program, &files, &attr, argv, environ) : ECANCELED;
    if (err == 0)
        s->pid = pid;
    pthread_mutex_unlock(&s->lock);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    return err;
}

static bool start_schedd(struct schedd *s)
{
    int ends[2];
    int err = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) {
        err = errno;
    } else {
        int shown_fd = os_shared_memory(sizeof(uint32_t), GDI_SCHEDD_JOB_FD);
        if (shown_fd < 0)
            log_msg(LOG_LEVEL_WARNING, MSG_SCHEDD_SHOWS_NOTHING_S, strerror(errno));
        err = spawn_schedd(s, ends[1], shown_fd);
        close(ends[1]);
        if (err == 0)
            s->adopt(s->adopt_ctx, ends[0]);
        else
            close(ends[0]);
    }
    if (err != 0 && err != ECANCELED)
        log_msg(LOG_LEVEL_ERROR, MSG_SCHEDD_START_SS, s->program, strerror(err));
    return err == 0;
}

static uint32_t shown_job(const struct schedd *s)
{
    uint32_t job = 0;
    if (s->shown_fd < 0 || pread(s->shown_fd, &job, sizeof job, 0) != sizeof job)
        return 0;
    return job;
}

/* by a fault of its own: nobody sends it these signals */
static bool is_crash(int status)
{
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGABRT;
}

static void wait_for_end(struct schedd *s)
{
    siginfo_t info;
    int status = 0;
    while (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    pthread_mutex_lock(
        &s->lock); /* reaped under the lock, so that schedd_stop cannot signal a pid that is somebody else's by now */
    waitpid(s->pid, &status, 0);
    s->pid = 0;
    if (is_crash(status))
        s->crashed_at = shown_job(s);
    pthread_cond_broadcast(&s->stop);
    bool is_expected = s->is_stopping || s->is_held;
    pthread_mutex_unlock(&s->lock);
    if (!is_expected) /* 0: its connection ended, so that it starts anew */
        log_msg(status == 0 ? LOG_LEVEL_INFO : LOG_LEVEL_ERROR, MSG_SCHEDD_ENDED_D, status);
}

static struct timespec after_ms(unsigned ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + (uint64_t)ms * 1000000;
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    return until;
}

/* MS, and as long as none is to run; true when it is time to end */
static bool pause_ms(struct schedd *s, unsigned ms)
{
    struct timespec until = after_ms(ms);
    pthread_mutex_lock(&s->lock);
    while (!s->is_stopping && pthread_cond_timedwait(&s->stop, &s->lock, &until) == 0)
        ;
    while (!s->is_stopping && s->is_held)
        pthread_cond_wait(&s->stop, &s->lock);
    bool is_over = s->is_stopping;
    pthread_mutex_unlock(&s->lock);
    return is_over;
}

static void *keep_running(void *ctx)
{
    struct schedd *s = ctx;
    unsigned pause = FIRST_PAUSE_MS;
    log_thread("keeper");
    do {
        uint64_t at_us = uti_mono_us();
        if (start_schedd(s))
            wait_for_end(s);
        if (uti_mono_us() - at_us > LONG_LIFE_US)
            pause = FIRST_PAUSE_MS;
        else if (pause < MOST_PAUSE_MS)
            pause *= 2;
    } while (!pause_ms(s, pause));
    return NULL;
}

struct schedd *schedd_keep(const char *program, schedd_adopt_fn *adopt, void *ctx)
{
    struct schedd *s = uti_calloc(1, sizeof *s);
    pthread_condattr_t attr;
    s->program = uti_strdup(program);
    s->adopt = adopt;
    s->adopt_ctx = ctx;
    s->shown_fd = -1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&s->stop, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&s->thread, NULL, keep_running, s) == 0)
        return s;
    log_msg(LOG_LEVEL_CRITICAL, MSG_THREAD_S, "keeper");
    free(s->program);
    free(s);
    return NULL;
}

uint32_t schedd_shown_job(struct schedd *s)
{
    if (s == NULL || pthread_mutex_trylock(&s->lock) != 0)
        return 0; /* the keeper starts a process, for as long as its file takes to load */
    uint32_t job = shown_job(s);
    pthread_mutex_unlock(&s->lock);
    return job;
}

uint32_t schedd_take_crash(struct schedd *s)
{
    if (s == NULL)
        return 0;
    pthread_mutex_lock(&s->lock);
    uint32_t job = s->crashed_at;
    s->crashed_at = 0;
    pthread_mutex_unlock(&s->lock);
    return job;
}

void schedd_kill(struct schedd *s)
{
    if (s == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    if (s->pid > 0)
        kill(s->pid, SIGKILL);
    pthread_mutex_unlock(&s->lock);
}

bool schedd_hold(struct schedd *s)
{
    if (s == NULL)
        return false;
    pthread_mutex_lock(&s->lock);
    bool is_change = !s->is_held;
    s->is_held = true;
    if (s->pid > 0)
        kill(s->pid, SIGKILL); /* it has nothing to lose */
    pthread_mutex_unlock(&s->lock);
    return is_change;
}

bool schedd_release(struct schedd *s)
{
    if (s == NULL)
        return false;
    pthread_mutex_lock(&s->lock);
    bool is_change = s->is_held;
    s->is_held = false;
    pthread_cond_broadcast(&s->stop);
    pthread_mutex_unlock(&s->lock);
    return is_change;
}

/* SIGTERM, and SIGKILL for one that does not hear it in time: it has nothing to lose (under the
 * lock) */
static void end_process(struct schedd *s)
{
    struct timespec until = after_ms(END_MS);
    if (s->pid > 0)
        kill(s->pid, SIGTERM);
    while (s->pid > 0 && pthread_cond_timedwait(&s->stop, &s->lock, &until) == 0)
        ;
    if (s->pid > 0)
        kill(s->pid, SIGKILL);
}

void schedd_stop(struct schedd *s)
{
    if (s == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    s->is_stopping = true;
    pthread_cond_broadcast(&s->stop);
    end_process(s);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->stop);
    pthread_mutex_destroy(&s->lock);
    if (s->shown_fd >= 0)
        close(s->shown_fd);
    free(s->program);
    free(s);
}
