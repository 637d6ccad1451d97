/* Who has which shepherd. One that has a task belongs to that; a spare, and one that was told to
 * end, to us until its end has been seen. The end of the line says less than that of the process,
 * which alone counts. */
#include "daemons/execd/host/shepherds.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/privilege.h"
#include "libs/comm/loop.h"
#include "libs/task/task_line.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

struct shepherd {
    struct shepherds *of;
    void *task; /* NULL: none */
    uid_t user; /* whose tasks it has had */
    pid_t pid;
    int pidfd, line; /* -1: none */
    struct loop_watch *end, *word;
    bool is_free;      /* it has said so since it was given its task */
    bool is_old;       /* the task is not its first */
    bool is_signalled; /* by us, in any of its tasks */
    uint32_t version;  /* that of struct shepherds when it was started */
    uint64_t spare_us; /* monotonic: since when */
    TAILQ_ENTRY(shepherd) next;
};

static void close_line(struct shepherd *s)
{
    loop_watch_free(s->word);
    s->word = NULL;
    if (s->line >= 0)
        close(s->line);
    s->line = -1;
}

void shepherd_forget(struct shepherd *s)
{
    if (s == NULL)
        return;
    close_line(s);
    loop_watch_free(s->end);
    if (s->pidfd >= 0)
        close(s->pidfd);
    free(s);
}

/* ---- spares ---- */

static void remove_spare(struct shepherd *s)
{
    TAILQ_REMOVE(&s->of->spare, s, next);
    s->of->n_spare--;
}

/* it ends when it sees the end of its line */
static void send_away(struct shepherd *s)
{
    close_line(s);
    TAILQ_INSERT_TAIL(&s->of->going, s, next);
}

static void on_spare_timer(void *ctx)
{
    struct shepherds *h = ctx;
    struct shepherd *s;
    uint64_t now_us = uti_mono_us();
    while ((s = TAILQ_LAST(&h->spare, shepherd_queue)) != NULL &&
           now_us - s->spare_us >= SHEPHERDS_SPARE_US) {
        remove_spare(s);
        send_away(s);
    }
    if (s != NULL)
        loop_timer_set(h->timer, SHEPHERDS_SPARE_US - (now_us - s->spare_us));
}

static void add_spare(struct shepherd *s)
{
    struct shepherds *h = s->of;
    s->spare_us = uti_mono_us();
    TAILQ_INSERT_HEAD(&h->spare, s, next);
    if (h->n_spare++ == 0)
        loop_timer_set(h->timer, SHEPHERDS_SPARE_US);
}

void shepherd_release(struct shepherd *s)
{
    if (s == NULL)
        return;
    s->task = NULL;
    if (!s->is_free)
        shepherd_forget(s);
    else if (s->is_signalled || s->version != s->of->version || s->of->pag != NULL ||
             s->of->n_spare == SHEPHERDS_SPARE_MOST)
        send_away(s);
    else
        add_spare(s);
}

/* ---- what a shepherd says, and its end ---- */

static bool is_spare(const struct shepherd *s)
{
    return s->task == NULL && s->line >= 0;
}

static void on_end(void *ctx)
{
    struct shepherd *s = ctx;
    s->is_free = false;
    if (s->task != NULL) {
        s->of->over(s->task);
        return;
    }
    if (is_spare(s))
        remove_spare(s);
    else
        TAILQ_REMOVE(&s->of->going, s, next);
    (void)waitpid(s->pid, NULL, WNOHANG);
    shepherd_forget(s);
}

static void on_word(void *ctx)
{
    struct shepherd *s = ctx;
    bool is_expected = s->task != NULL && !s->is_free;
    s->is_free = is_expected && task_line_hear_free(s->line);
    if (s->is_free)
        s->of->over(s->task);
    else if (s->task != NULL)
        close_line(s); /* it is about to end */
    else {
        remove_spare(s);
        send_away(s);
    }
}

static void watch_process(struct shepherd *s)
{
    if (s->pidfd >= 0)
        s->end = loop_watch_read(s->of->loop, s->pidfd, on_end, s);
    if (s->end == NULL)
        close_line(s); /* its end would not be seen, had it another task */
    else if (s->line >= 0)
        s->word = loop_watch_read(s->of->loop, s->line, on_word, s);
}

/* ---- tasks ---- */

static struct shepherd *give_to_spare(struct shepherds *h, uid_t user, int dir_fd, int pid_fd)
{
    struct shepherd *s;
    TAILQ_FOREACH(s, &h->spare, next)
        if (s->user == user && task_line_give(s->line, dir_fd, pid_fd) == 0) {
            remove_spare(s);
            s->is_free = false;
            s->is_old = true;
            return s;
        }
    return NULL;
}

static struct shepherd *start_new(struct shepherds *h, uid_t user, int dir_fd, int pid_fd,
                                  struct answer *ans)
{
    int own, shepherds;
    if (task_line_new(&own, &shepherds) != 0)
        return ans_sys_null(ans, errno, MSG_SPAWN_S, h->program);
    const char *program = h->command != NULL ? h->command : h->program;
    pid_t pid = privilege_spawn(program, h->pag, dir_fd, pid_fd, shepherds, ans);
    close(shepherds);
    if (pid < 0) {
        close(own);
        return NULL;
    }
    struct shepherd *s = uti_calloc(1, sizeof *s);
    *s = (struct shepherd){ .of = h, .user = user, .pid = pid, .line = own, .version = h->version };
    s->pidfd = os_pidfd_open(pid); /* it is a child that was not waited for */
    watch_process(s);
    return s;
}

struct shepherd *shepherds_start(struct shepherds *h, uid_t user, int dir_fd, int pid_fd,
                                 void *task, struct answer *ans)
{
    struct shepherd *s = give_to_spare(h, user, dir_fd, pid_fd);
    if (s == NULL)
        s = start_new(h, user, dir_fd, pid_fd, ans);
    if (s != NULL)
        s->task = task;
    return s;
}

struct shepherd *shepherds_find(struct shepherds *h, pid_t pid, int pidfd, void *task)
{
    struct shepherd *s = uti_calloc(1, sizeof *s);
    *s = (struct shepherd){ .of = h, .task = task, .pid = pid, .pidfd = pidfd, .line = -1 };
    watch_process(s);
    if (shepherd_is_watched(s))
        return s;
    shepherd_forget(s);
    return NULL;
}

bool shepherd_is_watched(const struct shepherd *s)
{
    return s->end != NULL;
}

pid_t shepherd_pid(const struct shepherd *s)
{
    return s->pid;
}

bool shepherd_is_free(const struct shepherd *s)
{
    return s->is_free;
}

bool shepherd_is_old(const struct shepherd *s)
{
    return s->is_old;
}

int shepherd_signal(struct shepherd *s, int sig)
{
    s->is_signalled = true;
    return os_pidfd_signal(s->pidfd, sig);
}

/* ---- all of them ---- */

void shepherds_init(struct shepherds *h, struct loop *loop, const char *program,
                    shepherd_over_fn *over)
{
    *h = (struct shepherds){ .loop = loop, .program = program, .over = over };
    TAILQ_INIT(&h->spare);
    TAILQ_INIT(&h->going);
    h->timer = loop_timer_new(loop, on_spare_timer, h);
}

/* they have no task, and would end by themselves; who stops an execd wants nothing left of it */
static void end_all(struct shepherd_queue *queue)
{
    struct shepherd *s;
    while ((s = TAILQ_FIRST(queue)) != NULL) {
        TAILQ_REMOVE(queue, s, next);
        if (os_pidfd_signal(s->pidfd, SIGKILL) == 0)
            (void)waitpid(s->pid, NULL, 0);
        shepherd_forget(s);
    }
}

void shepherds_free(struct shepherds *h)
{
    if (h->loop == NULL)
        return;
    end_all(&h->spare);
    end_all(&h->going);
    loop_timer_free(h->timer);
    free(h->command);
    free(h->pag);
    *h = (struct shepherds){ 0 };
}

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

void shepherds_use(struct shepherds *h, const char *command, const char *pag)
{
    struct shepherd *s;
    if (is_same(h->command, command) && is_same(h->pag, pag))
        return;
    while ((s = TAILQ_FIRST(&h->spare)) != NULL) {
        remove_spare(s);
        send_away(s);
    }
    free(h->command);
    free(h->pag);
    h->command = command != NULL ? uti_strdup(command) : NULL;
    h->pag = pag != NULL ? uti_strdup(pag) : NULL;
    h->version++; /* those with a task do not stay as spares */
}

static bool has_pid(const struct shepherd_queue *queue, pid_t pid)
{
    const struct shepherd *s;
    TAILQ_FOREACH(s, queue, next)
        if (s->pid == pid)
            return true;
    return false;
}

bool shepherds_have(const struct shepherds *h, pid_t pid)
{
    return has_pid(&h->spare, pid) || has_pid(&h->going, pid);
}
