/* A queue instance as a row: texts are made when it is taken over, not when it is drawn. */
#include "libs/view/queue_entry.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/view/msg_view.h"

const char *const queue_entry_fields[] = { "QU_full_name",
                                           "QU_qname",
                                           "QU_qhostname",
                                           "QU_state",
                                           "QU_message",
                                           "QU_load_alarm",
                                           "QU_suspend_alarm",
                                           "QU_qtype",
                                           "QU_job_slots",
                                           "QU_slots_used",
                                           "pe_list",
                                           "ckpt_list",
                                           NULL };

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

struct queue_entry queue_entry_make(const struct QU_Type *queue, const struct EH_Type *host)
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

void queue_entry_clear(struct queue_entry *e)
{
    free(e->name);
    free(e->queue);
    free(e->host);
    free(e->type);
    free(e->arch);
    free(e->why);
    *e = (struct queue_entry){ 0 };
}

void queue_entry_cell(const struct queue_entry *e, enum queue_column column, struct dstr *out)
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

int queue_entry_compare(const struct queue_entry *a, const struct queue_entry *b,
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

enum task_look queue_entry_look(const struct queue_entry *e)
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

const char *queue_column_title(enum queue_column column)
{
    return columns[column].title;
}

bool queue_column_is_number(enum queue_column column)
{
    return columns[column].is_number;
}
