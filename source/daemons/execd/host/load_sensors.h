#ifndef EXECD_HOST_LOAD_SENSORS_H
#define EXECD_HOST_LOAD_SENSORS_H

#include "daemons/execd/host/sensor_process.h"

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
