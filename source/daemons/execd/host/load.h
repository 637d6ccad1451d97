#ifndef EXECD_HOST_LOAD_H
#define EXECD_HOST_LOAD_H

#include "daemons/execd/host/load_sensors.h"
#include "daemons/execd/host/topology.h"
#include "libs/sgeobj/rows.h"

/* Load values of one host as the qmaster has them, so that a report carries only what changed. All
 * zero: it has none. */
struct sent_value;
struct load_sent {
    struct sent_value *v; /* owned */
    uint32_t n, cap, turn;
    bool is_all;
};
/* load_sent_begin - a report begins
 *   is_all  it must carry all values: the other side knows none */
void load_sent_begin(struct load_sent *s, bool is_all);
/* load_sent_put - NAME has VALUE now: HOST gets it if that is news. The first put of a name in a
 * report counts. O(values) */
void load_sent_put(struct load_sent *s, struct EH_Type *host, const char *name, const char *value);
/* load_sent_end - what was not put in this report is no more: HOST gets it without a value. Returns
 * how many entries HOST has. */
uint32_t load_sent_end(struct load_sent *s, struct EH_Type *host);
/* load_sent_free - all zero afterwards */
void load_sent_free(struct load_sent *s);

/* Load values of this host: arch num_proc load_... np_load_... mem_... swap_... virtual_... cpu
 * m_... */
struct load {
    struct load_sent sent; /* as last reported */
    struct load_sent cell; /* the same of what sensors say of the cell */
    unsigned num_proc;
    struct topology topology;   /* read once */
    uint64_t cpu_busy, cpu_all; /* of /proc/stat at the last look */
    char *shortage;             /* owned: why nothing can be started; NULL: never said */
};
void load_init(struct load *l);
void load_free(struct load *l);

/* load_report - add to HOST, which is named as this host is, the values that are other than those
 * last reported, and remember them; those that are no more come without a value
 *   is_all  all of them: the other side knows nothing
 * Returns how many. A few files of /proc are read. */
uint32_t load_report(struct load *l, const struct load_sensors *sensors, struct EH_Type *host,
                     bool is_all);

/* load_report_cell - the same for CELL, named HOST_OF_CELL, of what sensors say of it */
uint32_t load_report_cell(struct load *l, const struct load_sensors *sensors, struct EH_Type *cell,
                          bool is_all);

/* load_set_shortage - the load value "shortage" is from now on why this host cannot start tasks, or
 * "none" if WHY is NULL; a host that never was short of anything does not have it */
void load_set_shortage(struct load *l, const char *why);

/* load_cpu_times - busy and all ticks from the text of /proc/stat; false: malformed. Pure. */
bool load_cpu_times(const char *stat_text, uint64_t *busy, uint64_t *all);
/* load_mem_kib - the figure NAME ("MemTotal:") from the text of /proc/meminfo, 0 if it is not
 * there. Pure. */
uint64_t load_mem_kib(const char *meminfo, const char *name);

#endif
