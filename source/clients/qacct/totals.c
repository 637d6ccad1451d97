/* Totals over records, by any of the columns. Each combination of values has one entry in a hash table; they are sorted
 * when they are printed. Memory grows with the combinations, not with the lines of the file. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/job_table.h"
#include "clients/qacct/qacct.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

struct total {
    char *key;                 /* the values with '\n' between, what the table is keyed by */
    const char *value[GROUPS]; /* into key_parts; NULL where not grouped */
    char *key_parts;           /* the values with NUL between */
    double wallclock, utime, stime, cpu, mem, io, iow;
    UT_hash_handle hh;
};
struct totals {
    bool groups[GROUPS];
    char *const *only; /* borrowed: what each column was asked for; NULL: everything */
    struct total *all; /* hash */
    struct dstr key;   /* of the record in hand */
};

static const char *const titles[GROUPS] = {
    [GROUP_HOST] = "HOST",   [GROUP_QUEUE] = "CLUSTER QUEUE", [GROUP_GROUP] = "GROUP",
    [GROUP_OWNER] = "OWNER", [GROUP_PROJECT] = "PROJECT",     [GROUP_DEPARTMENT] = "DEPARTMENT",
    [GROUP_PE] = "PE",       [GROUP_SLOTS] = "SLOTS",         [GROUP_ACCOUNT] = "ACCOUNT",
};

struct totals *totals_new(const struct qacct_options *o)
{
    struct totals *t = uti_calloc(1, sizeof *t);
    memcpy(t->groups, o->groups, sizeof t->groups);
    t->only = o->only;
    return t;
}

static void add_value(struct dstr *key, const struct accounting *a, enum column column)
{
    const char *const values[GROUPS] = {
        [GROUP_HOST] = a->hostname,   [GROUP_QUEUE] = a->qname,
        [GROUP_GROUP] = a->group,     [GROUP_OWNER] = a->owner,
        [GROUP_PROJECT] = a->project, [GROUP_DEPARTMENT] = a->department,
        [GROUP_PE] = a->granted_pe,   [GROUP_ACCOUNT] = a->account,
    };
    if (column == GROUP_SLOTS)
        dstr_addf(key, "%5u", a->slots);
    else
        dstr_add(key, values[column] != NULL ? values[column] : "");
    dstr_addc(key, '\n');
}

static struct total *total_new(struct totals *t, const char *key, size_t len)
{
    struct total *total = uti_calloc(1, sizeof *total);
    total->key = uti_strndup(key, len);
    total->key_parts = uti_strndup(key, len);
    char *at = total->key_parts;
    for (int i = 0; i < GROUPS; i++) {
        if (!t->groups[i])
            continue;
        total->value[i] = at;
        at = strchr(at, '\n');
        *at++ = '\0';
    }
    HASH_ADD_KEYPTR(hh, t->all, total->key, len, total);
    return total;
}

void totals_add(struct totals *t, const struct accounting *a)
{
    struct total *total;
    dstr_clear(&t->key);
    for (int i = 0; i < GROUPS; i++) {
        if (t->groups[i])
            add_value(&t->key, a, (enum column)i);
    }
    HASH_FIND(hh, t->all, dstr_get(&t->key), t->key.len, total);
    if (total == NULL)
        total = total_new(t, dstr_get(&t->key), t->key.len);
    total->wallclock += a->ru_wallclock;
    total->utime += a->ru_utime;
    total->stime += a->ru_stime;
    total->cpu += a->cpu;
    total->mem += a->mem;
    total->io += a->io;
    total->iow += a->iow;
}

static int by_key(struct total *a, struct total *b)
{
    return strcmp(a->key, b->key);
}

/* A column is as wide as its title, its widest value or, when there are no lines at all, what was asked for. */
static int column_width(const struct totals *t, int column)
{
    size_t width = strlen(titles[column]);
    if (t->all == NULL && t->only[column] != NULL && strlen(t->only[column]) > width)
        width = strlen(t->only[column]);
    const struct total *total, *next;
    HASH_ITER(hh, t->all, total, next) {
        if (strlen(total->value[column]) > width)
            width = strlen(total->value[column]);
    }
    return (int)width;
}

static void put_title(FILE *out, const struct totals *t, const int widths[GROUPS])
{
    unsigned bar = 112;
    bool is_grouped = false;
    for (int i = 0; i < GROUPS; i++) {
        if (!t->groups[i])
            continue;
        fprintf(out, "%-*s ", widths[i], titles[i]);
        bar += (unsigned)widths[i] + 1;
        is_grouped = true;
    }
    if (!is_grouped) {
        /* the title of a table without columns of names stands on a line of its own */
        fputs("Total System Usage\n", out);
    }
    fprintf(out, "%13s %13s %13s %13s %18s %18s %18s\n", "WALLCLOCK", "UTIME", "STIME", "CPU",
            "MEMORY", "IO", "IOW");
    job_table_bar(out, '=', bar);
}

void totals_text(FILE *out, struct totals *t)
{
    int widths[GROUPS] = { 0 };
    for (int i = 0; i < GROUPS; i++)
        widths[i] = t->groups[i] ? column_width(t, i) : 0;
    put_title(out, t, widths);
    HASH_SORT(t->all, by_key);
    struct total *total, *next;
    HASH_ITER(hh, t->all, total, next) {
        for (int i = 0; i < GROUPS; i++) {
            if (t->groups[i])
                fprintf(out, "%-*s ", widths[i], total->value[i]);
        }
        fprintf(out, "%13.0f %13.3f %13.3f %13.3f %18.3f %18.3f %18.3f\n", total->wallclock,
                total->utime, total->stime, total->cpu, total->mem, total->io, total->iow);
    }
}

void totals_free(struct totals *t)
{
    struct total *total, *next;
    if (t == NULL)
        return;
    HASH_ITER(hh, t->all, total, next) {
        HASH_DEL(t->all, total);
        free(total->key);
        free(total->key_parts);
        free(total);
    }
    dstr_free(&t->key);
    free(t);
}
