/* Reads of one task. Invariant: what is open is one request or one piece of work, and R is its
 * context; of a piece R has the `reading`, which the main thread alone frees while there are
 * workers. */
#include "clients/qmon/forms/task_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/acct/acct.h"
#include "clients/common/source.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/feed/calls.h"
#include "libs/feed/workers.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/job_state.h"
#include "libs/show/job_detail.h"
#include "libs/show/job_row.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { TEXT_MOST = 128 * 1024 }; /* bytes of a record; the rest is not shown */

/* what a thread does */
struct reading {
    const struct cell *cell; /* borrowed for the life of qmon */
    uint32_t job, task;
    char *path, *name; /* of the output; NULL: the record is read */
    uint32_t most;
    struct dstr text;
    bool is_good;
    atomic_bool is_stopped;
};

void task_read_stop(struct task_read *r)
{
    if (r->reading != NULL)
        r->reading->is_stopped = true;
    r->reading = NULL;
    calls_forget(r->q->calls, r);
    workers_forget(r->q->workers, r);
    r->is_open = false;
}

static void finish_read(struct task_read *r, bool is_good, const char *text)
{
    r->is_open = false;
    r->done(r->ctx, is_good, text);
}

static void begin_read(struct task_read *r, const struct board_job *job, uint32_t ordinal)
{
    task_read_stop(r);
    r->job = job->rec.JB_job_number;
    r->task = job_is_array(&job->rec) ? job_task_id(&job->rec, ordinal) : 0;
}

/* ---- by request ---- */

static void send_request(struct task_read *r, struct GR_Type *request, calls_get_fn got)
{
    struct answer ans = ANSWER_INIT;
    r->is_open = true;
    if (calls_get(r->q->calls, request, got, r, &ans) != 0)
        finish_read(r, false, ans_first_error(&ans));
    cull_clear(&cull_GR_Type, request);
    ans_free(&ans);
}

/* what others named is shown; new, or NULL where ALL is */
static struct GA_Type *copy_printable(const struct GA_Type *all)
{
    struct GA_Type *clean = all != NULL ? cull_new(&cull_GA_Type) : NULL;
    if (clean == NULL)
        return NULL;
    cull_copy(&cull_GA_Type, clean, all);
    record_make_printable(&cull_GA_Type, clean);
    return clean;
}

static void add_reason(const struct GA_Type *all, struct dstr *out)
{
    const struct WT_Type *wait = all->GA_waits.n > 0 ? all->GA_waits.v : NULL;
    if (wait != NULL && wait->WT_task_number > 0)
        dstr_addf(out, MSG_QMON_WAITS_UUSS, wait->WT_job_number, wait->WT_task_number,
                  wait->WT_kind, wait->WT_state);
    else if (wait != NULL)
        dstr_addf(out, MSG_QMON_WAITS_USS, wait->WT_job_number, wait->WT_kind, wait->WT_state);
    else if (all->GA_reasons.n > 0 && all->GA_reasons.v[0].ST_name != NULL)
        dstr_add(out, all->GA_reasons.v[0].ST_name);
}

static void on_why(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct GA_Type *clean = copy_printable(all);
    struct dstr text = DSTR_INIT;
    if (clean != NULL)
        add_reason(clean, &text);
    finish_read(ctx, all != NULL && text.len > 0,
                all != NULL ? dstr_get(&text) : ans_first_error(texts));
    dstr_free(&text);
    cull_delete(&cull_GA_Type, clean);
}

void task_read_why(struct task_read *r, const struct board_job *job, uint32_t ordinal)
{
    struct GR_Type request = { 0 };
    begin_read(r, job, ordinal);
    cull_set(&request, GR_verb, (uint32_t)GDI_WHY);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_job_number, r->job);
    if (r->task != 0)
        cull_set(&request, GR_task_number, r->task);
    send_request(r, &request, on_why);
}

/* the document of one job and its task */
struct page {
    FILE *out;
    struct job_stream stream;
};

static int show_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                    uint32_t n_tasks, struct answer *ans SGE_UNUSED)
{
    struct page *p = ctx;
    const struct job_detail detail = { job, tasks, n_tasks };
    job_detail_text(p->out, &detail);
    scheduling_info_text(p->out, p->stream.has_reasons ? &p->stream.reasons : NULL);
    return 0;
}

static void on_detail(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct GA_Type *clean = copy_printable(all);
    char *text = NULL;
    size_t len = 0;
    struct page p = { .out = clean != NULL ? open_memstream(&text, &len) : NULL };
    if (p.out != NULL) {
        p.stream = (struct job_stream){ .each = show_job, .ctx = &p };
        (void)job_stream_part(&p.stream, clean, NULL);
        (void)job_stream_end(&p.stream, NULL);
        (void)fclose(p.out);
    }
    finish_read(ctx, text != NULL, text != NULL ? text : ans_first_error(texts));
    free(text);
    cull_delete(&cull_GA_Type, clean);
}

static void ask_detail(struct task_read *r)
{
    struct GR_Type request = { 0 };
    char number[16];
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)(GDI_WITH_TASKS | GDI_WITH_ENV | GDI_WITH_REASONS));
    request_user(&request, "*");
    struct ID_Type *id = cull_append(&request, GR_select);
    (void)snprintf(number, sizeof number, "%u", r->job);
    cull_set(id, ID_str, number);
    if (r->task != 0) {
        struct TR_Type *range = cull_append(id, ID_tasks);
        cull_set(range, TR_min, r->task);
        cull_set(range, TR_max, r->task);
        cull_set(range, TR_step, 1u);
    }
    send_request(r, &request, on_detail);
}

/* ---- in a thread ---- */

static void free_reading(void *data)
{
    struct reading *r = data;
    free(r->path);
    free(r->name);
    dstr_free(&r->text);
    free(r);
}

static void on_read(void *ctx, void *data)
{
    struct reading *r = data;
    ((struct task_read *)ctx)->reading = NULL;
    finish_read(ctx, r->is_good, dstr_get(&r->text));
}

static void start_work(struct task_read *r, struct reading *what, void (*run)(void *data))
{
    struct answer ans = ANSWER_INIT;
    const struct work work = { run, on_read, free_reading, what, r };
    r->is_open = true;
    r->reading = what;
    if (workers_run(r->q->workers, &work, &ans) != 0) {
        r->reading = NULL;
        finish_read(r, false, ans_first_error(&ans));
    }
    ans_free(&ans);
}

static void read_record(void *data)
{
    struct reading *r = data;
    struct job_word job = { .is_number = true, .number = r->job };
    const struct acct_query query = { .wants_jobs = true,
                                      .jobs = &job,
                                      .n_jobs = 1,
                                      .has_tasks = r->task != 0,
                                      .range = { r->task, r->task, 1 },
                                      .is_stopped = &r->is_stopped };
    char *path = cell_path(r->cell, "accounting"), *text = NULL, number[16];
    struct acct_file file = { .path = path, .cell = r->cell, .program = "qmon" };
    struct answer ans = ANSWER_INIT;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    (void)snprintf(number, sizeof number, "%u", r->job);
    job.text = number;
    r->is_good = out != NULL && acct_read(&file, &query, out, &ans) == 0;
    if (out != NULL)
        (void)fclose(out);
    if (r->is_good)
        dstr_addn(&r->text, text, len < TEXT_MOST ? len : TEXT_MOST);
    else if (ans.n > 0)
        dstr_add(&r->text, ans_first_error(&ans));
    else
        dstr_addf(&r->text, "%s: %s", path, strerror(file.error));
    ans_free(&ans);
    free(text);
    free(path);
}

void task_read_record(struct task_read *r, const struct board_job *job, uint32_t ordinal)
{
    begin_read(r, job, ordinal);
    if (!look_is_ended(board_task_look(job, ordinal))) {
        ask_detail(r);
        return;
    }
    struct reading *what = uti_calloc(1, sizeof *what);
    what->cell = r->q->cell;
    what->job = r->job;
    what->task = r->task;
    start_work(r, what, read_record);
}

/* the file at PATH, or NAME in that directory: its descriptor; -1 with errno */
static int open_output(const char *path, const char *name, struct stat *st)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, st) != 0 || !S_ISDIR(st->st_mode))
        return fd;
    int in = openat(fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int err = errno;
    if (in >= 0)
        (void)fstat(in, st);
    close(fd);
    errno = err;
    return in;
}

static void read_end(struct reading *r, int fd, off_t size)
{
    off_t at = size > (off_t)r->most ? size - (off_t)r->most : 0;
    char data[4096];
    ssize_t n = 0;
    while (r->text.len < r->most &&
           ((n = pread(fd, data, sizeof data, at)) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0) {
            dstr_addn(&r->text, data, (size_t)n);
            at += n;
        }
    r->is_good = n >= 0;
}

static void read_output(void *data)
{
    struct reading *r = data;
    struct stat st = { 0 };
    int fd = open_output(r->path, r->name, &st);
    if (fd >= 0 && S_ISREG(st.st_mode))
        read_end(r, fd, st.st_size);
    else if (fd >= 0)
        dstr_addf(&r->text, MSG_QMON_NO_FILE_S, r->path);
    else
        dstr_addf(&r->text, "%s: %s", r->path, strerror(errno));
    if (fd >= 0)
        close(fd);
}

void task_read_output(struct task_read *r, const char *path, const char *name, uint32_t most)
{
    struct reading *what = uti_calloc(1, sizeof *what);
    task_read_stop(r);
    what->path = uti_strdup(path);
    what->name = uti_strdup(name);
    what->most = most;
    start_work(r, what, read_output);
}
