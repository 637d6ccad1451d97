/* qresub - submit copies of jobs that have not ended, with changes; one request for each job.
 * Source: submit(1). */
#include <stdlib.h>
#include <unistd.h>

#include "clients/common/msg_clients.h"
#include "clients/common/request.h"
#include "libs/uti/parse.h"

enum { EXIT_NO_JOB = 4 }; /* none, or none of the caller's */

static int take_copy(void *ctx, const struct GA_Type *part)
{
    const struct client *c = ctx;
    if (part->GA_jobs.n > 0)
        submitted_print(stdout, &part->GA_jobs.v[0], part->GA_job_number, c->command.is_terse);
    return 0;
}

static enum answer_status resubmit_job(struct client *c, const struct ID_Type *id)
{
    struct GR_Type gr = { 0 };
    uint32_t number;
    if (!parse_u32(id->ID_str, &number)) {
        ans_add(&c->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_NO_JOB_S, id->ID_str);
        return client_print(c, stdout);
    }
    if (id->ID_tasks.n > 0) {
        ans_add(&c->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_WHOLE_JOBS_S, id->ID_str);
        return client_print(c, stdout);
    }
    cull_set(&gr, GR_verb, (uint32_t)GDI_COPY);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_job_number, number);
    client_holds(&c->command, &gr);
    cull_copy(&cull_ID_Type, cull_append(&gr, GR_select), id);
    cull_copy(&cull_JB_Type, cull_append(&gr, GR_jobs), &c->command.job);
    int called = client_call(c, &gr, take_copy, c);
    cull_clear(&cull_GR_Type, &gr);
    enum answer_status status = client_print(c, stdout);
    return called < 0 ? STATUS_ENOCONN : status;
}

static int resubmit_all(struct client *c)
{
    int status = EXIT_SUCCESS;
    for (uint32_t i = 0; i < c->command.select.n; i++) {
        enum answer_status one = resubmit_job(c, &c->command.select.v[i]);
        if (one != STATUS_OK)
            status = one == STATUS_EUNKNOWN || one == STATUS_ENOTOWNER ? EXIT_NO_JOB : EXIT_FAILURE;
    }
    return status;
}

int main(int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, QRESUB, environ);
    if (status == 0 && client_read(&c, argc, argv, &status))
        status = resubmit_all(&c);
    return client_end(&c, status);
}
