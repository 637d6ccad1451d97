/* The job tables of qstat. A column is a row of a table: its heading, the options that bring it and how it is filled.
 * Widths, the blanks at the ends of lines and the lengths of the dashed lines are captured behaviour that scripts rely on. */
#include "clients/common/job_table.h"

#include <stdlib.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

struct line {
    const struct job_row *row;
    unsigned options;
    const char *tasks; /* text of the task column */
    bool is_slave;
};

static void put_number(FILE *out, const struct line *l)
{
    fprintf(out, "%7u ", l->row->job_number);
}
static void put_prior(FILE *out, const struct line *l)
{
    fprintf(out, "%7.5f ", l->row->prior);
}
static void put_nurg(FILE *out, const struct line *l)
{
    fprintf(out, "%7.5f ", l->row->nurg);
}

static void put_name(FILE *out, const struct line *l)
{
    fprintf(out, "%-10.10s ", l->row->name ? l->row->name : "");
}
static void put_user(FILE *out, const struct line *l)
{
    fprintf(out, "%-12.12s ", l->row->owner ? l->row->owner : "");
}
static void put_state(FILE *out, const struct line *l)
{
    fprintf(out, "%-5.5s ", l->row->state);
}

static void put_nppri(FILE *out, const struct line *l)
{
    fprintf(out, "%7.5f ",
            l->row->job != NULL && l->row->is_active ? job_npprior(l->row->job) : 0.0);
}

/* No policy hands out tickets, so active jobs have equally many. */
static void put_ntix(FILE *out, const struct line *l)
{
    fprintf(out, "%7.5f ", l->row->is_active ? 0.5 : 0.0);
}

static void put_urgency(FILE *out, const struct line *l)
{
    (void)l;
    fprintf(out, "%8d %8d %8d %8d ", 0, 0, 0, 0);
}

static void put_posix_priority(FILE *out, const struct line *l)
{
    const struct JB_Type *job = l->row->job;
    int base = JOB_PRIORITY_BASE;
    fprintf(out, "%5d ",
            job != NULL && cull_has(job, JB_priority) ? (int)job->JB_priority - base : 0);
}

static void put_project(FILE *out, const struct line *l)
{
    const struct JB_Type *job = l->row->job;
    fprintf(out, "%-16.16s ", job != NULL && job->JB_project != NULL ? job->JB_project : "NA");
    fprintf(out, "%-10.10s ",
            job != NULL && job->JB_department != NULL ? job->JB_department : "defaultdepartment");
}

static void put_time(FILE *out, const struct line *l)
{
    struct dstr text = DSTR_INIT;
    uti_time_us_date(l->row->at_s, &text);
    fprintf(out, "%-19s ", dstr_get(&text));
    dstr_free(&text);
}

static void put_deadline(FILE *out, const struct line *l)
{
    struct dstr text = DSTR_INIT;
    if (l->row->job != NULL && l->row->job->JB_deadline != 0)
        uti_time_us_date(l->row->job->JB_deadline, &text);
    fprintf(out, "%-19s ", dstr_get(&text));
    dstr_free(&text);
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

static void put_usage(FILE *out, const struct line *l)
{
    double cpu = task_usage(l->row->task, "cpu");
    if (l->row->kind != ROW_RUNNING) {
        fprintf(out, "%10s %7s %7s ", "", "", "");
    } else if (cpu < 0) {
        fprintf(out, "%-10s %-7s %-7s ", "NA", "NA", "NA");
    } else {
        unsigned long s = (unsigned long)cpu;
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "%lu:%02lu:%02lu:%02lu", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
        double mem = task_usage(l->row->task, "mem"), io = task_usage(l->row->task, "io");
        fprintf(out, "%-10s %-7.5f %-7.5f ", dstr_get(&text), mem < 0 ? 0 : mem, io < 0 ? 0 : io);
        dstr_free(&text);
    }
}

static void put_tickets(FILE *out, const struct line *l)
{
    unsigned override = l->row->job != NULL ? l->row->job->JB_override_tickets : 0;
    fprintf(out, "%5d %5u %5d %5d %5d %-5.2f ", 0, override, 0, 0, 0, 0.0);
}

static void put_queue(FILE *out, const struct line *l)
{
    fprintf(out, "%-30.30s ", l->row->queue != NULL ? l->row->queue : "");
}

static void put_slots(FILE *out, const struct line *l)
{
    fprintf(out, "%5u ", l->row->slots);
}

static void put_master(FILE *out, const struct line *l)
{
    fprintf(out, "%-6s ", l->row->kind != ROW_RUNNING ? "" : l->is_slave ? "SLAVE" : "MASTER");
}

static void put_tasks(FILE *out, const struct line *l)
{
    fputs(l->row->is_array && !l->is_slave ? l->tasks : "       ", out);
}

struct column {
    unsigned any_of;  /* shown with one of these; 0 = always */
    unsigned none_of; /* and with none of these */
    const char *head;
    void (*put)(FILE *out, const struct line *l);
};

static const struct column columns[] = {
    { 0, 0, "job-ID  ", put_number },
    { 0, 0, "prior   ", put_prior },
    { TABLE_URG | TABLE_PRI, 0, "nurg    ", put_nurg },
    { TABLE_PRI, 0, "npprior ", put_nppri },
    { TABLE_EXT | TABLE_PRI, 0, "ntckts  ", put_ntix },
    { TABLE_URG, 0, "urg      rrcontr  wtcontr  dlcontr  ", put_urgency },
    { TABLE_PRI, 0, " ppri ", put_posix_priority },
    { 0, 0, "name       ", put_name },
    { 0, 0, "user         ", put_user },
    { TABLE_EXT, 0, "project          department ", put_project },
    { 0, 0, "state ", put_state },
    { 0, TABLE_EXT | TABLE_URG, "submit/start at     ", put_time },
    { TABLE_URG, 0, "submit/start at      ", put_time },
    { TABLE_URG, 0, "deadline           ", put_deadline },
    { TABLE_EXT, 0, "cpu        mem     io      ", put_usage },
    { TABLE_EXT, 0, "tckts ovrts otckt ftckt stckt share ", put_tickets },
    { 0, TABLE_FULL, "queue                          ", put_queue },
    { 0, TABLE_MASTER, "slots ", put_slots },
    { TABLE_MASTER, 0, "master ", put_master },
    { 0, 0, "ja-task-ID ", put_tasks },
    { TABLE_TASKS, 0, "task-ID state cpu        mem     io      stat failed ", NULL },
};

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
        if (column_is_shown(&columns[i], options))
            fputs(columns[i].head, out);
    }
    fputc('\n', out);
    unsigned width = 113 + added_width(options, 79) + ((options & TABLE_MASTER) ? 1 : 0) +
                     ((options & TABLE_TASKS) ? 53 : 0);
    job_table_bar(out, '-', width);
}

static void put_line(FILE *out, const struct line *l)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        if (columns[i].put != NULL && column_is_shown(&columns[i], l->options))
            columns[i].put(out, l);
    }
    fputc('\n', out);
}

/* The slaves of a parallel task name their queue only: the columns before it stay blank. */
static void put_slave_line(FILE *out, const struct line *l)
{
    bool is_before_queue = true;
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        if (!column_is_shown(&columns[i], l->options) || columns[i].put == NULL)
            continue;
        is_before_queue =
            is_before_queue && columns[i].put != put_queue && columns[i].put != put_master;
        if (is_before_queue)
            fprintf(out, "%*s", (int)strlen(columns[i].head), "");
        else
            columns[i].put(out, l);
    }
    fputc('\n', out);
}

void job_ids_list_text(const struct JRE_Type_list *list, struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++)
        dstr_addf(out, "%s%u", i > 0 ? "," : "", list->v[i].JRE_job_number);
}

void job_request_list_text(const struct JRE_Type_list *list, struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (i > 0)
            dstr_addc(out, ',');
        if (list->v[i].JRE_job_name != NULL)
            dstr_add(out, list->v[i].JRE_job_name);
        else
            dstr_addf(out, "%u", list->v[i].JRE_job_number);
    }
}

void job_pe_range_text(const struct JB_Type *job, struct dstr *out)
{
    struct range r;
    const char *separator = "";
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(&job->JB_pe_range, at, &r);
         at = (uint64_t)r.last + 1) {
        if (r.first == r.last)
            dstr_addf(out, "%s%u", separator, r.first);
        else
            dstr_addf(out, "%s%u-%u", separator, r.first, r.last);
        separator = ",";
    }
}

void job_binding_text(const struct JB_Type *job, struct dstr *out)
{
    const struct BN_Type *b = job->JB_binding.n > 0 ? &job->JB_binding.v[0] : NULL;
    if (b == NULL || b->BN_strategy == NULL || strcmp(b->BN_strategy, "no_job_binding") == 0) {
        dstr_add(out, "NONE");
        return;
    }
    dstr_addf(out, "set %s", b->BN_strategy);
    if (b->BN_parameter_n > 0)
        dstr_addf(out, ":%u", b->BN_parameter_n);
}

static void put_resources(FILE *out, const char *label, const struct CE_Type_list *list,
                          bool is_hard)
{
    fprintf(out, "       %s   ", label);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct CE_Type *ce = &list->v[i];
        fprintf(out, "%*s%s=%s", i > 0 ? 25 : 0, "", ce->CE_name ? ce->CE_name : "",
                ce->CE_stringval ? ce->CE_stringval : "");
        fputs(is_hard ? " (0.000000)\n" : "\n", out);
    }
    if (list->n == 0)
        fputc('\n', out);
}

static void put_queues_wanted(FILE *out, const char *label, const struct QR_Type_list *list)
{
    if (list->n == 0)
        return;
    fprintf(out, "       %s ", label);
    for (uint32_t i = 0; i < list->n; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", list->v[i].QR_name ? list->v[i].QR_name : "");
    fputc('\n', out);
}

static void put_jobs(FILE *out, const char *label, const struct JRE_Type_list *list,
                     void (*text)(const struct JRE_Type_list *, struct dstr *))
{
    if (list->n == 0)
        return;
    struct dstr ids = DSTR_INIT;
    text(list, &ids);
    fprintf(out, "       %s %s\n", label, dstr_get(&ids));
    dstr_free(&ids);
}

static void put_pe(FILE *out, const struct job_row *row)
{
    if (row->job->JB_pe == NULL)
        return;
    struct dstr range = DSTR_INIT;
    job_pe_range_text(row->job, &range);
    fprintf(out, "       Requested PE:     %s %s\n", row->job->JB_pe, dstr_get(&range));
    if (row->kind == ROW_RUNNING)
        fprintf(out, "       Granted PE:       %s %u\n", row->job->JB_pe, row->slots);
    dstr_free(&range);
}

static void put_requests(FILE *out, unsigned options, const struct job_row *row)
{
    const struct JB_Type *job = row->job;
    fprintf(out, "       Full jobname:     %s\n", row->name ? row->name : "");
    if (row->queue != NULL)
        fprintf(out, "       Master Queue:     %s\n", row->queue);
    put_pe(out, row);
    put_resources(out, "Hard Resources:", &job->JB_hard_resource_list, true);
    put_resources(out, "Soft Resources:", &job->JB_soft_resource_list, false);
    put_queues_wanted(out, "Hard requested queues:", &job->JB_hard_queue_list);
    put_queues_wanted(out, "Soft requested queues:", &job->JB_soft_queue_list);
    put_queues_wanted(out, "Master task hard requested queues:", &job->JB_master_hard_queue_list);
    put_jobs(out, "Predecessor Jobs (request):", &job->JB_jid_request_list, job_request_list_text);
    put_jobs(out, "Predecessor Jobs:", &job->JB_jid_predecessor_list, job_ids_list_text);
    put_jobs(out, "Predecessor Array Jobs (request):", &job->JB_ja_ad_request_list,
             job_request_list_text);
    put_jobs(out, "Predecessor Array Jobs:", &job->JB_ja_ad_predecessor_list, job_ids_list_text);
    if ((options & TABLE_NO_BINDING) == 0) {
        struct dstr binding = DSTR_INIT;
        job_binding_text(job, &binding);
        fprintf(out, "       Binding:          %s\n", dstr_get(&binding));
        dstr_free(&binding);
    }
}

enum {
    MOST_IDS_BYTES = 4000
}; /* of a table's row; programs that want all of a scattered array read XML */

static void put_row(FILE *out, unsigned options, const struct job_row *row)
{
    struct dstr tasks = DSTR_INIT;
    row_tasks_text(row, MOST_IDS_BYTES, &tasks);
    struct line l = { .row = row, .options = options, .tasks = dstr_get(&tasks) };
    put_line(out, &l);
    if ((options & TABLE_REQUESTS) != 0 && row->job != NULL)
        put_requests(out, options, row);
    l.is_slave = true;
    for (uint32_t i = 1;
         (options & TABLE_MASTER) != 0 && row->kind == ROW_RUNNING && i < row->slots; i++)
        put_slave_line(out, &l);
    dstr_free(&tasks);
}

struct each_task {
    FILE *out;
    unsigned options;
};

static void put_task_row(void *ctx, const struct job_row *one)
{
    const struct each_task *e = ctx;
    put_row(e->out, e->options, one);
}

void job_table_row(FILE *out, unsigned options, const struct job_row *row)
{
    struct each_task each = { out, options };
    if ((options & TABLE_EACH_TASK) != 0)
        job_row_each_task(row, put_task_row, &each);
    else
        put_row(out, options, row);
}
