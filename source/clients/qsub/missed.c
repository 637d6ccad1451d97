/* Reads the tail of the accounting file for one job. Lines of others are passed over without being
 * taken apart: 45 fields are many. */
#include "clients/qsub/missed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clients/qsub/msg_qsub.h"
#include "libs/sgeobj/accounting.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

void missed_begin(struct missed *m, char *path)
{
    struct stat st;
    *m = (struct missed){ .path = path };
    if (stat(m->path, &st) == 0) {
        m->inode = st.st_ino;
        m->offset = (uint64_t)st.st_size;
    }
}

void missed_free(struct missed *m)
{
    free(m->path);
    *m = (struct missed){ 0 };
}

static FILE *open_tail(const struct missed *m)
{
    struct stat st;
    FILE *file = m->path != NULL ? fopen(m->path, "re") : NULL;
    bool is_same = file != NULL && fstat(fileno(file), &st) == 0 && st.st_ino == m->inode &&
                   (uint64_t)st.st_size >= m->offset;
    if (is_same && fseeko(file, (off_t)m->offset, SEEK_SET) != 0) {
        (void)fclose(file);
        return NULL;
    }
    return file;
}

static void take_line(char *line, uint32_t job, missed_fn fn, void *ctx)
{
    struct accounting a;
    if (accounting_parse(line, &a, NULL) != 1 || a.job_number != job ||
        task_failure_fate(a.failed) != TASK_FATE_ENDS)
        return;
    struct JR_Type end = { 0 };
    cull_set(&end, JR_task_number, a.task_number == 0 ? 1u : a.task_number);
    cull_set(&end, JR_exit_status, a.exit_status);
    cull_set(&end, JR_failed, a.failed);
    fn(ctx, &end);
}

int missed_read(const struct missed *m, uint32_t job, missed_fn fn, void *ctx, struct answer *ans)
{
    struct dstr number = DSTR_INIT;
    char *line = NULL;
    size_t cap = 0;
    FILE *file = open_tail(m);
    if (file == NULL)
        return ans_sys(ans, errno, MSG_ENDS_UNKNOWN_US, job, m->path != NULL ? m->path : "");
    dstr_addf(&number, ":%u:", job);
    for (ssize_t len; (len = getline(&line, &cap, file)) > 0;) {
        if (line[len - 1] == '\n')
            line[len - 1] = '\0';
        if (strstr(line, number.s) != NULL)
            take_line(line, job, fn, ctx);
    }
    free(line);
    dstr_free(&number);
    (void)fclose(file);
    return 0;
}
