/* What jobs name, counted. Invariant: a name is in the table exactly while some job names it, so
 * that the table is as large as the names in use are many. */
#include "daemons/qmaster/tables/job_names.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/hash.h"

struct job_name {
    char *name;
    uint64_t n;
    UT_hash_handle hh;
};

static struct job_name *name_find(const struct job_names *names, enum object_kind kind,
                                  const char *name)
{
    struct job_name *found;
    HASH_FIND_STR(names->of_kind[kind], name, found);
    return found;
}

typedef void count_fn(struct job_names *names, enum object_kind kind, const char *name);

static void count_up(struct job_names *names, enum object_kind kind, const char *name)
{
    struct job_name *found = name_find(names, kind, name);
    if (found == NULL) {
        found = uti_calloc(1, sizeof *found);
        found->name = uti_strdup(name);
        HASH_ADD_KEYPTR(hh, names->of_kind[kind], found->name, strlen(found->name), found);
    }
    found->n++;
}

static void count_down(struct job_names *names, enum object_kind kind, const char *name)
{
    struct job_name *found = name_find(names, kind, name);
    ASSERT(found != NULL);
    if (--found->n > 0)
        return;
    HASH_DEL(names->of_kind[kind], found);
    free(found->name);
    free(found);
}

static void count_name(struct job_names *names, enum object_kind kind, const char *name,
                       count_fn *count)
{
    if (name != NULL)
        count(names, kind, name);
}

static void count_resources(struct job_names *names, const struct CE_Type_list *l, count_fn *count)
{
    for (uint32_t i = 0; i < l->n; i++)
        count_name(names, OBJECT_COMPLEX, l->v[i].CE_name, count);
}

/* everything in REC that is the name of an object */
static void count_all(struct job_names *names, const struct JB_Type *rec, count_fn *count)
{
    count_name(names, OBJECT_PROJECT, rec->JB_project, count);
    count_name(names, OBJECT_PE, rec->JB_pe, count);
    count_name(names, OBJECT_CKPT, rec->JB_checkpoint_name, count);
    count_resources(names, &rec->JB_hard_resource_list, count);
    count_resources(names, &rec->JB_soft_resource_list, count);
}

void job_names_add(struct job_names *names, const struct JB_Type *rec)
{
    count_all(names, rec, count_up);
}

void job_names_remove(struct job_names *names, const struct JB_Type *rec)
{
    count_all(names, rec, count_down);
}

uint64_t job_names_count(const struct job_names *names, enum object_kind kind, const char *name)
{
    const struct job_name *found = name_find(names, kind, name);
    return found != NULL ? found->n : 0;
}

uint64_t job_names_count_if(const struct job_names *names, enum object_kind kind,
                            job_name_fn *is_one, void *ctx)
{
    uint64_t n = 0;
    for (const struct job_name *at = names->of_kind[kind]; at != NULL; at = at->hh.next)
        n += is_one(ctx, at->name) ? at->n : 0;
    return n;
}
