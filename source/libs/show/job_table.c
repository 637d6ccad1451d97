/* A listing of jobs: a row for each column, with its heading, the options that bring it, how each
 * form writes it and its value. Widths, the blanks at the ends of lines and the lengths of the
 * dashed lines are captured behaviour that scripts rely on; so are the names and the order of the
 * elements. */
#include "libs/show/job_table.h"

#include "libs/doc/doc.h"
#include "libs/sgeobj/job_state.h"
#include "libs/show/job_requests.h"
#include "libs/uti/dstr.h"

enum {
    XML_AND_JSON = DOC_XML | DOC_JSON,
    /* of a line; programs that want all of a scattered array read XML or JSON */
    MOST_IDS_BYTES = 4000
};

struct line {
    const struct job_row *row;
    unsigned options;
    bool is_slave;
    bool is_continued; /* the line before is of the same task and queue instance */
    struct dstr text;  /* for a value that has to be made: until the next one */
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
static struct doc_value v_nurg(struct line *l)
{
    return doc_real(l->row->nurg);
}
static struct doc_value v_nppri(struct line *l)
{
    bool counts = l->row->job != NULL && l->row->is_active;
    return doc_real(counts ? job_npprior(l->row->job) : 0.0);
}

/* No policy hands out tickets, so active jobs have equally many. */
static struct doc_value v_ntix(struct line *l)
{
    return doc_real(l->row->is_active ? 0.5 : 0.0);
}
static struct doc_value v_zero(struct line *l)
{
    (void)l;
    return doc_number(0);
}
static struct doc_value v_no_share(struct line *l)
{
    (void)l;
    return doc_real(0);
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

double task_usage(const struct JAT_Type *task, const char *name)
{
    for (uint32_t i = 0; task != NULL && i < task->JAT_scaled_usage_list.n; i++) {
        const struct UA_Type *figure = &task->JAT_scaled_usage_list.v[i];
        if (figure->UA_name != NULL && strcmp(figure->UA_name, name) == 0)
            return figure->UA_value;
    }
    return -1;
}

/* What a running task has used; nothing is known before its first report. */
static struct doc_value usage_of(const struct line *l, const char *name)
{
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

static struct doc_value v_tasks(struct line *l)
{
    if (!l->row->is_array)
        return doc_none(NULL);
    row_tasks_text(l->row, SIZE_MAX, &l->text);
    return doc_string(dstr_get(&l->text));
}
static struct doc_value v_tasks_text(struct line *l)
{
    if (!l->row->is_array)
        return doc_string("       ");
    row_tasks_text(l->row, MOST_IDS_BYTES, &l->text);
    return doc_string(dstr_get(&l->text));
}

/* ---- columns ---- */

/* any_of, none_of  the options that bring the column and take it away; 0: always, never
 * head             of the page; those of several columns may stand with the first of them
 * is_place         lines that continue show it: the columns before are blank */
struct column {
    unsigned any_of, none_of;
    const char *head;
    value_fn *value;
    bool is_place;
    struct doc_field field;
};

/* clang-format off */
#define TEXT(width_, most_, digits_) { .width = width_, .most = most_, .digits = digits_, .after = " " }
#define BOTH(name_, ...) { .name = name_, .text = TEXT(__VA_ARGS__), .xml = { .digits = 5, .time = DOC_ISO } }
#define PAGE(name_, ...) { .name = name_, .only = DOC_TEXT, .text = TEXT(__VA_ARGS__) }
#define DATA(name_) { .name = name_, .only = XML_AND_JSON, .xml = { .digits = 5 } }
#define DATE(form) .only = form, .text = { .width = -19, .time = DOC_US_DATE, .after = " " }, .xml = { .time = DOC_ISO }
static const struct column columns[] = {
    { 0, 0, NULL, v_kind, false, { .name = "state", .json = "kind", .only = XML_AND_JSON, .xml = { .place = DOC_ATTRIBUTE } } },
    { 0, 0, "job-ID  ", v_number, false, BOTH("JB_job_number", 7, 0, 0) },
    { 0, 0, "prior   ", v_prior, false, BOTH("JAT_prio", 7, 0, 5) },
    { TABLE_URG | TABLE_PRI, 0, "nurg    ", v_nurg, false, PAGE("nurg", 7, 0, 5) },
    { TABLE_PRI, 0, "npprior ", v_nppri, false, PAGE("npprior", 7, 0, 5) },
    { TABLE_EXT | TABLE_PRI, 0, "ntckts  ", v_ntix, false, BOTH("JAT_ntix", 7, 0, 5) },
    { TABLE_PRI, 0, NULL, v_nppri, false, DATA("JB_nppri") },
    { TABLE_PRI | TABLE_URG, 0, NULL, v_nurg, false, DATA("JB_nurg") },
    { TABLE_URG, 0, "urg      rrcontr  wtcontr  dlcontr  ", v_zero, false, PAGE("urg", 8, 0, 0) },
    { TABLE_URG, 0, NULL, v_zero, false, BOTH("JB_rrcontr", 8, 0, 0) },
    { TABLE_URG, 0, NULL, v_zero, false, BOTH("JB_wtcontr", 8, 0, 0) },
    { TABLE_URG, 0, NULL, v_zero, false, BOTH("JB_dlcontr", 8, 0, 0) },
    { TABLE_PRI, 0, " ppri ", v_posix_priority, false, BOTH("JB_priority", 5, 0, 0) },
    { 0, 0, "name       ", v_name, false, BOTH("JB_name", -10, 10, 0) },
    { 0, 0, "user         ", v_owner, false, BOTH("JB_owner", -12, 12, 0) },
    { TABLE_EXT, 0, "project          department ", v_project_word, false, PAGE("project", -16, 16, 0) },
    { TABLE_EXT, 0, NULL, v_project, false, DATA("JB_project") },
    { TABLE_EXT, 0, NULL, v_department, false, BOTH("JB_department", -10, 10, 0) },
    { 0, 0, "state ", v_state, false, BOTH("state", -5, 5, 0) },
    { 0, TABLE_EXT | TABLE_URG, "submit/start at     ", v_time, false, { DATE(DOC_TEXT) } },
    { TABLE_URG, 0, "submit/start at      ", v_time, false, { DATE(DOC_TEXT) } },
    { 0, 0, NULL, v_started_xml, false, { .name = "JAT_start_time", DATE(DOC_XML) } },
    { 0, 0, NULL, v_submitted_xml, false, { .name = "JB_submission_time", DATE(DOC_XML) } },
    { 0, 0, NULL, v_started, false, { .name = "JAT_start_time", DATE(DOC_JSON) } },
    { 0, 0, NULL, v_submitted, false, { .name = "JB_submission_time", DATE(DOC_JSON) } },
    { TABLE_URG, 0, "deadline           ", v_deadline, false, { .name = "JB_deadline", DATE(DOC_TEXT | DOC_JSON) } },
    { TABLE_EXT, 0, "cpu        mem     io      ", v_cpu_text, false, PAGE("cpu", -10, 0, 0) },
    { TABLE_EXT, 0, NULL, v_mem_text, false, PAGE("mem", -7, 0, 5) },
    { TABLE_EXT, 0, NULL, v_io_text, false, PAGE("io", -7, 0, 5) },
    { TABLE_EXT, 0, NULL, v_cpu, false, DATA("cpu_usage") },
    { TABLE_EXT, 0, NULL, v_mem, false, DATA("mem_usage") },
    { TABLE_EXT, 0, NULL, v_io, false, DATA("io_usage") },
    { TABLE_EXT, 0, "tckts ovrts otckt ftckt stckt share ", v_zero, false, BOTH("tickets", 5, 0, 0) },
    { TABLE_EXT, 0, NULL, v_override_tickets, false, BOTH("JB_override_tickets", 5, 0, 0) },
    { TABLE_EXT, 0, NULL, v_jobshare, false, DATA("JB_jobshare") },
    { TABLE_EXT, 0, NULL, v_zero, false, BOTH("otickets", 5, 0, 0) },
    { TABLE_EXT, 0, NULL, v_zero, false, BOTH("ftickets", 5, 0, 0) },
    { TABLE_EXT, 0, NULL, v_zero, false, BOTH("stickets", 5, 0, 0) },
    { TABLE_EXT, 0, NULL, v_no_share, false, BOTH("JAT_share", -5, 0, 2) },
    { 0, TABLE_FULL, "queue                          ", v_queue, true, BOTH("queue_name", -30, 30, 0) },
    { 0, TABLE_MASTER, "slots ", v_slots, true, PAGE("slots", 5, 0, 0) },
    { TABLE_MASTER, 0, "master ", v_master, true, BOTH("master", -6, 0, 0) },
    { 0, 0, NULL, v_slots_each, true, DATA("slots") },
    { 0, 0, "ja-task-ID ", v_tasks_text, true, { .only = DOC_TEXT } },
    { 0, 0, NULL, v_tasks, true, DATA("tasks") },
    { TABLE_TASKS, 0, "task-ID state cpu        mem     io      stat failed ", NULL, false, { .name = NULL } },
};
/* clang-format on */

static bool column_is_shown(const struct column *c, unsigned options)
{
    return (c->any_of == 0 || (c->any_of & options) != 0) && (c->none_of & options) == 0;
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
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        if (columns[i].head != NULL && column_is_shown(&columns[i], options))
            fputs(columns[i].head, out);
    }
    fputc('\n', out);
    unsigned width = 113 + added_width(options, 79) + ((options & TABLE_MASTER) ? 1 : 0) +
                     ((options & TABLE_TASKS) ? 53 : 0);
    job_table_bar(out, '-', width);
}

/* ---- rows ---- */
static const struct doc_kind job_kind = { .name = "job_list", .end = "\n" };

/* what a page does not have costs it nothing, nor does a page's own what the others have */
static bool is_for(const struct column *c, bool is_page)
{
    unsigned forms = c->field.only != 0 ? c->field.only : DOC_TEXT | XML_AND_JSON;
    return c->value != NULL && (forms & (is_page ? DOC_TEXT : XML_AND_JSON)) != 0;
}

struct job_table job_table_of(struct doc *d, unsigned options)
{
    struct job_table t = { .doc = d, .options = options };
    bool is_page = doc_page(d) != NULL;
    _Static_assert(ARRAY_LEN(columns) <= JOB_COLUMNS_MOST, "all may be shown");
    for (unsigned i = 0; i < ARRAY_LEN(columns); i++)
        if (is_for(&columns[i], is_page) && column_is_shown(&columns[i], options))
            t.columns[t.n++] = (uint8_t)i;
    return t;
}

static void show_line(const struct job_table *t, struct line *l)
{
    doc_gather(t->doc);
    for (unsigned i = 0; i < t->n; i++) {
        const struct column *c = &columns[t->columns[i]];
        dstr_clear(&l->text);
        doc_field(t->doc, &c->field, doc_hidden(c->value(l), l->is_continued && !c->is_place));
    }
    doc_gathered(t->doc);
}

static void show_one(const struct job_table *t, const struct job_row *row, bool is_continued)
{
    struct line l = { .row = row,
                      .options = t->options,
                      .is_slave = row->is_slave || is_continued,
                      .is_continued = is_continued,
                      .text = DSTR_INIT };
    doc_begin(t->doc, &job_kind);
    show_line(t, &l);
    if ((t->options & TABLE_REQUESTS) != 0 && row->job != NULL &&
        (!is_continued || doc_page(t->doc) == NULL))
        job_requests_show(t->doc, row, (t->options & TABLE_NO_BINDING) == 0);
    doc_end(t->doc);
    dstr_free(&l.text);
}

static void show_row(const struct job_table *t, const struct job_row *row)
{
    if ((t->options & TABLE_MASTER) == 0 || row->kind != ROW_RUNNING) {
        show_one(t, row, false);
        return;
    }
    for (uint32_t i = 0; i < job_row_places(row); i++) {
        struct job_row here = row->is_slave ? *row : job_row_at(row, i);
        for (uint32_t k = 0; k < here.slots; k++)
            show_one(t, &here, k > 0);
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
