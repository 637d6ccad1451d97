/* qrsub - reserve queue instances and resources in advance. The texts are the qmaster's. Source:
 * qrsub(1). */
#include <stdlib.h>
#include <unistd.h>

#include "clients/common/msg_clients.h"
#include "clients/common/request.h"
#include "libs/uti/name_service.h"

static void take_users(const struct ST_Type_list *users, struct AR_Type *ar)
{
    for (uint32_t i = 0; i < users->n; i++)
        cull_copy(&cull_ST_Type, cull_append(ar, AR_acl_list), &users->v[i]);
}

/* sets are the qmaster's to know, users those of this host */
static bool is_known(const struct ST_Type *user)
{
    const char *name = user->ST_name + (user->ST_name[0] == '!');
    char *home = NULL;
    bool is_there = *name == '@' || name_service_home(name, &home) == 0;
    if (!is_there)
        fprintf(stderr, MSG_NO_USER_S "\n", name);
    free(home);
    return is_there;
}

static bool are_known(const struct ST_Type_list *users)
{
    for (uint32_t i = 0; i < users->n; i++)
        if (!is_known(&users->v[i]))
            return false;
    return true;
}

static int request_ar(struct client *c)
{
    struct job_command *command = &c->command;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_target, (uint32_t)GDI_AR);
    struct AR_Type *ar = cull_append(&gr, GR_ars);
    if (cull_has(&command->job, JB_execution_time))
        cull_set(ar, AR_start_time, command->job.JB_execution_time);
    if (command->end_s != 0)
        cull_set(ar, AR_end_time, command->end_s);
    if (command->duration_s != 0)
        cull_set(ar, AR_duration, command->duration_s);
    take_users(&command->users, ar);
    cull_clear_field(&cull_JB_Type, &command->job, JB_execution_time);
    cull_copy(&cull_JB_Type, cull_append(ar, AR_request), &command->job);
    enum answer_status status;
    int called = client_change(c, &gr, &status);
    cull_clear(&cull_GR_Type, &gr);
    return called == 0 && status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int refuse_operand(const struct client *c)
{
    fprintf(stderr, MSG_OPERAND_SS "\n", "qrsub", c->command.select.v[0].ID_str);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, QRSUB, environ);
    if (status == 0 && client_read(&c, argc, argv, &status))
        status = c.command.select.n > 0        ? refuse_operand(&c)
                 : are_known(&c.command.users) ? request_ar(&c)
                                               : EXIT_FAILURE;
    return client_end(&c, status);
}
