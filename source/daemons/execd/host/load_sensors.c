/* The set of load sensors: which there are, and when one is asked, replaced or started again. */
#include "daemons/execd/host/load_sensors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/privilege.h"
#include "daemons/execd/host/user.h"
#include "libs/comm/loop.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"

/* ---- the process of a sensor ---- */
/* One sensor's process. It has a session of its own, reads our lines and prints reports through two
 * pipes, and is watched by a pidfd. One that has to go hears "quit" and the end of its input;
 * LEAVE_US later it is killed. Nothing here waits for a sensor: a full pipe to it means that it
 * reads nothing, and counts as no answer. */

enum { LEAVE_US = 5 * 1000000, READ_BYTES = 16384, READS_A_TURN = 8 };

struct load_sensor *sensor_new(const struct sensor_place *place, const char *path, size_t len)
{
    struct load_sensor *s = uti_calloc(1, sizeof *s);
    *s = (struct load_sensor){
        .place = place, .path = uti_strndup(path, len), .in = -1, .out = -1, .pidfd = -1
    };
    return s;
}

static void close_pipe(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void forget_process(struct load_sensor *s)
{
    loop_watch_free(s->output);
    loop_watch_free(s->end);
    s->output = s->end = NULL;
    close_pipe(&s->in);
    close_pipe(&s->out);
    close_pipe(&s->pidfd);
    s->pid = 0;
}

static void free_sensor(struct load_sensor *s)
{
    forget_process(s);
    loop_timer_free(s->kill_timer);
    sensor_text_free(&s->text);
    free(s->path);
    free(s);
}

/* and what it started, as far as that stayed in its process group */
static void signal_process(const struct load_sensor *s, int sig)
{
    if (s->pidfd >= 0 && os_pidfd_signal(s->pidfd, sig) == 0)
        (void)kill(-s->pid, sig);
}

static void say_line(const struct load_sensor *s, const char *line)
{
    if (s->in >= 0 && write(s->in, line, strlen(line)) < 0 && errno != EAGAIN && errno != EPIPE)
        log_msg(LOG_LEVEL_WARNING, MSG_SENSOR_INPUT_SS, s->path, strerror(errno));
}

void sensor_drop_values(struct load_sensor *s)
{
    if (s->text.whole.n == 0)
        return;
    sensor_values_free(&s->text.whole);
    s->place->changed(s->place->ctx);
}

static void note_bad_lines(struct load_sensor *s)
{
    if (s->text.n_bad == 0 || s->text.bad.len == 0)
        return;
    log_msg(LOG_LEVEL_WARNING, MSG_SENSOR_LINE_SS, s->path, dstr_get(&s->text.bad));
    dstr_free(&s->text.bad); /* once is enough */
}

static void note_other_hosts(struct load_sensor *s)
{
    const struct sensor_values *l = &s->text.whole;
    for (uint32_t i = 0; i < l->n && !s->has_other_hosts; i++) {
        s->has_other_hosts = !host_name_equal(l->v[i].host, s->place->host) &&
                             strcmp(l->v[i].host, HOST_OF_CELL) != 0;
        if (s->has_other_hosts) /* once is enough */
            log_msg(LOG_LEVEL_WARNING, MSG_SENSOR_HOST_SS, s->path, l->v[i].host);
    }
}

static void on_output(void *ctx)
{
    struct load_sensor *s = ctx;
    char data[READ_BYTES];
    uint32_t n_whole = 0;
    ssize_t n = 1;
    for (int i = 0; i < READS_A_TURN && n > 0; i++) {
        n = read(s->out, data, sizeof data);
        if (n > 0)
            n_whole += sensor_text_add(&s->text, data, (size_t)n);
    }
    if (n == 0) { /* it will print no more; its end is noticed by itself */
        loop_watch_free(s->output);
        s->output = NULL;
    }
    note_bad_lines(s);
    if (n_whole > 0) {
        note_other_hosts(s);
        s->n_silent = 0;
        s->place->changed(s->place->ctx);
    }
}

static void on_end(void *ctx)
{
    struct load_sensor *s = ctx;
    if (s->output != NULL)
        on_output(s);                     /* its last words */
    (void)waitpid(s->pid, NULL, WNOHANG); /* unless a wait for all children was quicker */
    forget_process(s);
    if (s->kill_timer != NULL) {
        TAILQ_REMOVE(s->leaving, s, next);
        free_sensor(s);
    } else {
        log_msg(LOG_LEVEL_INFO, MSG_SENSOR_ENDED_S, s->path);
    }
}

static void on_kill_timer(void *ctx)
{
    signal_process(ctx, SIGKILL);
}

void sensor_let_go(struct load_sensor *s, struct load_sensor_list *leaving)
{
    sensor_drop_values(s);
    if (s->pid == 0) {
        free_sensor(s);
        return;
    }
    say_line(s, "quit\n");
    close_pipe(&s->in);
    s->kill_timer = loop_timer_new(s->place->loop, on_kill_timer, s);
    loop_timer_set(s->kill_timer, LEAVE_US);
    s->leaving = leaving;
    TAILQ_INSERT_TAIL(leaving, s, next);
}

void sensor_end(struct load_sensor *s)
{
    say_line(s, "quit\n");
    signal_process(s, SIGTERM);
    free_sensor(s);
}

void sensor_kill(const struct load_sensor *s)
{
    signal_process(s, SIGKILL);
}

void sensor_ask(const struct load_sensor *s)
{
    say_line(s, "\n");
}

/* ---- starting ---- */

static int open_pipes(int in[2], int out[2])
{
    if (pipe2(in, O_CLOEXEC) != 0)
        return -1;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return -1;
    }
    return 0;
}

static void watch_process(struct load_sensor *s)
{
    struct loop *loop = s->place->loop;
    (void)fcntl(s->in, F_SETFL, O_NONBLOCK);
    (void)fcntl(s->out, F_SETFL, O_NONBLOCK);
    s->pidfd = os_pidfd_open(s->pid);
    s->output = loop_watch_read(loop, s->out, on_output, s);
    if (s->pidfd >= 0)
        s->end = loop_watch_read(loop, s->pidfd, on_end, s);
}

static int start_process(struct load_sensor *s, const struct user *user, struct answer *ans)
{
    const struct sensor_place *place = s->place;
    int in[2], out[2];
    if (open_pipes(in, out) != 0)
        return ans_sys(ans, errno, MSG_SENSOR_START_S, s->path);
    struct sensor_order order = { .path = s->path,
                                  .sge_root = place->sge_root,
                                  .sge_cell = place->sge_cell,
                                  .in_fd = in[0],
                                  .out_fd = out[1],
                                  .user = user };
    s->pid = privilege_spawn_sensor(&order, ans);
    close(in[0]);
    close(out[1]);
    s->in = in[1];
    s->out = out[0];
    if (s->pid > 0)
        watch_process(s);
    else
        forget_process(s);
    return s->pid > 0 ? 0 : -1;
}

int sensor_start(struct load_sensor *s, const struct user *user, struct answer *ans)
{
    if (user != NULL && user->error != NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_SENSOR_USER_SS, s->path, user->error);
    if (stat(s->path, &s->file) != 0)
        return ans_sys(ans, errno, MSG_SENSOR_START_S, s->path);
    if (start_process(s, user, ans) != 0)
        return -1;
    sensor_ask(s);
    return 0;
}

bool sensor_has_new_file(const struct load_sensor *s)
{
    struct stat now;
    return stat(s->path, &now) == 0 &&
           (now.st_ino != s->file.st_ino || now.st_dev != s->file.st_dev ||
            now.st_mtim.tv_sec != s->file.st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != s->file.st_mtim.tv_nsec);
}

/* ---- all sensors ---- */

void load_sensors_init(struct load_sensors *all, const struct sensor_place *place)
{
    *all = (struct load_sensors){ .place = *place };
    TAILQ_INIT(&all->wanted);
    TAILQ_INIT(&all->leaving);
}

/* starts all that have no process; what is wrong is said once, until it is right again */
static void on_user(void *ctx, const struct user *user)
{
    struct load_sensors *all = ctx;
    struct load_sensor *s;
    TAILQ_FOREACH(s, &all->wanted, next) {
        struct answer ans = ANSWER_INIT;
        if (s->pid != 0)
            continue;
        bool has_failed = sensor_start(s, user, &ans) != 0;
        if (!s->has_failed)
            log_answer(&ans);
        s->has_failed = has_failed;
        ans_free(&ans);
    }
}

static bool has_stopped_some(const struct load_sensors *all)
{
    const struct load_sensor *s;
    TAILQ_FOREACH(s, &all->wanted, next)
        if (s->pid == 0)
            return true;
    return false;
}

static void start_stopped(struct load_sensors *all)
{
    if (!has_stopped_some(all))
        return;
    if (all->place.user != NULL && geteuid() == 0)
        users_get(all->place.users, all->place.user, on_user, all);
    else
        on_user(all, NULL);
}

/* the sensor with that path, out of LIST; NULL */
static struct load_sensor *take_sensor(struct load_sensor_list *list, const char *path, size_t len)
{
    struct load_sensor *s;
    TAILQ_FOREACH(s, list, next) {
        if (strlen(s->path) == len && strncmp(s->path, path, len) == 0) {
            TAILQ_REMOVE(list, s, next);
            return s;
        }
    }
    return NULL;
}

static void add_wanted(struct load_sensors *all, struct load_sensor_list *old, const char *paths)
{
    uint32_t n = 0;
    for (const char *at = paths; *at != '\0';) {
        size_t len = strcspn(at, ", \t");
        if (len > 0 && ++n <= SENSORS_MOST) {
            struct load_sensor *s = take_sensor(old, at, len);
            if (s == NULL)
                s = sensor_new(&all->place, at, len);
            TAILQ_INSERT_TAIL(&all->wanted, s, next);
        }
        at += len + strspn(at + len, ", \t");
    }
    if (n > SENSORS_MOST)
        log_msg(LOG_LEVEL_ERROR, MSG_SENSORS_MOST_UU, n, (unsigned)SENSORS_MOST);
}

void load_sensors_use(struct load_sensors *all, const char *paths)
{
    struct load_sensor_list old = TAILQ_HEAD_INITIALIZER(old);
    struct load_sensor *s;
    if (all->paths != NULL && strcmp(all->paths, paths) == 0)
        return;
    free(all->paths);
    all->paths = uti_strdup(paths);
    TAILQ_CONCAT(&old, &all->wanted, next);
    if (strcmp(paths, "none") != 0)
        add_wanted(all, &old, paths);
    while ((s = TAILQ_FIRST(&old)) != NULL) {
        TAILQ_REMOVE(&old, s, next);
        sensor_let_go(s, &all->leaving);
    }
}

/* another process will take its place; the one that runs leaves */
static struct load_sensor *replace_sensor(struct load_sensors *all, struct load_sensor *s)
{
    struct load_sensor *fresh = sensor_new(s->place, s->path, strlen(s->path));
    fresh->text.whole = s->text.whole; /* good until its first report */
    s->text.whole = (struct sensor_values){ 0 };
    TAILQ_INSERT_AFTER(&all->wanted, s, fresh, next);
    TAILQ_REMOVE(&all->wanted, s, next);
    sensor_let_go(s, &all->leaving);
    return fresh;
}

static struct load_sensor *ask_sensor(struct load_sensors *all, struct load_sensor *s)
{
    bool is_patience_over = s->n_silent++ >= SENSOR_PATIENCE;
    if (is_patience_over)
        sensor_drop_values(s);
    if (s->pid == 0)
        return s;
    if (is_patience_over) {
        log_msg(LOG_LEVEL_WARNING, MSG_SENSOR_SILENT_SU, s->path, (unsigned)SENSOR_PATIENCE);
        sensor_kill(s);
        return replace_sensor(all, s);
    }
    if (sensor_has_new_file(s))
        return replace_sensor(all, s);
    if (s->n_silent == 1) /* nothing is owed */
        sensor_ask(s);
    return s;
}

void load_sensors_ask(struct load_sensors *all)
{
    struct load_sensor *s;
    for (s = TAILQ_FIRST(&all->wanted); s != NULL; s = TAILQ_NEXT(s, next))
        s = ask_sensor(all, s);
    start_stopped(all);
}

const struct sensor_value *load_sensors_value(const struct load_sensors *all, uint32_t number)
{
    const struct load_sensor *s;
    TAILQ_FOREACH(s, &all->wanted, next) {
        if (number < s->text.whole.n)
            return &s->text.whole.v[number];
        number -= s->text.whole.n;
    }
    return NULL;
}

static bool list_has(const struct load_sensor_list *list, pid_t pid)
{
    const struct load_sensor *s;
    TAILQ_FOREACH(s, list, next)
        if (s->pid == pid)
            return true;
    return false;
}

bool load_sensors_has(const struct load_sensors *all, pid_t pid)
{
    return list_has(&all->wanted, pid) || list_has(&all->leaving, pid);
}

static void end_list(struct load_sensor_list *list)
{
    struct load_sensor *s;
    while ((s = TAILQ_FIRST(list)) != NULL) {
        TAILQ_REMOVE(list, s, next);
        sensor_end(s);
    }
}

void load_sensors_free(struct load_sensors *all)
{
    if (all->place.loop == NULL)
        return;
    end_list(&all->wanted);
    end_list(&all->leaving);
    free(all->paths);
    *all = (struct load_sensors){ 0 };
}
