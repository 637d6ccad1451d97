#ifndef EXECD_HOST_LOAD_SENSORS_H
#define EXECD_HOST_LOAD_SENSORS_H

#include <sys/stat.h>
#include <sys/types.h>

#include "daemons/execd/host/sensor_text.h"
#include "libs/uti/tree.h"

/* A load sensor: a program that prints a report each time it reads a line. Source: load_sensor in
 * sge_conf(5) */
struct answer;
struct load_sensor;
struct loop;
struct loop_timer;
struct loop_watch;
struct user;
struct users;
TAILQ_HEAD(load_sensor_list, load_sensor);

/* where sensors run; good as long as there is one */
struct sensor_place {
    struct loop *loop;
    struct users *users;
    const char *user; /* whom sensors run as, if the execd is root; NULL: as the execd */
    const char *host; /* whose values count */
    const char *sge_root, *sge_cell;
    /* called when a report is whole, or values are no longer good */
    void (*changed)(void *ctx);
    void *ctx;
};
struct load_sensor {
    const struct sensor_place *place;
    char *path;        /* owned */
    pid_t pid;         /* 0: it does not run */
    int in, out;       /* its standard input and output; -1 */
    int pidfd;         /* -1 */
    struct stat file;  /* the program when it was started */
    uint32_t n_silent; /* asks since its last report */
    bool has_other_hosts, has_failed;
    struct sensor_text text;
    struct loop_watch *output, *end;
    struct load_sensor_list *leaving; /* the list that it is in while it leaves */
    struct loop_timer *kill_timer;    /* the same */
    TAILQ_ENTRY(load_sensor) next;
};

/* sensor_new - the sensor at PATH, without a process; new: sensor_let_go or sensor_end frees it
 * sensor_start - start its process as USER (NULL: as the execd) and ask for the first report.
 * Returns 0, or -1 with ans. */
struct load_sensor *sensor_new(const struct sensor_place *place, const char *path, size_t len);
int sensor_start(struct load_sensor *s, const struct user *user, struct answer *ans);
/* sensor_ask - a report, please */
void sensor_ask(const struct load_sensor *s);
/* sensor_drop_values - what it reported is good no longer */
void sensor_drop_values(struct load_sensor *s);
/* sensor_has_new_file - is another program at its path than when it was started? */
bool sensor_has_new_file(const struct load_sensor *s);
/* sensor_kill - SIGKILL to it and the processes of its group */
void sensor_kill(const struct load_sensor *s);
/* sensor_let_go - S, which is in no list, ends; it stays in LEAVING until its process has
 * gone, and is freed then
 * sensor_end - the same without waiting for the process */
void sensor_let_go(struct load_sensor *s, struct load_sensor_list *leaving);
void sensor_end(struct load_sensor *s);

/* The site's own load values: programs that run as long as the execd does and print a report each
 * time they read a line. Source: load_sensor in sge_conf(5) */
struct load_sensors {
    struct sensor_place place;
    struct load_sensor_list wanted;  /* in the order of the configuration */
    struct load_sensor_list leaving; /* they were asked to end, or killed */
    char *paths;                     /* owned: the configuration's word for `wanted` */
};

/* load_sensors_init - there are no sensors yet */
void load_sensors_init(struct load_sensors *all, const struct sensor_place *place);
/* load_sensors_use - PATHS, divided by commas, or "none", are the sensors from now on: new ones
 * start at the next load_sensors_ask, others end. At most SENSORS_MOST; the rest is left out, with
 * a line in the log. */
enum { SENSORS_MOST = 32 };
void load_sensors_use(struct load_sensors *all, const char *paths);
/* load_sensors_ask - a report of each, please: what has ended is started again, and so is what left
 * SENSOR_PATIENCE asks without a report (its values are good no longer) and what has another file
 * now. Call it once in each load_report_time. */
enum { SENSOR_PATIENCE = 3 };
void load_sensors_ask(struct load_sensors *all);
/* load_sensors_value - value NUMBER (0, 1, ...) of all sensors' last reports; NULL behind the last
 */
const struct sensor_value *load_sensors_value(const struct load_sensors *all, uint32_t number);
/* load_sensors_has - is PID the process of one? */
bool load_sensors_has(const struct load_sensors *all, pid_t pid);
/* load_sensors_free - end them all and wait for none; nothing happens if *ALL is zero */
void load_sensors_free(struct load_sensors *all);

#endif
