/* Jobs and their tasks become the lines of a listing. Every pending task of a job is on exactly one
 * line, chosen by the letters of its state, so that an array of a million tasks is two or three
 * lines, not a million. Source: qstat(1). */
#include "libs/show/job_row.h"

#include <stdlib.h>

#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/dstr.h"

const char *const job_row_fields[] = {
    "JB_job_number",
    "JB_job_name",
    "JB_owner",
    "JB_submission_time",
    "JB_execution_time",
    "JB_type",
    "JB_ja_first",
    "JB_ja_last",
    "JB_ja_step",
    "JB_ja_pending_ids",
    "JB_ja_u_h_ids",
    "JB_ja_o_h_ids",
    "JB_ja_s_h_ids",
    "JB_ja_a_h_ids",
    "JB_jid_predecessor_list",
    "JB_pe",
    "JB_pe_range",
    NULL,
};

static bool show_parse_hold(const char **at, unsigned *show)
{
    static const struct {
        char letter;
        unsigned bit;
    } kinds[] = {
        { 'u', SHOW_HOLD_USER },  { 'o', SHOW_HOLD_OPERATOR }, { 's', SHOW_HOLD_SYSTEM },
        { 'd', SHOW_HOLD_ARRAY }, { 'j', SHOW_HOLD_JOB },      { 'a', SHOW_START_LATER },
    };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (**at == kinds[i].letter) {
            *show |= kinds[i].bit;
            (*at)++;
            return true;
        }
    }
    *show |= SHOW_ANY_HOLD;
    return true;
}

bool show_parse(const char *letters, unsigned *show)
{
    unsigned wanted = 0;
    for (const char *at = letters; *at != '\0';) {
        switch (*at++) {
        case 'p':
            wanted |= SHOW_PENDING;
            break;
        case 'r':
            wanted |= SHOW_RUNNING;
            break;
        case 's':
            wanted |= SHOW_SUSPENDED;
            break;
        case 'z':
            wanted |= SHOW_FINISHED;
            break;
        case 'a':
            wanted |= SHOW_DEFAULT | SHOW_ANY_HOLD;
            break;
        case 'h':
            (void)show_parse_hold(&at, &wanted);
            break;
        default:
            return false;
        }
    }
    if (wanted == 0)
        return false;
    *show |= wanted;
    return true;
}

uint32_t job_slots_wanted(const struct JB_Type *job)
{
    uint32_t least = 1;
    if (job->JB_pe != NULL && range_set_min(&job->JB_pe_range, &least) && least > 0)
        return least;
    return 1;
}

/* a job, as it came */
struct shown {
    const struct row_wish *wish;
    const struct JB_Type *job;
    const struct PF_Type *figures; /* NULL: none */
};

/* ROW runs or could run: it has the figures of its job */
static void activate_row(struct job_row *row, const struct shown *of)
{
    row->is_active = true;
    if (of->figures == NULL)
        return;
    row->prior = of->figures->PF_prior;
    if (!of->wish->keep_job)
        return;
    row->figures = uti_alloc(sizeof *row->figures);
    *row->figures = *of->figures; /* numbers alone */
}

static struct job_row *row_new(struct job_rows *rows, enum row_kind kind, const struct shown *of)
{
    const struct JB_Type *job = of->job;
    rows->v = uti_vec_grow(rows->v, &rows->cap, rows->n + 1, sizeof *rows->v);
    struct job_row *row = &rows->v[rows->n++];
    *row = (struct job_row){
        .kind = kind,
        .job_number = job->JB_job_number,
        .name = cull_string_hold(job->JB_job_name),
        .owner = cull_string_hold(job->JB_owner),
        .at_s = job->JB_submission_time,
        .submit_s = job->JB_submission_time,
        .slots = job_slots_wanted(job),
        .is_array = job_is_array(job),
        .ja_first = job->JB_ja_first,
        .ja_step = job->JB_ja_step,
    };
    if (of->wish->keep_job) {
        struct JB_Type *copy = cull_new(&cull_JB_Type);
        cull_copy(&cull_JB_Type, copy, job);
        row->job = copy;
    }
    return row;
}

static void state_letters(const struct JAT_Type *task, unsigned holds, char out[8])
{
    struct dstr text = DSTR_INIT;
    task_state_text(task, holds, &text);
    size_t len = text.len < 7 ? text.len : 7;
    memcpy(out, dstr_get(&text), len);
    out[len] = '\0';
    dstr_free(&text);
}

static void add_places(struct job_row *row, const struct JG_Type_list *granted)
{
    if (granted->n < 2)
        return;
    row->places = uti_calloc(granted->n, sizeof *row->places);
    for (; row->n_places < granted->n; row->n_places++) {
        const struct JG_Type *entry = &granted->v[row->n_places];
        row->places[row->n_places] =
            (struct row_place){ cull_string_hold(entry->JG_qname), entry->JG_slots };
    }
}

uint32_t job_row_places(const struct job_row *row)
{
    return row->n_places > 0 ? row->n_places : 1;
}

struct job_row job_row_at(const struct job_row *row, uint32_t i)
{
    struct job_row here = *row;
    if (row->n_places > 0) {
        here.queue = row->places[i].queue;
        here.slots = row->places[i].slots;
    }
    here.n_places = 0;
    here.is_slave = i > 0;
    return here;
}

/* a task keeps the priority that it was started with */
static void add_running(struct job_rows *rows, const struct shown *of, const struct JAT_Type *task,
                        uint32_t ordinal)
{
    bool is_suspended = (task->JAT_state & TASK_SUSPENSIONS) != 0;
    if ((of->wish->show & (is_suspended ? SHOW_SUSPENDED : SHOW_RUNNING)) == 0)
        return;
    struct job_row *row = row_new(rows, ROW_RUNNING, of);
    activate_row(row, of);
    if (task->JAT_prio > 0)
        row->prior = task->JAT_prio;
    const struct JG_Type_list *granted = &task->JAT_granted_destin_identifier_list;
    row->queue = granted->n > 0 ? cull_string_hold(granted->v[0].JG_qname) : NULL;
    add_places(row, granted);
    row->is_beside = allocation_controls_slaves(granted) && !granted->v[0].JG_job_is_first_task;
    row->at_s = task->JAT_start_time;
    uint32_t slots = allocation_slots(granted);
    row->slots = slots > 0 ? slots : row->slots;
    state_letters(task, job_task_holds(of->job, ordinal), row->state);
    range_set_add(&row->ids, ordinal, ordinal);
    if (of->wish->keep_job) {
        row->task = cull_new(&cull_JAT_Type);
        cull_copy(&cull_JAT_Type, row->task, task);
    }
}

/* Of the waiting tasks ALL, those that -s asks for. */
static void select_waiting(unsigned show, uint64_t now_s, const struct JB_Type *job,
                           const struct range_set *all, struct range_set *out)
{
    const struct {
        unsigned bit;
        const struct range_set *held;
    } kinds[] = {
        { SHOW_HOLD_USER, &job->JB_ja_u_h_ids },
        { SHOW_HOLD_OPERATOR, &job->JB_ja_o_h_ids },
        { SHOW_HOLD_SYSTEM, &job->JB_ja_s_h_ids },
        { SHOW_HOLD_ARRAY, &job->JB_ja_a_h_ids },
    };
    bool is_whole = (show & SHOW_PENDING) != 0 ||
                    ((show & SHOW_HOLD_JOB) != 0 && job->JB_jid_predecessor_list.n > 0) ||
                    ((show & SHOW_START_LATER) != 0 && job->JB_execution_time > now_s);
    if (is_whole) {
        range_set_copy(out, all);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if ((show & kinds[i].bit) != 0)
            range_set_unite(out, kinds[i].held);
    }
    range_set_intersect(out, all);
}

static bool is_wanted_waiting(const struct shown *of, uint32_t ordinal)
{
    struct range_set one = { 0 }, wanted = { 0 };
    range_set_add(&one, ordinal, ordinal);
    select_waiting(of->wish->show, of->wish->now_s, of->job, &one, &wanted);
    bool is_wanted = !range_set_is_empty(&wanted);
    range_set_free(&one);
    range_set_free(&wanted);
    return is_wanted;
}

/* A task with a record that waits again, or waits for an operator: onto the line of its state, made
 * if there is none. Lines from FIRST_ROW on are all of this job's waiting tasks, a handful at
 * most. */
static void add_waiting_again(struct job_rows *rows, const struct shown *of,
                              const struct JAT_Type *task, uint32_t ordinal, uint32_t first_row)
{
    char state[8];
    state_letters(task, job_task_holds(of->job, ordinal), state);
    for (uint32_t i = first_row; i < rows->n; i++) {
        if (strcmp(rows->v[i].state, state) == 0) {
            range_set_add(&rows->v[i].ids, ordinal, ordinal);
            return;
        }
    }
    struct job_row *row = row_new(rows, ROW_PENDING, of);
    memcpy(row->state, state, sizeof state);
    activate_row(row, of);
    if (task->JAT_status == TASK_WAITING && task->JAT_end_time > 0)
        row->at_s = task->JAT_end_time;
    range_set_add(&row->ids, ordinal, ordinal);
}

static void add_group(struct job_rows *rows, const struct shown *of, struct range_set *ids,
                      unsigned holds, bool is_active)
{
    if (range_set_is_empty(ids))
        return;
    struct job_row *row = row_new(rows, ROW_PENDING, of);
    if (is_active)
        activate_row(row, of);
    state_letters(NULL, holds, row->state);
    range_set_move(&row->ids, ids);
}

/* The held tasks IDS, a line for each combination of holds by people and by array dependencies,
 * from kind FROM on. IDS is empty afterwards. Of kinds that hold none, or all, of them there is one
 * branch only. */
static void add_held(struct job_rows *rows, const struct shown *of, struct range_set *ids,
                     bool is_active, unsigned from)
{
    const struct JB_Type *job = of->job;
    const struct range_set *const kinds[] = { &job->JB_ja_u_h_ids, &job->JB_ja_o_h_ids,
                                              &job->JB_ja_s_h_ids, &job->JB_ja_a_h_ids };
    if (range_set_is_empty(ids))
        return;
    if (from == ARRAY_LEN(kinds)) {
        add_group(rows, of, ids, MINUS_H_TGT_SYSTEM, is_active);
        return;
    }
    struct range_set of_kind = { 0 };
    range_set_copy(&of_kind, ids);
    range_set_intersect(&of_kind, kinds[from]);
    range_set_subtract(ids, &of_kind);
    add_held(rows, of, &of_kind, is_active, from + 1);
    add_held(rows, of, ids, is_active, from + 1);
    range_set_free(&of_kind);
}

/* Nearly every job: pending tasks without holds, or all of them with a user's. Saves most of what a
 * line costs. False: JOB is another. */
static bool add_plain(struct job_rows *rows, const struct shown *of)
{
    const struct row_wish *wish = of->wish;
    const struct JB_Type *job = of->job;
    const struct range_set *pending = &job->JB_ja_pending_ids, *held = &job->JB_ja_u_h_ids;
    bool is_held = !range_set_is_empty(held);
    struct range_set ids = { 0 };
    if ((wish->show & SHOW_PENDING) == 0 || job->JB_jid_predecessor_list.n > 0 ||
        (is_held && !range_set_equal(pending, held)) || !range_set_is_empty(&job->JB_ja_o_h_ids) ||
        !range_set_is_empty(&job->JB_ja_s_h_ids) || !range_set_is_empty(&job->JB_ja_a_h_ids))
        return false;
    range_set_copy(&ids, pending);
    add_group(rows, of, &ids, is_held ? MINUS_H_TGT_USER : 0,
              !is_held && job->JB_execution_time <= wish->now_s);
    return true;
}

static void add_pending(struct job_rows *rows, const struct shown *of)
{
    const struct row_wish *wish = of->wish;
    const struct JB_Type *job = of->job;
    struct range_set wanted = { 0 }, ready = { 0 }, free_ids = { 0 };
    if (add_plain(rows, of))
        return;
    select_waiting(wish->show, wish->now_s, job, &job->JB_ja_pending_ids, &wanted);
    job_ready_ids(job, &ready);
    bool is_active = !range_set_is_empty(&ready) && job->JB_execution_time <= wish->now_s;
    range_set_copy(&free_ids, &wanted);
    range_set_intersect(&free_ids, &ready);
    range_set_subtract(&wanted, &ready);
    add_group(rows, of, &free_ids, 0, is_active);
    add_held(rows, of, &wanted, is_active, 0);
    range_set_free(&wanted);
    range_set_free(&ready);
    range_set_free(&free_ids);
}

static void add_finished(struct job_rows *rows, const struct shown *of)
{
    struct job_row *row = row_new(rows, ROW_FINISHED, of);
    row->state[0] = 'z';
    range_set_add(&row->ids, 0, job_task_count(of->job) - 1);
}

static bool task_waits(const struct JAT_Type *task)
{
    return task->JAT_status == TASK_WAITING || task->JAT_status == TASK_ERROR;
}

/* A job that has neither pending tasks nor records of tasks is one that ended lately
 * (GDI_FINISHED). */
void job_rows_add(struct job_rows *rows, const struct row_wish *wish, const struct JB_Type *job,
                  const struct PF_Type *figures, const struct JAT_Type *const *tasks,
                  uint32_t n_tasks)
{
    const struct shown of = { wish, job, figures };
    if (n_tasks == 0 && range_set_is_empty(&job->JB_ja_pending_ids)) {
        if ((wish->show & SHOW_FINISHED) != 0)
            add_finished(rows, &of);
        return;
    }
    uint32_t first_row = rows->n, ordinal;
    for (uint32_t i = 0; i < n_tasks; i++) {
        if (task_waits(tasks[i]) && job_task_ordinal(job, tasks[i]->JAT_task_number, &ordinal) &&
            is_wanted_waiting(&of, ordinal))
            add_waiting_again(rows, &of, tasks[i], ordinal, first_row);
    }
    for (uint32_t i = 0; i < n_tasks; i++) {
        if (!task_waits(tasks[i]) && job_task_ordinal(job, tasks[i]->JAT_task_number, &ordinal))
            add_running(rows, &of, tasks[i], ordinal);
    }
    add_pending(rows, &of);
}

static int compare_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Of the pending lines of one job: started before, then ready, then held. */
static int waiting_rank(const struct job_row *row)
{
    if (strpbrk(row->state, "RE") != NULL)
        return 0;
    return row->state[0] == 'h' ? 2 : 1;
}

static int row_compare(const void *left, const void *right)
{
    const struct job_row *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == ROW_PENDING && (a->prior > b->prior || a->prior < b->prior))
        return a->prior > b->prior ? -1 : 1;
    if (a->kind == ROW_PENDING && a->is_active != b->is_active)
        return a->is_active ? -1 : 1;
    if (a->job_number != b->job_number)
        return compare_u32(a->job_number, b->job_number);
    int a_rank = waiting_rank(a), b_rank = waiting_rank(b);
    if (a->kind == ROW_PENDING && a_rank != b_rank)
        return a_rank - b_rank;
    uint32_t a_min = 0, b_min = 0;
    (void)range_set_min(&a->ids, &a_min);
    (void)range_set_min(&b->ids, &b_min);
    return compare_u32(a_min, b_min);
}

static bool is_in_order(const struct job_rows *rows)
{
    for (uint32_t i = 1; i < rows->n; i++)
        if (row_compare(&rows->v[i - 1], &rows->v[i]) > 0)
            return false;
    return true;
}

void job_rows_sort(struct job_rows *rows)
{
    if (!is_in_order(rows))
        qsort(rows->v, rows->n, sizeof *rows->v, row_compare);
}

static void clear_row(struct job_row *row)
{
    cull_string_drop(row->name);
    cull_string_drop(row->owner);
    cull_string_drop(row->queue);
    for (uint32_t k = 0; k < row->n_places; k++)
        cull_string_drop(row->places[k].queue);
    free(row->places);
    range_set_free(&row->ids);
    cull_delete(&cull_JB_Type, (void *)row->job);
    cull_delete(&cull_JAT_Type, row->task);
    free(row->figures);
}

void job_rows_drop(struct job_rows *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        clear_row(&rows->v[i]);
    rows->n -= n;
    if (rows->n > 0)
        memmove(rows->v, rows->v + n, rows->n * sizeof *rows->v);
}

void job_rows_free(struct job_rows *rows)
{
    job_rows_drop(rows, rows->n);
    free(rows->v);
    *rows = (struct job_rows){ 0 };
}

void row_tasks_text(const struct job_row *row, size_t most_bytes, struct dstr *out)
{
    if (!row->is_array)
        return;
    struct JB_Type shape = { 0 };
    cull_set(&shape, JB_type, (uint32_t)JOB_TYPE_ARRAY);
    cull_set(&shape, JB_ja_first, row->ja_first);
    cull_set(&shape, JB_ja_last, UINT32_MAX);
    cull_set(&shape, JB_ja_step, row->ja_step);
    job_ids_text_cut(&shape, &row->ids, most_bytes, out);
}

void job_row_each_task(const struct job_row *row,
                       void (*each)(void *ctx, const struct job_row *one), void *ctx)
{
    struct range r;
    struct job_row one = *row;
    if (!row->is_array)
        each(ctx, row);
    for (uint64_t at = 0; row->is_array && range_set_next_run(&row->ids, at, &r);
         at = (uint64_t)r.last + 1) {
        for (uint64_t id = r.first; id <= r.last; id++) {
            one.ids = (struct range_set){ 0 };
            range_set_add(&one.ids, (uint32_t)id, (uint32_t)id);
            each(ctx, &one);
            range_set_free(&one.ids);
        }
    }
}
