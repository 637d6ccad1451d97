/* The set of load sensors: which there are, and when one is asked, replaced or started again. */
#include "daemons/execd/host/load_sensors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/user.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"

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
