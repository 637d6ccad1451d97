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
};

static void add_socket(struct reader *r)
{
    dstr_addc(&r->letters, 'S');
    r->t->sockets++;
}

static void add_core(struct reader *r, unsigned threads)
{
    if (r->t->sockets == 0)
        add_socket(r);
    dstr_addc(&r->letters, 'C');
    for (unsigned i = 0; threads > 1 && i < threads; i++)
        dstr_addc(&r->letters, 'T');
    r->t->cores++;
    r->t->threads += threads;
}

static unsigned count_threads(const struct hwloc_obj *core)
{
    int n = core->cpuset != NULL ? hwloc_bitmap_weight(core->cpuset) : 0;
    return n > 0 ? (unsigned)n : 0;
}

/* as deep as the machine is: a socket, groups, caches, cores */
static void read_object(struct reader *r, const struct hwloc_obj *at)
{
    if (at->type == HWLOC_OBJ_CORE || at->type == HWLOC_OBJ_PU) {
        add_core(r, count_threads(at));
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
    dstr_free(&r.letters);
}

void topology_free(struct topology *t)
{
    free(t->letters);
    *t = (struct topology){ 0 };
}
