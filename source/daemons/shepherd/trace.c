/* The files "trace" and "error" in the working directory. Neither can fail the task: what cannot be
 * written is lost. Neither grows without end: the job's owner decides how often it is suspended and
 * resumed, and each time is a line of the trace.
 * Source: captured files. */
#include "daemons/shepherd/trace.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

enum { LINES_MOST = 1000 }; /* held, and written before the end */

static void append_to(const char *path, const struct dstr *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    (void)file_write_all(fd, dstr_get(text), text->len);
    close(fd);
}

static void add_line(struct dstr *out, uint64_t at_s, uid_t uid, pid_t pid, const char *text)
{
    uti_time_us_date(at_s, out);
    dstr_addf(out, " [%u:%d]: %s\n", (unsigned)uid, (int)pid, text);
}

/* the first lines say how it began and the last how it ended: one in the middle goes */
static void drop_line(struct trace *t)
{
    struct trace_line *middle = &t->v[LINES_MOST / 2];
    free(middle->text);
    memmove(middle, middle + 1, (LINES_MOST / 2 - 1) * sizeof *middle);
    t->n--;
}

void trace_add(struct trace *t, const char *format, ...)
{
    struct dstr text = DSTR_INIT;
    va_list args;
    va_start(args, format);
    dstr_addv(&text, format, args);
    va_end(args);
    if (t->n == LINES_MOST)
        drop_line(t);
    t->v = uti_vec_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
    t->v[t->n++] = (struct trace_line){ uti_now_s(), dstr_take(&text) };
    if (t->is_on && t->written < LINES_MOST)
        trace_flush(t);
}

void trace_flush(struct trace *t)
{
    struct dstr lines = DSTR_INIT;
    for (uint32_t i = 0; i < t->n; i++) {
        add_line(&lines, t->v[i].at_s, geteuid(), getpid(), t->v[i].text);
        free(t->v[i].text);
    }
    if (t->n > 0)
        append_to(TASK_FILE_TRACE, &lines);
    t->written += t->n;
    t->n = 0;
    dstr_free(&lines);
}

void trace_free(struct trace *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        free(t->v[i].text);
    free(t->v);
    *t = (struct trace){ 0 };
}

void task_error(uid_t uid, pid_t pid, const char *text)
{
    struct dstr line = DSTR_INIT;
    add_line(&line, uti_now_s(), uid, pid, text);
    append_to(TASK_FILE_ERROR, &line);
    dstr_free(&line);
}
