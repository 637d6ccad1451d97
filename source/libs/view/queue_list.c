/* The list. Invariants: `entries` are all instances; `rows` are what is shown, in order, and point
 * into `entries` or `groups`. A row of a group sums up those below it that the words let through,
 * be they shown or not. */
#include "libs/view/queue_list.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/view/msg_view.h"
#include "libs/view/object_list.h"

/* ---- rows: texts are made when they are taken over, not when they are drawn ---- */

/* What a list knows of a queue instance, or of all of a cluster queue or a host. Strings are
 * owned. */
struct queue_entry {
    char *name, *queue, *host; /* "all.q@node1", "all.q", "node1" */
    char *type, *arch, *why;
    uint32_t key;
    uint32_t used, slots, states;
    double load; /* below 0: not known */
};

const char *const queue_reason_fields[] = {
    "QU_full_name",    "QU_message", "QU_load_alarm", "QU_suspend_alarm", "QU_calendar_state",
    "QU_subordinated", NULL
};

void queue_reason_event(const struct QU_Type *queue, struct EV_Type *out)
{
    cull_set(out, EV_kind, (uint32_t)EV_QUEUE_MOD);
    struct QU_Type *rec = cull_append(out, EV_queues);
    cull_set(rec, QU_full_name, queue->QU_full_name);
    cull_set(rec, QU_message, queue->QU_message != NULL ? queue->QU_message : "");
    cull_set(rec, QU_load_alarm, queue->QU_load_alarm != NULL ? queue->QU_load_alarm : "");
    cull_set(rec, QU_suspend_alarm, queue->QU_suspend_alarm != NULL ? queue->QU_suspend_alarm : "");
    cull_set(rec, QU_calendar_state,
             queue->QU_calendar_state != NULL ? queue->QU_calendar_state : "");
    cull_set(rec, QU_subordinated, queue->QU_subordinated != NULL ? queue->QU_subordinated : "");
}

/* one line of what may be several */
static void add_why(const char *text, struct dstr *out)
{
    if (text == NULL || text[0] == '\0')
        return;
    dstr_add(out, out->len > 0 ? "; " : "");
    for (; *text != '\0'; text++)
        dstr_addc(out, *text == '\n' ? ' ' : *text);
}

static char *make_why(const struct QU_Type *queue)
{
    struct dstr text = DSTR_INIT;
    add_why(queue->QU_message, &text);
    add_why(queue->QU_load_alarm, &text);
    add_why(queue->QU_suspend_alarm, &text);
    add_why(queue->QU_calendar_state, &text);
    add_why(queue->QU_subordinated, &text);
    if ((queue->QU_state & QI_UNKNOWN) != 0)
        add_why(MSG_QUEUE_UNHEARD_OF, &text);
    char *why = uti_strdup(dstr_get(&text));
    dstr_free(&text);
    return why;
}

static char *make_type(const struct QU_Type *queue)
{
    struct dstr text = DSTR_INIT;
    qinstance_type_text(queue, &text);
    char *type = uti_strdup(dstr_get(&text));
    dstr_free(&text);
    return type;
}

static char *copy_text(const char *text)
{
    return uti_strdup(text != NULL ? text : "");
}

/* of QUEUE on HOST, which may be NULL; queue_entry_clear frees what it owns */
static struct queue_entry queue_entry_make(const struct QU_Type *queue, const struct EH_Type *host)
{
    const char *load = host != NULL ? host_load_value(host, "load_avg") : NULL;
    struct queue_entry e = {
        .name = copy_text(queue->QU_full_name),
        .queue = copy_text(queue->QU_qname),
        .host = copy_text(queue->QU_qhostname),
        .type = make_type(queue),
        .arch = copy_text(host != NULL ? host_load_value(host, "arch") : NULL),
        .why = make_why(queue),
        .used = queue->QU_slots_used,
        .slots = queue->QU_job_slots,
        .states = queue->QU_state,
    };
    if (load == NULL || !parse_double(load, &e.load))
        e.load = -1;
    return e;
}

static void queue_entry_clear(struct queue_entry *e)
{
    free(e->name);
    free(e->queue);
    free(e->host);
    free(e->type);
    free(e->arch);
    free(e->why);
    *e = (struct queue_entry){ 0 };
}

/* append what stands in COLUMN, but for QUEUE_NAME */
static void queue_entry_cell(const struct queue_entry *e, enum queue_column column,
                             struct dstr *out)
{
    if (column == QUEUE_TYPE && e->type != NULL)
        dstr_add(out, e->type);
    else if (column == QUEUE_USED)
        dstr_addf(out, "%u", e->used);
    else if (column == QUEUE_SLOTS)
        dstr_addf(out, "%u", e->slots);
    else if (column == QUEUE_LOAD && e->load >= 0)
        dstr_addf(out, "%.2f", e->load);
    else if (column == QUEUE_ARCH && e->arch != NULL)
        dstr_add(out, e->arch);
    else if (column == QUEUE_STATES)
        qinstance_state_text(e->states, out);
    else if (column == QUEUE_WHY && e->why != NULL)
        dstr_add(out, e->why);
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* by COLUMN */
static int queue_entry_compare(const struct queue_entry *a, const struct queue_entry *b,
                               enum queue_column column)
{
    if (column == QUEUE_USED)
        return compare_numbers(a->used, b->used);
    if (column == QUEUE_SLOTS)
        return compare_numbers(a->slots, b->slots);
    if (column == QUEUE_LOAD)
        return compare_numbers(a->load, b->load);
    if (column == QUEUE_STATES)
        return compare_numbers(a->states, b->states);
    return column == QUEUE_TYPE   ? strcmp(a->type, b->type)
           : column == QUEUE_ARCH ? strcmp(a->arch, b->arch)
           : column == QUEUE_WHY  ? strcmp(a->why, b->why)
                                  : strcmp(a->name, b->name);
}

static enum task_look queue_entry_look(const struct queue_entry *e)
{
    if ((e->states & (QI_ERROR | QI_UNKNOWN | QI_AMBIGUOUS)) != 0)
        return LOOK_ERROR;
    if ((e->states & (QI_SUSPENDED | QI_SUBORDINATED | QI_CAL_SUSPENDED | QI_SUSPEND_ALARM)) != 0)
        return LOOK_SUSPENDED;
    if ((e->states & (QI_DISABLED | QI_CAL_DISABLED | QI_ALARM | QI_ORPHANED)) != 0)
        return LOOK_HELD;
    return e->used > 0 ? LOOK_RUNNING : LOOK_DONE;
}

static const struct {
    const char *title;
    bool is_number;
} columns[QUEUE_COLUMNS] = {
    [QUEUE_NAME] = { "queue", false },    [QUEUE_TYPE] = { "type", false },
    [QUEUE_USED] = { "used", true },      [QUEUE_SLOTS] = { "slots", true },
    [QUEUE_LOAD] = { "load", true },      [QUEUE_ARCH] = { "arch", false },
    [QUEUE_STATES] = { "states", false }, [QUEUE_WHY] = { "why", false },
};

const char *queue_column_title(unsigned column)
{
    return columns[column].title;
}

bool queue_column_is_number(unsigned column)
{
    return columns[column].is_number;
}

struct queue_row {
    uint32_t index; /* of the entry, or of the group */
    bool is_group;
};

struct queue_list {
    struct name_keys *names;
    struct queue_entry *entries, *groups;
    uint32_t n_entries, n_groups, groups_cap;
    struct queue_row *rows;
    uint32_t n, cap;
    uint32_t *chosen;        /* room to sort entries */
    struct range_set closed; /* numbers of groups */
    enum queue_order order;
    enum queue_column column;
    bool is_descending;
    char *words;
};

struct queue_list *queue_list_new(void)
{
    struct queue_list *l = uti_calloc(1, sizeof *l);
    l->names = name_keys_new();
    return l;
}

static void clear_entries(struct queue_list *l)
{
    for (uint32_t i = 0; i < l->n_entries; i++)
        queue_entry_clear(&l->entries[i]);
    free(l->entries);
    free(l->chosen);
    l->n_entries = 0;
}

static void clear_groups(struct queue_list *l)
{
    for (uint32_t i = 0; i < l->n_groups; i++)
        queue_entry_clear(&l->groups[i]);
    l->n_groups = 0;
}

void queue_list_free(struct queue_list *l)
{
    if (l == NULL)
        return;
    clear_entries(l);
    clear_groups(l);
    free(l->groups);
    free(l->rows);
    free(l->words);
    range_set_free(&l->closed);
    name_keys_free(l->names);
    free(l);
}

/* ---- order ---- */

static const char *group_of(const struct queue_list *l, const struct queue_entry *e)
{
    return l->order == QUEUES_BY_QUEUE ? e->queue : l->order == QUEUES_BY_HOST ? e->host : "";
}

static int compare_entries(const void *left, const void *right, void *ctx)
{
    const struct queue_list *l = ctx;
    const struct queue_entry *a = &l->entries[*(const uint32_t *)left];
    const struct queue_entry *b = &l->entries[*(const uint32_t *)right];
    int order = strcmp(group_of(l, a), group_of(l, b));
    if (order != 0)
        return order;
    order = queue_entry_compare(a, b, l->column);
    if (order == 0)
        order = queue_entry_compare(a, b, QUEUE_NAME);
    return l->is_descending ? -order : order;
}

static void add_row(struct queue_list *l, uint32_t index, bool is_group)
{
    l->rows = uti_vec_grow(l->rows, &l->cap, l->n + 1, sizeof *l->rows);
    l->rows[l->n++] = (struct queue_row){ index, is_group };
}

static uint32_t host_key(struct queue_list *l, const char *host)
{
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "*@%s", host);
    uint32_t key = name_keys_add(l->names, dstr_get(&name));
    dstr_free(&name);
    return key;
}

static void begin_group(struct queue_list *l, const char *name)
{
    l->groups = uti_vec_grow(l->groups, &l->groups_cap, l->n_groups + 1, sizeof *l->groups);
    l->groups[l->n_groups++] = (struct queue_entry){
        .name = uti_strdup(name),
        .key = l->order == QUEUES_BY_HOST ? host_key(l, name) : name_keys_add(l->names, name),
        .load = -1,
    };
    add_row(l, l->n_groups - 1, true);
}

static void add_entry(struct queue_list *l, uint32_t index)
{
    const struct queue_entry *e = &l->entries[index];
    struct queue_entry *group = l->n_groups > 0 ? &l->groups[l->n_groups - 1] : NULL;
    bool has_groups = l->order != QUEUES_FLAT;
    if (has_groups && (group == NULL || strcmp(group->name, group_of(l, e)) != 0)) {
        begin_group(l, group_of(l, e));
        group = &l->groups[l->n_groups - 1];
    }
    if (has_groups) {
        group->used += e->used;
        group->slots += e->slots;
        group->states |= e->states;
    }
    if (!has_groups || !range_set_has(&l->closed, group->key))
        add_row(l, index, false);
}

static void show_rows(struct queue_list *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n_entries; i++)
        if (name_has_words(l->entries[i].name, l->words))
            l->chosen[n++] = i;
    if (n > 1)
        qsort_r(l->chosen, n, sizeof *l->chosen, compare_entries, l);
    clear_groups(l);
    l->n = 0;
    for (uint32_t i = 0; i < n; i++)
        add_entry(l, l->chosen[i]);
}

/* ---- the mirror ---- */

struct taking {
    struct queue_list *list;
    const struct mir *from;
};

static void take_queue(void *ctx, const struct QU_Type *queue)
{
    struct taking *t = ctx;
    struct queue_list *l = t->list;
    if (queue->QU_full_name == NULL || queue->QU_qhostname == NULL)
        return;
    struct queue_entry *e = &l->entries[l->n_entries++];
    *e = queue_entry_make(queue, mir_host(t->from, queue->QU_qhostname));
    e->key = name_keys_add(l->names, e->name);
    (void)name_keys_add(l->names, e->queue);
    (void)host_key(l, e->host);
}

void queue_list_take(struct queue_list *l, const struct mir *m)
{
    struct taking t = { l, m };
    uint32_t n = mir_queues(m);
    clear_entries(l);
    l->entries = uti_calloc(n + 1, sizeof *l->entries);
    l->chosen = uti_calloc(n + 1, sizeof *l->chosen);
    name_keys_begin(l->names);
    mir_each_queue(m, take_queue, &t);
    name_keys_end(l->names);
    show_rows(l);
}

void queue_list_order(struct queue_list *l, enum queue_order order)
{
    l->order = order;
    show_rows(l);
}

void queue_list_words(struct queue_list *l, const char *words)
{
    free(l->words);
    l->words = words != NULL ? uti_strdup(words) : NULL;
    show_rows(l);
}

void queue_list_sort(struct queue_list *l, enum queue_column column)
{
    l->is_descending = column == l->column && !l->is_descending;
    l->column = column;
    show_rows(l);
}

enum queue_column queue_list_sorted_by(const struct queue_list *l)
{
    return l->column;
}

static const struct queue_entry *entry_at(const struct queue_list *l, uint32_t row)
{
    const struct queue_row *r = &l->rows[row];
    return r->is_group ? &l->groups[r->index] : &l->entries[r->index];
}

void queue_list_turn(struct queue_list *l, uint32_t row)
{
    if (row >= l->n || !l->rows[row].is_group)
        return;
    uint32_t key = entry_at(l, row)->key;
    if (range_set_has(&l->closed, key))
        range_set_remove(&l->closed, key, key);
    else
        range_set_add(&l->closed, key, key);
    show_rows(l);
}

uint32_t queue_list_count(const struct queue_list *l)
{
    return l->n;
}

uint32_t queue_list_instances(const struct queue_list *l)
{
    return l->n_entries;
}

uint32_t queue_list_key(const struct queue_list *l, uint32_t row)
{
    return entry_at(l, row)->key;
}

enum task_look queue_list_look(const struct queue_list *l, uint32_t row)
{
    return queue_entry_look(entry_at(l, row));
}

const char *queue_list_name(const struct queue_list *l, uint32_t key)
{
    return name_keys_find(l->names, key);
}

/* ---- cells ---- */

/* a group has a mark in front, what is below it stands further right */
static void add_name(const struct queue_list *l, uint32_t row, struct dstr *out)
{
    const struct queue_entry *e = entry_at(l, row);
    if (l->rows[row].is_group)
        dstr_addf(out, "%s %s", range_set_has(&l->closed, e->key) ? "+" : "-", e->name);
    else
        dstr_addf(out, "%s%s", l->order == QUEUES_FLAT ? "" : "     ", e->name);
}

void queue_list_cell(const struct queue_list *l, uint32_t row, enum queue_column column,
                     struct dstr *out)
{
    if (column == QUEUE_NAME)
        add_name(l, row, out);
    else
        queue_entry_cell(entry_at(l, row), column, out);
}

void queue_list_text(const struct queue_list *l, struct dstr *out)
{
    for (enum queue_column c = 0; c < QUEUE_COLUMNS; c++)
        dstr_addf(out, "%s%s", c > 0 ? "\t" : "", queue_column_title(c));
    for (uint32_t row = 0; row < l->n; row++) {
        dstr_addc(out, '\n');
        for (enum queue_column c = 0; c < QUEUE_COLUMNS; c++) {
            dstr_add(out, c > 0 ? "\t" : "");
            queue_list_cell(l, row, c, out);
        }
    }
    dstr_addc(out, '\n');
}
