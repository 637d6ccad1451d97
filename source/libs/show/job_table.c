/* Listings of jobs: the values of their fields, and the lines. The fields are rows of
 * sge_job_fieldL.h. Widths, the blanks at the ends of lines and the lengths of the dashed lines are
 * captured behaviour that scripts rely on; so are the names and the order of the elements. */
#include "libs/show/job_table.h"

#include "libs/sgeobj/job_state.h"
#include "libs/show/job_requests.h"
#include "libs/uti/dstr.h"

enum {
    /* of a line; programs that want all of a scattered array read XML or JSON */
    MOST_IDS_BYTES = 4000
};

struct line {
    const struct job_row *row;
    unsigned options;
    bool is_slave;
    bool is_continued; /* the line before is of the same task and queue instance */
    const struct PS_Type
        *petask;      /* the line is its, or the task's own of one with petasks; or NULL */
    size_t most_ids;  /* bytes of a list of tasks */
    struct dstr text; /* for a value that has to be made: until the next one */
};

/* ---- values ---- */
typedef struct doc_value value_fn(struct line *l);

static struct doc_value v_kind(struct line *l)
{
    static const char *const kinds[] = {
        [ROW_RUNNING] = "running", [ROW_PENDING] = "pending", [ROW_FINISHED] = "zombie"
    };
    return doc_string(kinds[l->row->kind]);
}
static struct doc_value v_number(struct line *l)
{
    return doc_number(l->row->job_number);
}
static struct doc_value v_prior(struct line *l)
{
    return doc_real(l->row->prior);
}
static struct doc_value v_prior_quoted(struct line *l)
{
    dstr_addc(&l->text, '\'');
    dstr_add_decimal(&l->text, l->row->prior, 6);
    dstr_addc(&l->text, '\'');
    return doc_string(dstr_get(&l->text));
}
/* what the priority is made of; all 0 of a job that could not run */
static const struct PF_Type *figures_of(const struct line *l)
{
    static const struct PF_Type none;
    return l->row->figures != NULL ? l->row->figures : &none;
}
/* plain clients link no libm */
static struct doc_value whole_number(double value, double half)
{
    const double most = 1e18;
    double cut = value < -most ? -most : value > most ? most : value;
    return doc_signed((int64_t)(cut < 0 ? cut - half : cut + half));
}
static struct doc_value v_nurg(struct line *l)
{
    return doc_real(figures_of(l)->PF_nurg);
}
static struct doc_value v_nppri(struct line *l)
{
    return doc_real(figures_of(l)->PF_npprior);
}
static struct doc_value v_ntix(struct line *l)
{
    return doc_real(figures_of(l)->PF_ntckts);
}
static struct doc_value v_urg(struct line *l)
{
    return whole_number(figures_of(l)->PF_urg, 0.5);
}
static struct doc_value v_rrcontr(struct line *l)
{
    return whole_number(figures_of(l)->PF_rrcontr, 0.5);
}
static struct doc_value v_wtcontr(struct line *l)
{
    return whole_number(figures_of(l)->PF_wtcontr, 0.5);
}
static struct doc_value v_dlcontr(struct line *l)
{
    return whole_number(figures_of(l)->PF_dlcontr, 0.5);
}
/* tickets are cut to whole ones */
static struct doc_value v_tickets(struct line *l)
{
    return whole_number(figures_of(l)->PF_tickets, 0);
}
static struct doc_value v_otickets(struct line *l)
{
    return whole_number(figures_of(l)->PF_otickets, 0);
}
static struct doc_value v_ftickets(struct line *l)
{
    return whole_number(figures_of(l)->PF_ftickets, 0);
}
static struct doc_value v_stickets(struct line *l)
{
    return whole_number(figures_of(l)->PF_stickets, 0);
}
static struct doc_value v_share(struct line *l)
{
    return doc_real(figures_of(l)->PF_share);
}

static struct doc_value v_posix_priority(struct line *l)
{
    const struct JB_Type *job = l->row->job;
    bool is_known = job != NULL && cull_has(job, JB_priority);
    return doc_signed(is_known ? (int64_t)job->JB_priority - JOB_PRIORITY_BASE : 0);
}

static struct doc_value v_name(struct line *l)
{
    return doc_string(l->row->name);
}
static struct doc_value v_owner(struct line *l)
{
    return doc_string(l->row->owner);
}
static struct doc_value v_state(struct line *l)
{
    return doc_string(l->row->state);
}

static struct doc_value v_project(struct line *l)
{
    const char *project = l->row->job != NULL ? l->row->job->JB_project : NULL;
    return project != NULL ? doc_string(project) : doc_none("");
}
static struct doc_value v_project_word(struct line *l)
{
    return doc_string(v_project(l).type == DOC_NONE ? "NA" : l->row->job->JB_project);
}

static struct doc_value v_department(struct line *l)
{
    const char *department = l->row->job != NULL ? l->row->job->JB_department : NULL;
    return doc_string(department != NULL ? department : "defaultdepartment");
}

static struct doc_value v_time(struct line *l)
{
    return doc_moment(l->row->at_s);
}
static struct doc_value v_submitted(struct line *l)
{
    return doc_moment(l->row->submit_s);
}
static struct doc_value v_started(struct line *l)
{
    return l->row->kind == ROW_RUNNING ? doc_moment(l->row->at_s) : doc_none(NULL);
}

/* XML has one of the two times, and with -ext none unless -urg asks for it */
static bool has_time(const struct line *l)
{
    return (l->options & TABLE_EXT) == 0 || (l->options & TABLE_URG) != 0;
}
static struct doc_value v_started_xml(struct line *l)
{
    return has_time(l) ? v_started(l) : doc_none(NULL);
}
static struct doc_value v_submitted_xml(struct line *l)
{
    bool is_shown = has_time(l) && l->row->kind != ROW_RUNNING;
    return is_shown ? doc_moment(l->row->at_s) : doc_none(NULL);
}

static struct doc_value v_deadline(struct line *l)
{
    bool has_one = l->row->job != NULL && l->row->job->JB_deadline != 0;
    return has_one ? doc_moment(l->row->job->JB_deadline) : doc_none("");
}

static struct doc_value v_deadline_xml(struct line *l)
{
    struct doc_value deadline = v_deadline(l);
    return deadline.type == DOC_MOMENT ? deadline : doc_none(NULL);
}

double task_usage(const struct JAT_Type *task, const char *name)
{
    for (uint32_t i = 0; task != NULL && i < task->JAT_scaled_usage_list.n; i++) {
        const struct UA_Type *figure = &task->JAT_scaled_usage_list.v[i];
        if (figure->UA_name != NULL && strcmp(figure->UA_name, name) == 0)
            return figure->UA_value;
    }
    return -1;
}

static double petask_usage(const struct PS_Type *petask, const char *name)
{
    for (uint32_t i = 0; i < petask->PS_usage.n; i++) {
        const struct UA_Type *figure = &petask->PS_usage.v[i];
        if (figure->UA_name != NULL && strcmp(figure->UA_name, name) == 0)
            return figure->UA_value;
    }
    return 0;
}

/* What a running task has used; nothing is known before its first report. */
static struct doc_value usage_of(const struct line *l, const char *name)
{
    if (l->petask != NULL)
        return doc_real(petask_usage(l->petask, name));
    if (l->row->kind != ROW_RUNNING || task_usage(l->row->task, "cpu") < 0)
        return doc_none(NULL);
    double used = task_usage(l->row->task, name);
    return doc_real(used < 0 ? 0 : used);
}
static struct doc_value v_cpu(struct line *l)
{
    return usage_of(l, "cpu");
}
static struct doc_value v_mem(struct line *l)
{
    return usage_of(l, "mem");
}
static struct doc_value v_io(struct line *l)
{
    return usage_of(l, "io");
}

static struct doc_value with_unknown(const struct line *l, struct doc_value used)
{
    bool is_unknown = l->row->kind == ROW_RUNNING && used.type == DOC_NONE;
    return doc_shown(used, is_unknown ? "NA" : NULL);
}
static struct doc_value v_cpu_text(struct line *l)
{
    struct doc_value used = v_cpu(l);
    if (used.type == DOC_NONE)
        return with_unknown(l, used);
    unsigned long s = (unsigned long)used.as.real;
    dstr_addf(&l->text, "%lu:%02lu:%02lu:%02lu", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
    return doc_string(dstr_get(&l->text));
}
static struct doc_value v_mem_text(struct line *l)
{
    return with_unknown(l, v_mem(l));
}
static struct doc_value v_io_text(struct line *l)
{
    return with_unknown(l, v_io(l));
}

static struct doc_value v_override_tickets(struct line *l)
{
    return doc_number(l->row->job != NULL ? l->row->job->JB_override_tickets : 0);
}
static struct doc_value v_jobshare(struct line *l)
{
    return doc_number(l->row->job != NULL ? l->row->job->JB_jobshare : 0);
}

static struct doc_value v_queue(struct line *l)
{
    return l->row->queue != NULL ? doc_string(l->row->queue) : doc_none("");
}
static struct doc_value v_slots(struct line *l)
{
    return doc_number(l->row->slots);
}
static struct doc_value v_slots_each(struct line *l)
{
    bool is_one = (l->options & TABLE_MASTER) != 0 && l->row->kind == ROW_RUNNING;
    return doc_number(is_one ? 1 : l->row->slots);
}
static struct doc_value v_master(struct line *l)
{
    return doc_string(l->row->kind != ROW_RUNNING ? "" : l->is_slave ? "SLAVE" : "MASTER");
}

/* below a host only the first line of a task has it */
static bool has_tasks(const struct line *l)
{
    return l->row->is_array && !(l->is_continued && (l->options & TABLE_HOST) != 0);
}
static struct doc_value v_tasks(struct line *l)
{
    if (!has_tasks(l))
        return doc_none(NULL);
    row_tasks_text(l->row, l->most_ids, &l->text);
    return doc_string(dstr_get(&l->text));
}
static struct doc_value v_tasks_text(struct line *l)
{
    return has_tasks(l) ? v_tasks(l) : doc_string("       ");
}

/* of lines with a petask alone */
static struct doc_value v_petask(struct line *l)
{
    return doc_string(l->petask->PS_id);
}
static struct doc_value v_petask_id(struct line *l) /* the task itself has none */
{
    const char *id = l->petask->PS_id;
    return id != NULL && *id != '\0' ? doc_string(id) : doc_none(NULL);
}
static struct doc_value v_petask_cpu_s(struct line *l)
{
    return doc_real(petask_usage(l->petask, "cpu"));
}
static struct doc_value v_petask_state(struct line *l)
{
    return doc_string(l->row->state);
}
static struct doc_value v_petask_cpu(struct line *l)
{
    unsigned long s = (unsigned long)petask_usage(l->petask, "cpu");
    dstr_addf(&l->text, "%02lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    return doc_string(dstr_get(&l->text));
}
static struct doc_value v_petask_mem(struct line *l)
{
    return doc_real(petask_usage(l->petask, "mem"));
}
static struct doc_value v_petask_io(struct line *l)
{
    return doc_real(petask_usage(l->petask, "io"));
}

/* ---- fields ---- */
/* LAYOUT: where a field stands in one kind of listing */
struct layout {
    bool has_it;
    const char *head; /* of a page */
    struct doc_field field;
};
struct column {
    unsigned any_of, none_of;
    const char *title;
    value_fn *value;
    const char *needs;
    bool is_place;
    struct layout list, host;
};

/* clang-format off */
#define TEXT(width_, most_, digits_) { .width = width_, .most = most_, .digits = digits_, .after = " " }
#define BOTH(name_, ...) { .name = name_, .text = TEXT(__VA_ARGS__), .xml = { .digits = 5, .time = DOC_ISO } }
#define PAGE(name_, ...) { .name = name_, .only = DOC_TEXT, .text = TEXT(__VA_ARGS__) }
#define DATA(name_) { .name = name_, .only = XML_AND_JSON, .xml = { .digits = 5 } }
#define DATE(form) .only = form, .text = { .width = -19, .time = DOC_US_DATE, .after = " " }, .xml = { .time = DOC_ISO }
#define LIST(head_, ...) .list = { true, head_, __VA_ARGS__ }
#define HOST(head_, ...) .host = { true, head_, __VA_ARGS__ }
#define FIELD(id, any_of_, none_of_, title_, value_, needs_, is_place_, ...) \
    [JOB_FIELD_##id] = { any_of_, none_of_, title_, value_, needs_, is_place_, __VA_ARGS__ },
static const struct column columns[JOB_FIELDS] = {
#include "libs/show/sge_job_fieldL.h"
};
/* clang-format on */

const char *job_field_title(enum job_field field)
{
    return columns[field].title;
}

struct doc_value job_field_value(enum job_field field, const struct job_row *row, size_t most_bytes,
                                 struct dstr *text)
{
    struct line l = { .row = row, .most_ids = most_bytes, .text = *text };
    struct doc_value value = columns[field].value(&l);
    *text = l.text;
    return value;
}

static const struct layout *layout_of(const struct column *c, unsigned options)
{
    return (options & TABLE_HOST) != 0 ? &c->host : &c->list;
}

static bool column_is_shown(const struct column *c, unsigned options)
{
    return layout_of(c, options)->has_it && (c->any_of == 0 || (c->any_of & options) != 0) &&
           (c->none_of & options) == 0;
}

static unsigned added_width(unsigned options, unsigned ext)
{
    return ((options & TABLE_EXT) ? ext : 0) + ((options & TABLE_URG) ? 64 : 0) +
           ((options & TABLE_PRI) ? 35 : 0);
}

unsigned full_bar_width(unsigned options)
{
    return 81 + added_width(options, 108);
}
unsigned full_block_width(unsigned options)
{
    return 76 + added_width(options, 110);
}

void job_table_bar(FILE *out, char c, unsigned count)
{
    while (count-- > 0)
        fputc(c, out);
    fputc('\n', out);
}

void job_table_head(FILE *out, unsigned options)
{
    bool is_host = (options & TABLE_HOST) != 0;
    fputs(is_host ? "   " : "", out);
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        const char *head = layout_of(&columns[i], options)->head;
        if (head != NULL && column_is_shown(&columns[i], options))
            fputs(head, out);
    }
    fputs(is_host ? "\n   " : "\n", out);
    if (is_host) {
        job_table_bar(out, '-', 94);
        return;
    }
    unsigned width = 113 + added_width(options, 79) + ((options & TABLE_MASTER) ? 1 : 0) +
                     ((options & TABLE_TASKS) ? 53 : 0);
    job_table_bar(out, '-', width);
}

/* ---- rows ---- */
static const struct doc_kind job_kind = { .name = "job_list", .end = "\n" };
static const struct doc_kind host_job_kind = {
    .name = "job",
    .end = "\n",
    .xml = { .space = "\n ", .quote = '\'', .value = "jobvalue", .owner = "jobid" }
};

/* what a page does not have costs it nothing, nor does a page's own what the others have */
static bool is_for(const struct column *c, unsigned options, bool is_page)
{
    unsigned only = layout_of(c, options)->field.only;
    unsigned forms = only != 0 ? only : DOC_TEXT | XML_AND_JSON;
    return c->value != NULL && (forms & (is_page ? DOC_TEXT : XML_AND_JSON)) != 0;
}

struct job_table job_table_of(struct doc *d, unsigned options)
{
    struct job_table t = { .doc = d, .options = options };
    bool is_page = doc_page(d) != NULL;
    _Static_assert(JOB_FIELDS <= UINT8_MAX, "a field fits");
    for (unsigned i = 0; i < ARRAY_LEN(columns); i++)
        if (is_for(&columns[i], options, is_page) && column_is_shown(&columns[i], options))
            t.columns[t.n++] = (uint8_t)i;
    return t;
}

unsigned job_table_needs(unsigned options, bool is_page, const char *fields[JOB_FIELDS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < JOB_FIELDS; i++)
        if (columns[i].needs != NULL && is_for(&columns[i], options, is_page) &&
            column_is_shown(&columns[i], options))
            fields[n++] = columns[i].needs;
    return n;
}

/* a petask has a line of its own for what it has used */
static bool is_hidden(const struct line *l, unsigned field)
{
    bool is_usage = field >= JOB_FIELD_CPU_TEXT && field <= JOB_FIELD_SHARE;
    return l->is_continued && !columns[field].is_place && !(l->petask != NULL && is_usage);
}

static void show_line(const struct job_table *t, struct line *l)
{
    bool is_host = (t->options & TABLE_HOST) != 0;
    doc_gather(t->doc);
    for (unsigned i = 0; i < t->n; i++) {
        const struct column *c = &columns[t->columns[i]];
        if (c->any_of == TABLE_TASKS && l->petask == NULL)
            continue;
        dstr_clear(&l->text);
        struct doc_value value = c->value(l);
        if (!is_host || value.type != DOC_NONE)
            doc_field(t->doc, is_host ? &c->host.field : &c->list.field,
                      doc_hidden(value, is_hidden(l, t->columns[i])));
    }
    doc_gathered(t->doc);
}

static void show_one(const struct job_table *t, const struct job_row *row, bool is_continued,
                     const struct PS_Type *petask)
{
    struct line l = { .row = row,
                      .petask = petask,
                      .options = t->options,
                      .is_slave = row->is_slave || is_continued,
                      .is_continued = is_continued,
                      .most_ids = doc_page(t->doc) != NULL ? MOST_IDS_BYTES : SIZE_MAX,
                      .text = DSTR_INIT };
    doc_begin(t->doc, (t->options & TABLE_HOST) != 0 ? &host_job_kind : &job_kind);
    show_line(t, &l);
    if ((t->options & TABLE_REQUESTS) != 0 && row->job != NULL &&
        (!is_continued || doc_page(t->doc) == NULL))
        job_requests_show(t->doc, row, (t->options & TABLE_NO_BINDING) == 0);
    doc_end(t->doc);
    dstr_free(&l.text);
}

/* the petasks of the task that are on the host of QUEUE, a line each; those of its master below its
 * own. Returns how many lines */
static uint32_t show_petasks(const struct job_table *t, const struct job_row *row,
                             const struct PS_Type_list *petasks)
{
    const char *at = row->queue != NULL ? strrchr(row->queue, '@') : NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; at != NULL && i < petasks->n; i++) {
        const struct PS_Type *petask = &petasks->v[i];
        if (petask->PS_host == NULL || strcmp(at + 1, petask->PS_host) != 0)
            continue;
        show_one(t, row, n > 0, petask);
        n++;
    }
    return n;
}

static void show_place(const struct job_table *t, const struct job_row *here,
                       const struct job_row *row)
{
    uint32_t n = here->slots + (!here->is_slave && row->is_beside ? 1 : 0);
    if ((t->options & TABLE_TASKS) != 0 && row->task != NULL &&
        show_petasks(t, here, &row->task->JAT_petasks) > 0)
        return;
    for (uint32_t k = 0; k < n; k++)
        show_one(t, here, k > 0, NULL);
}

static void show_row(const struct job_table *t, const struct job_row *row)
{
    if ((t->options & TABLE_MASTER) == 0 || row->kind != ROW_RUNNING) {
        show_one(t, row, false, NULL);
        return;
    }
    for (uint32_t i = 0; i < job_row_places(row); i++) {
        struct job_row here = row->is_slave ? *row : job_row_at(row, i);
        show_place(t, &here, row);
    }
}

static void show_task(void *ctx, const struct job_row *one)
{
    show_row(*(const struct job_table *const *)ctx, one);
}

void job_table_row(const struct job_table *t, const struct job_row *row)
{
    if ((t->options & TABLE_EACH_TASK) != 0)
        job_row_each_task(row, show_task, &t);
    else
        show_row(t, row);
}
