/* Owns struct job_command: an empty one, and its end. The command lines that fill it are read by
 * command_line.c and submit.c. */
#include "libs/cli/job_command.h"

#include <stdlib.h>

void job_command_init(struct job_command *c, unsigned program, const struct submitter *by)
{
    *c = (struct job_command){ .program = program, .by = by };
}

void job_command_free(struct job_command *c)
{
    cull_clear(&cull_JB_Type, &c->job);
    cull_list_clear(&cull_ID_Type, &c->select);
    for (uint32_t i = 0; i < c->n_actions; i++)
        cull_list_clear(&cull_ID_Type, &c->actions[i].select);
    cull_list_clear(&cull_ST_Type, &c->users);
    free(c->actions);
    job_command_init(c, c->program, c->by);
}
