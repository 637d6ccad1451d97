/* Hostile values of attributes: each line is a letter for the attribute and a value. What the
 * attribute accepts goes into a template, and a job is made of that: it is one, or there is a
 * diagnosis. */
#include <stdlib.h>
#include <string.h>

#include "libs/cli/submitter.h"
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/job.h"
#include "libs/drmaa/template.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void set_value(struct template *t, const char *line)
{
    struct answer ans = ANSWER_INIT;
    enum attribute_id id = (enum attribute_id)((unsigned char)line[0] % ATTRIBUTES);
    const char *value = line + 1;
    int number = attribute_check(id, value, &ans);
    ASSERT(ans_has_error(&ans) == (number != DRMAA_ERRNO_SUCCESS));
    if (number == DRMAA_ERRNO_SUCCESS)
        template_set(t, id, &value, 1);
    ans_free(&ans);
}

static void make_job(const struct template *t, const struct job_tasks *tasks)
{
    static char *const environment[] = { (char *)"HOME=/nowhere", NULL };
    static const struct submitter by = { environment,     (char *)"/nowhere", (char *)"/nowhere",
                                         (char *)"alice", (char *)"vm",       1795163648 };
    static const struct cell cell = { .common_dir = (char *)"/nowhere" };
    struct JB_Type job = { 0 };
    struct answer ans = ANSWER_INIT;
    int number = job_of_template(t, tasks, &cell, &by, &job, &ans);
    ASSERT(ans_has_error(&ans) == (number != DRMAA_ERRNO_SUCCESS));
    cull_clear(&cull_JB_Type, &job);
    ans_free(&ans);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const command = "/bin/true";
    struct template *t = template_new();
    char *text = uti_strndup((const char *)data, size);
    template_set(t, ATTRIBUTE_REMOTE_COMMAND, &command, 1);
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (*line != '\0')
            set_value(t, line);
    }
    make_job(t, &(struct job_tasks){ 0, 0, 0 });
    make_job(t, &(struct job_tasks){ 1, 10, 4 });
    free(text);
    template_free(t);
    return 0;
}
