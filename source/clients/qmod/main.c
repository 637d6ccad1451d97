/* qmod - change the state of jobs and queues: each option of the command line is one request, in
 * order. Source: qmod(1). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/request.h"

/* What an option asks of what it names. A trailing j or q says which kind of thing that is. */
static const struct action {
    const char *option;
    enum gdi_action action;
} actions[] = {
    { "-c", GDI_ACT_CLEAR_ERROR }, { "-d", GDI_ACT_DISABLE }, { "-e", GDI_ACT_ENABLE },
    { "-r", GDI_ACT_RESCHEDULE },  { "-s", GDI_ACT_SUSPEND }, { "-us", GDI_ACT_UNSUSPEND },
};

static enum gdi_action action_of(const char *option)
{
    size_t len = strcspn(option, "jq");
    for (size_t i = 0; i < ARRAY_LEN(actions); i++)
        if (strlen(actions[i].option) == len && memcmp(actions[i].option, option, len) == 0)
            return actions[i].action;
    return (enum gdi_action)0;
}

static uint32_t options_of(const char *option, enum gdi_action action, bool is_forced)
{
    uint32_t options = is_forced ? GDI_FORCE : 0;
    bool is_queues =
        strchr(option, 'q') != NULL || action == GDI_ACT_ENABLE || action == GDI_ACT_DISABLE;
    return options | (is_queues                     ? GDI_QUEUES_ONLY
                      : strchr(option, 'j') != NULL ? GDI_JOBS_ONLY
                                                    : 0u);
}

static int act_on_targets(struct client *c, const struct queue_action *wanted)
{
    struct GR_Type gr = { 0 };
    enum gdi_action action = action_of(wanted->row->name);
    uint32_t options = options_of(wanted->row->name, action, c->command.is_forced);
    cull_set(&gr, GR_verb, (uint32_t)GDI_ACT);
    cull_set(&gr, GR_target,
             (uint32_t)((options & GDI_QUEUES_ONLY) != 0 ? GDI_QINSTANCE : GDI_JOB));
    cull_set(&gr, GR_action, (uint32_t)action);
    cull_set(&gr, GR_options, options);
    for (uint32_t i = 0; i < wanted->select.n; i++)
        cull_copy(&cull_ID_Type, cull_append(&gr, GR_select), &wanted->select.v[i]);
    enum answer_status status;
    int called = client_change(c, &gr, &status);
    cull_clear(&cull_GR_Type, &gr);
    return called == 0 && status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int act_all(struct client *c)
{
    int status = EXIT_SUCCESS;
    for (uint32_t i = 0; i < c->command.n_actions; i++)
        if (act_on_targets(c, &c->command.actions[i]) != EXIT_SUCCESS)
            status = EXIT_FAILURE;
    return status;
}

int main(int argc, char **argv)
{
    struct client c;
    int status = client_begin(&c, QMOD, environ);
    if (status == 0 && client_read(&c, argc, argv, &status))
        status = act_all(&c);
    return client_end(&c, status);
}
