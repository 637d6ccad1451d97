/* qalter, qhold and qrls: the same request under three names. The texts of what was changed are the
 * qmaster's. */
#include "clients/common/alter.h"

#include <stdlib.h>
#include <unistd.h>

#include "clients/common/job_detail.h"
#include "clients/common/request.h"

/* what the interface gives for a failure of this kind */
static int exit_status(unsigned program, enum answer_status status)
{
    if (status == STATUS_OK)
        return EXIT_SUCCESS;
    return program == QALTER || (int)status >= STATUS_EEXIST ? EXIT_FAILURE : (int)status;
}

static int alter_jobs(struct client *c)
{
    struct job_command *command = &c->command;
    struct GR_Type gr = { 0 };
    if (command->is_verify) {
        job_verify_text(stdout, &command->job);
        return EXIT_SUCCESS;
    }
    cull_set(&gr, GR_verb, (uint32_t)GDI_MOD);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    client_select(command, &gr);
    client_holds(command, &gr);
    cull_copy(&cull_JB_Type, cull_append(&gr, GR_jobs), &command->job);
    enum answer_status status;
    int called = client_change(c, &gr, &status);
    cull_clear(&cull_GR_Type, &gr);
    return called < 0 ? EXIT_FAILURE : exit_status(command->program, status);
}

int alter_main(unsigned program, int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, program, environ);
    if (status == 0 && client_read(&c, argc, argv, &status))
        status = alter_jobs(&c);
    return client_end(&c, status);
}
