/* Parsers of jobs, tasks and holds: -hold_jid -hold_jid_ad -t -tc -h, and the actions of qmod. */
#include <stdlib.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/cli/selection.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/job_select.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

/* "" is a list too: it clears what came before it, from whatever source. */
OPTION_PARSER(parse_jid_list)
{
    struct JB_Type *job = &call->to->job;
    struct answer why = ANSWER_INIT;
    if (*call->args[0] == '\0')
        cull_clear_field(&cull_JB_Type, job, (unsigned)call->row->sets);
    bool is_array = call->row->sets == JB_ja_ad_request_list;
    int result = job_select_dependencies(call->args[0], job, is_array, &why);
    if (result < 0)
        ans_fail(ans, STATUS_ESYNTAX, MSG_SPEAKER_SS, option_speaker(call->to->program),
                 ans_first_error(&why));
    ans_free(&why);
    return result;
}

OPTION_PARSER(parse_tasks)
{
    struct JB_Type *job = &call->to->job;
    struct task_range r;
    if (task_range_parse(call->args[0], option_speaker(call->to->program), &r, ans) < 0)
        return -1;
    cull_set(job, JB_ja_first, r.first);
    cull_set(job, JB_ja_last, r.last);
    cull_set(job, JB_ja_step, r.step);
    cull_set(job, JB_type, job->JB_type | JOB_TYPE_ARRAY);
    return 0;
}

OPTION_PARSER(parse_task_concurrency)
{
    uint32_t limit;
    if (!quantity_count_parse(call->args[0], &limit))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CONCURRENCY_SS, option_speaker(call->to->program),
                        call->args[0]);
    cull_set(&call->to->job, JB_ja_task_concurrency, limit);
    return 0;
}

/* -t stands behind the job it belongs to; here it stands alone */
OPTION_PARSER(parse_lonely_tasks)
{
    return ans_fail(ans, STATUS_EUSAGE, MSG_TASKS_LONELY_S, call->args[0]);
}

/* ---- holds ---- */

static unsigned hold_of(char letter)
{
    switch (letter) {
    case 'u':
        return MINUS_H_TGT_USER;
    case 'o':
        return MINUS_H_TGT_OPERATOR;
    case 's':
        return MINUS_H_TGT_SYSTEM;
    default:
        return 0;
    }
}

/* u o s put holds, U O S lift them, also together; n lifts all and stands alone; qhold and qrls
 * know the small letters alone, and put or lift by their name */
OPTION_PARSER(parse_holds)
{
    bool is_plain = call->to->program == QHOLD || call->to->program == QRLS, is_none = false;
    unsigned add = 0, remove = 0;
    for (const char *at = call->args[0]; *at != '\0'; at++) {
        unsigned small = hold_of(*at), big = hold_of((char)(*at | 0x20));
        is_none = is_none || (*at == 'n' && !is_plain);
        if (small != 0)
            add |= small;
        else if (big != 0 && !is_plain)
            remove |= big;
        else if (*at != 'n' || is_plain)
            add = remove = ~0u;
        if (add == ~0u)
            break;
    }
    /* the same kind cannot be put and lifted */
    bool is_change = (add | remove) != 0 && (add & remove) == 0;
    if (is_change == is_none)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_HOLDS_SS, option_speaker(call->to->program),
                        call->args[0]);
    call->to->add_holds = add;
    call->to->remove_holds = remove;
    call->to->is_hold_cleared = is_none;
    return 0;
}

/* ---- qmod ---- */

/* what an action names: words up to the next option, each a list */
OPTION_PARSER(parse_action)
{
    struct job_command *c = call->to;
    if (call->n_args == 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_QMOD_NO_ARGUMENT_S, call->row->name);
    c->actions = uti_vec_grow(c->actions, &c->cap_actions, c->n_actions + 1, sizeof *c->actions);
    struct queue_action *action = &c->actions[c->n_actions++];
    *action = (struct queue_action){ .row = call->row };
    for (unsigned i = 0; i < call->n_args; i++)
        if (selection_add(&action->select, call->args[i], NULL, option_speaker(c->program), ans) <
            0)
            return -1;
    return 0;
}

/* `-t range` behind the words of an action: tasks of the last of them */
OPTION_PARSER(parse_action_tasks)
{
    struct job_command *c = call->to;
    struct queue_action *last = c->n_actions > 0 ? &c->actions[c->n_actions - 1] : NULL;
    if (last == NULL || last->select.n == 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_TASKS_LONELY_S, call->args[0]);
    return selection_add_tasks(&last->select.v[last->select.n - 1], call->args[0],
                               option_speaker(c->program), ans);
}
