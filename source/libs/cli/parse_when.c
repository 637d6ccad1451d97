/* Parsers of points in time and of letters that name events: -a -dl -c -m -w. */
#include <string.h>

#include "libs/cli/date.h"
#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/parse_options.h"
#include "libs/cli/submitter.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/answer.h"

OPTION_PARSER(parse_date)
{
    const struct option_row *row = call->row;
    uint64_t at_s;
    if (!date_parse(call->args[0], call->to->by->now_s, &at_s))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_DATE_SSS, option_speaker(call->to->program),
                        call->args[0], row->name);
    cull_set_u64(&call->to->job, cull_JB_Type.fields[row->sets].offset, (unsigned)row->sets, at_s);
    return 0;
}

OPTION_PARSER(parse_checkpoint_when)
{
    uint32_t bits;
    uint64_t interval_s;
    if (job_letters_parse(call->args[0], job_checkpoint_letters, &bits)) {
        cull_set(&call->to->job, JB_checkpoint_attr, bits);
        return 0;
    }
    if (!quantity_time_parse(call->args[0], &interval_s) || interval_s > UINT32_MAX)
        return ans_fail(ans, STATUS_EUSAGE, MSG_CHECKPOINT_WHEN_S,
                        option_speaker(call->to->program));
    cull_set(&call->to->job, JB_checkpoint_interval, (uint32_t)interval_s);
    return 0;
}

/* repeated options add up; n takes back what came before it */
OPTION_PARSER(parse_mail_when)
{
    uint32_t bits;
    if (!job_letters_parse(call->args[0], job_mail_letters, &bits))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_MAIL_OPTIONS_SS, option_speaker(call->to->program),
                        call->args[0]);
    if (strchr(call->args[0], 'n') == NULL)
        bits |= call->to->job.JB_mail_options;
    else
        bits = 0;
    cull_set(&call->to->job, JB_mail_options, bits);
    return 0;
}

OPTION_PARSER(parse_verify_mode)
{
    uint32_t mode;
    if (strlen(call->args[0]) != 1 || !job_letters_parse(call->args[0], job_verify_letters, &mode))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_ARGUMENT_SSS,
                        option_speaker(call->to->program), call->row->name, call->args[0]);
    cull_set(&call->to->job, JB_verify_suitable_queues, mode);
    return 0;
}
