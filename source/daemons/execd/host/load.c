/* Load values from /proc, in the order in which qhost -F is known to show them, and from sensors;
 * the topology is read once, at the start. Source: load_parameters; captured qhost -F. */
#include "daemons/execd/host/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"

enum { PROC_BYTES_MAX = 16 * 1024 * 1024, SENSED_MOST = 900 };

bool load_cpu_times(const char *stat_text, uint64_t *busy, uint64_t *all)
{
    unsigned long long v[8] = { 0 };
    if (sscanf(stat_text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3],
               &v[4], &v[5], &v[6], &v[7]) < 4)
        return false;
    *all = 0;
    for (size_t i = 0; i < ARRAY_LEN(v); i++)
        *all += v[i];
    *busy = *all - v[3] - v[4]; /* idle, waiting for input or output */
    return true;
}

uint64_t load_mem_kib(const char *meminfo, const char *name)
{
    const char *at = strstr(meminfo, name);
    return at != NULL ? strtoull(at + strlen(name), NULL, 10) : 0;
}

void load_init(struct load *l)
{
    *l = (struct load){ 0 };
    topology_read(&l->topology, NULL);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    l->num_proc = online > 0 ? (unsigned)online : 1;
}

void load_free(struct load *l)
{
    load_sent_free(&l->sent);
    load_sent_free(&l->cell);
    topology_free(&l->topology);
    free(l->shortage);
    *l = (struct load){ 0 };
}

struct collector {
    struct load *load;
    const struct load_sensors *sensors;
    struct EH_Type *host;
};

static bool is_of_host(const struct sensor_value *v, const struct EH_Type *host)
{
    return host_name_equal(v->host, host->EH_name);
}

/* a sensor may say another value for what the execd measures itself */
static const char *sensed_value(const struct collector *c, const char *name)
{
    const struct sensor_value *v;
    for (uint32_t i = 0; (v = load_sensors_value(c->sensors, i)) != NULL; i++)
        if (is_of_host(v, c->host) && strcmp(v->name, name) == 0)
            return v->value;
    return NULL;
}

static void add_reported(struct collector *c, const char *name, const char *value)
{
    const char *sensed = sensed_value(c, name);
    load_sent_put(&c->load->sent, c->host, name, sensed != NULL ? sensed : value);
}

static void add_number(struct collector *c, const char *name, double value, int digits)
{
    struct dstr text = DSTR_INIT;
    dstr_add_decimal(&text, value, digits);
    add_reported(c, name, dstr_get(&text));
    dstr_free(&text);
}

/* whole MiB: finer steps would make every report news */
static void add_memory(struct collector *c, const char *name, uint64_t kib)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lluM", (unsigned long long)(kib / 1024));
    add_reported(c, name, text);
}

static const char *const averages[] = { "load_avg", "load_short", "load_medium", "load_long" };

/* PREFIX "np_": for each processor */
static void add_load_averages(struct collector *c, const char *prefix, unsigned processors)
{
    double v[3];
    if (getloadavg(v, 3) != 3)
        return;
    const double values[] = { v[1], v[0], v[1], v[2] };
    for (size_t i = 0; i < ARRAY_LEN(averages); i++) {
        struct dstr name = DSTR_INIT;
        dstr_addf(&name, "%s%s", prefix, averages[i]);
        add_number(c, dstr_get(&name), values[i] / processors, 2);
        dstr_free(&name);
    }
}

static void add_memories(struct collector *c)
{
    struct dstr text = DSTR_INIT;
    if (file_read("/proc/meminfo", PROC_BYTES_MAX, &text, NULL) == 0) {
        const char *info = dstr_get(&text);
        uint64_t total = load_mem_kib(info, "MemTotal:"),
                 unused = load_mem_kib(info, "MemAvailable:");
        uint64_t swap_total = load_mem_kib(info, "SwapTotal:"),
                 swap_unused = load_mem_kib(info, "SwapFree:");
        add_memory(c, "mem_free", unused);
        add_memory(c, "swap_free", swap_unused);
        add_memory(c, "virtual_free", unused + swap_unused);
        add_memory(c, "mem_total", total);
        add_memory(c, "swap_total", swap_total);
        add_memory(c, "virtual_total", total + swap_total);
        add_memory(c, "mem_used", total - unused);
        add_memory(c, "swap_used", swap_total - swap_unused);
        add_memory(c, "virtual_used", total - unused + swap_total - swap_unused);
    }
    dstr_free(&text);
}

static void add_cpu(struct collector *c)
{
    struct dstr text = DSTR_INIT;
    uint64_t busy, all;
    if (file_read("/proc/stat", PROC_BYTES_MAX, &text, NULL) == 0 &&
        load_cpu_times(dstr_get(&text), &busy, &all)) {
        uint64_t passed = all - c->load->cpu_all;
        double percent =
            passed > 0 ? 100.0 * (double)(busy - c->load->cpu_busy) / (double)passed : 0;
        add_number(c, "cpu", percent, 1);
        c->load->cpu_busy = busy;
        c->load->cpu_all = all;
    }
    dstr_free(&text);
}

void load_set_shortage(struct load *l, const char *why)
{
    free(l->shortage);
    l->shortage = uti_strdup(why != NULL ? why : "none");
}

/* what sensors say of the host that C is about */
static void add_sensed(struct collector *c, struct load_sent *sent)
{
    const struct sensor_value *v;
    for (uint32_t i = 0; i < SENSED_MOST && (v = load_sensors_value(c->sensors, i)) != NULL; i++)
        if (is_of_host(v, c->host))
            load_sent_put(sent, c->host, v->name, v->value);
}

static void add_measured(struct collector *c)
{
    const struct load *l = c->load;
    add_load_averages(c, "", 1);
    add_reported(c, "arch", os_arch());
    add_number(c, "num_proc", l->num_proc, 0);
    add_memories(c);
    add_cpu(c);
    add_reported(c, "m_topology", l->topology.letters);
    add_reported(c, "m_topology_inuse", l->topology.in_use);
    add_number(c, "m_socket", l->topology.sockets, 0);
    add_number(c, "m_core", l->topology.cores, 0);
    add_number(c, "m_thread", l->topology.threads, 0);
    add_load_averages(c, "np_", l->num_proc);
    if (l->shortage != NULL)
        add_reported(c, "shortage", l->shortage);
}

uint32_t load_report(struct load *l, const struct load_sensors *sensors, struct EH_Type *host,
                     bool is_all)
{
    struct collector c = { l, sensors, host };
    load_sent_begin(&l->sent, is_all);
    add_measured(&c);
    add_sensed(&c, &l->sent);
    cull_set(host, EH_processors, l->num_proc);
    return load_sent_end(&l->sent, host);
}

uint32_t load_report_cell(struct load *l, const struct load_sensors *sensors, struct EH_Type *cell,
                          bool is_all)
{
    struct collector c = { l, sensors, cell };
    load_sent_begin(&l->cell, is_all);
    add_sensed(&c, &l->cell);
    return load_sent_end(&l->cell, cell);
}

/* ---- values that the qmaster has ---- */
/* Values are compared as texts. A name is put once in a report, so that what comes first replaces
 * what comes later: sensors before the execd's own values. */

struct sent_value {
    char *name, *value; /* owned */
    uint32_t turn;      /* of the report that put it last */
};

void load_sent_begin(struct load_sent *s, bool is_all)
{
    s->turn++;
    s->is_all = is_all;
}

static struct sent_value *find_value(struct load_sent *s, const char *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->v[i].name, name) == 0)
            return &s->v[i];
    return NULL;
}

static struct sent_value *add_value(struct load_sent *s, const char *name)
{
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    struct sent_value *v = &s->v[s->n++];
    *v = (struct sent_value){ .name = uti_strdup(name) };
    return v;
}

static void say_value(struct EH_Type *host, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(host, EH_load_list);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
}

void load_sent_put(struct load_sent *s, struct EH_Type *host, const char *name, const char *value)
{
    struct sent_value *v = find_value(s, name);
    if (v == NULL)
        v = add_value(s, name);
    else if (v->turn == s->turn)
        return;
    v->turn = s->turn;
    bool is_news = v->value == NULL || strcmp(v->value, value) != 0;
    if (is_news) {
        free(v->value);
        v->value = uti_strdup(value);
    }
    if (is_news || s->is_all)
        say_value(host, name, value);
}

static void free_value(struct sent_value *v)
{
    free(v->name);
    free(v->value);
}

uint32_t load_sent_end(struct load_sent *s, struct EH_Type *host)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->v[i].turn == s->turn) {
            s->v[kept++] = s->v[i];
        } else {
            say_value(host, s->v[i].name, NULL);
            free_value(&s->v[i]);
        }
    }
    s->n = kept;
    return host->EH_load_list.n;
}

void load_sent_free(struct load_sent *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free_value(&s->v[i]);
    free(s->v);
    *s = (struct load_sent){ 0 };
}
