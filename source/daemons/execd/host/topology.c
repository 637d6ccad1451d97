/* The topology as hwloc knows it. Where it knows of no sockets, as in some virtual machines, there
 * is one; where it knows of no cores, each processor is one. */
#include "daemons/execd/host/topology.h"

#include <hwloc.h>
#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

struct reader {
    struct topology *t;
    struct dstr letters;
    unsigned cores_of_socket;
};

static void add_socket(struct reader *r)
{
    dstr_addc(&r->letters, 'S');
    r->t->sockets++;
    r->cores_of_socket = 0;
}

/* one that hwloc sees without processors has none that could be named */
static void add_processors(struct topology *t, struct core *core, const struct hwloc_obj *at)
{
    int number = -1;
    while (at->cpuset != NULL && (number = hwloc_bitmap_next(at->cpuset, number)) >= 0) {
        t->processors =
            uti_vec_grow(t->processors, &t->cap_processors, t->threads + 1, sizeof *t->processors);
        t->processors[t->threads++] = (unsigned)number;
        core->n++;
    }
}

static void add_core(struct reader *r, const struct hwloc_obj *at)
{
    struct topology *t = r->t;
    if (t->sockets == 0)
        add_socket(r);
    struct core core = { .socket = t->sockets - 1,
                         .number = r->cores_of_socket++,
                         .first = t->threads,
                         .letter = (unsigned)r->letters.len };
    add_processors(t, &core, at);
    dstr_addc(&r->letters, 'C');
    for (unsigned i = 0; core.n > 1 && i < core.n; i++)
        dstr_addc(&r->letters, 'T');
    t->core = uti_vec_grow(t->core, &t->cap_cores, t->cores + 1, sizeof *t->core);
    t->core[t->cores++] = core;
}

/* as deep as the machine is: a socket, groups, caches, cores */
static void read_object(struct reader *r, const struct hwloc_obj *at)
{
    if (at->type == HWLOC_OBJ_CORE || at->type == HWLOC_OBJ_PU) {
        add_core(r, at);
        return;
    }
    if (at->type == HWLOC_OBJ_PACKAGE)
        add_socket(r);
    for (const struct hwloc_obj *child = at->first_child; child != NULL;
         child = child->next_sibling)
        read_object(r, child);
}

static bool is_loaded(hwloc_topology_t machine, const char *description)
{
    if (description != NULL && hwloc_topology_set_synthetic(machine, description) != 0)
        return false;
    return hwloc_topology_load(machine) == 0;
}

void topology_read(struct topology *t, const char *description)
{
    struct reader r = { .t = t };
    hwloc_topology_t machine;
    *t = (struct topology){ 0 };
    if (hwloc_topology_init(&machine) == 0) {
        if (is_loaded(machine, description))
            read_object(&r, hwloc_get_root_obj(machine));
        hwloc_topology_destroy(machine);
    }
    t->letters = uti_strdup(t->cores > 0 ? dstr_get(&r.letters) : "NONE");
    t->in_use = uti_strdup(t->letters);
    dstr_free(&r.letters);
}

void topology_free(struct topology *t)
{
    free(t->letters);
    free(t->in_use);
    free(t->core);
    free(t->processors);
    *t = (struct topology){ 0 };
}
