/* Totals over records, by any of the columns. Each combination of values has one entry in a hash
 * table; they are sorted when they are printed. Memory grows with the combinations, not with the
 * lines of the file. */
#include <stdlib.h>
#include <string.h>

#include "clients/acct/acct_priv.h"
#include "libs/show/job_table.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/parse.h"

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

static const struct {
    const char *title, *key;
} columns[GROUPS] = {
    [BY_HOST] = { "HOST", "host" },          [BY_QUEUE] = { "CLUSTER QUEUE", "queue" },
    [BY_GROUP] = { "GROUP", "group" },       [BY_OWNER] = { "OWNER", "owner" },
    [BY_PROJECT] = { "PROJECT", "project" }, [BY_DEPARTMENT] = { "DEPARTMENT", "department" },
    [BY_PE] = { "PE", "granted_pe" },        [BY_SLOTS] = { "SLOTS", "slots" },
    [BY_ACCOUNT] = { "ACCOUNT", "account" }, [BY_AR] = { "AR", "arid" },
};

#define SUM(name_, member, width_, digits_, after_)                                                \
    {                                                                                              \
        { .name = name_, .text = { .width = width_, .digits = digits_, .after = after_ } },        \
            offsetof(struct total, member)                                                         \
    }
static const struct sum {
    struct doc_field field;
    size_t at; /* of the member */
} sums[] = {
    SUM("ru_wallclock", wallclock, 13, 0, " "),
    SUM("ru_utime", utime, 13, 3, " "),
    SUM("ru_stime", stime, 13, 3, " "),
    SUM("cpu", cpu, 13, 3, " "),
    SUM("mem", mem, 18, 3, " "),
    SUM("io", io, 18, 3, " "),
    SUM("iow", iow, 18, 3, NULL),
};
static const struct doc_kind total_kind = { .name = "total", .end = "\n" };

struct totals *totals_new(const struct acct_query *q)
{
    struct totals *t = uti_calloc(1, sizeof *t);
    memcpy(t->groups, q->groups, sizeof t->groups);
    t->only = q->only;
    return t;
}

static void add_value(struct dstr *key, const struct accounting *a, enum acct_column column)
{
    const char *const values[GROUPS] = {
        [BY_HOST] = a->hostname, [BY_QUEUE] = a->qname,     [BY_GROUP] = a->group,
        [BY_OWNER] = a->owner,   [BY_PROJECT] = a->project, [BY_DEPARTMENT] = a->department,
        [BY_PE] = a->granted_pe, [BY_ACCOUNT] = a->account,
    };
    if (column == BY_SLOTS || column == BY_AR)
        dstr_addf(key, "%5u", column == BY_AR ? a->arid : a->slots);
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
            add_value(&t->key, a, (enum acct_column)i);
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

/* A column is as wide as its title, its widest value or, when there are no lines at all, what was
 * asked for. */
static int column_width(const struct totals *t, int column)
{
    size_t width = strlen(columns[column].title);
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
        fprintf(out, "%-*s ", widths[i], columns[i].title);
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

/* The number of slots, and that of a reservation, are numbers for programs, too. */
static struct doc_value column_value(enum acct_column column, const char *value)
{
    uint32_t number;
    bool is_number = column == BY_SLOTS || column == BY_AR;
    if (is_number && parse_u32(value + strspn(value, " "), &number))
        return doc_shown(doc_number(number), value);
    return doc_string(value);
}

static void put_total(struct doc *d, const struct totals *t, const struct total *total,
                      const int widths[GROUPS])
{
    doc_begin(d, &total_kind);
    for (int i = 0; i < GROUPS; i++) {
        const struct doc_field field = { .name = columns[i].key,
                                         .text = { .width = -widths[i], .after = " " } };
        if (t->groups[i])
            doc_field(d, &field, column_value((enum acct_column)i, total->value[i]));
    }
    for (size_t i = 0; i < ARRAY_LEN(sums); i++)
        doc_field(d, &sums[i].field, doc_real(*(const double *)((const char *)total + sums[i].at)));
    doc_end(d);
}

void totals_show(struct doc *d, struct totals *t)
{
    int widths[GROUPS] = { 0 };
    for (int i = 0; i < GROUPS; i++)
        widths[i] = t->groups[i] ? column_width(t, i) : 0;
    if (doc_page(d) != NULL)
        put_title(doc_page(d), t, widths);
    HASH_SORT(t->all, by_key);
    const struct total *total, *next;
    HASH_ITER(hh, t->all, total, next) {
        put_total(d, t, total, widths);
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
