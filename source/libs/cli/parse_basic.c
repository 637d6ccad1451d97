/* Parsers of options whose argument is a word, a number, yes/no, a time or letters. Each
 * sets one field of the job, or one flag of the command. */
#include "libs/cli/date.h"
#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/cli/submitter.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/path_expand.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PRIORITY_MIN = -1023, PRIORITY_MAX = 1024 };

static const char *speaker_of(const struct option_call *call)
{
    return option_speaker(call->to->program);
}

static int bad_argument(const struct option_call *call, struct answer *ans)
{
    return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_ARGUMENT_SSS, speaker_of(call), call->row->name,
                    call->args[0]);
}

static int yes_no(const struct option_call *call, bool *out, struct answer *ans)
{
    const char *word = call->args[0];
    bool is_yes = strcasecmp(word, "y") == 0 || strcasecmp(word, "yes") == 0;
    if (!is_yes && strcasecmp(word, "n") != 0 && strcasecmp(word, "no") != 0)
        return bad_argument(call, ans);
    *out = is_yes;
    return 0;
}

/* where the field of the row stands in the job */
static size_t offset_of(const struct option_call *call)
{
    return cull_JB_Type.fields[call->row->sets].offset;
}

/* switch a bit of JB_type */
static int type_bit(const struct option_call *call, uint32_t bit, bool is_set)
{
    uint32_t type = call->to->job.JB_type;
    cull_set(&call->to->job, JB_type, is_set ? type | bit : type & ~bit);
    return 0;
}

OPTION_PARSER(parse_nothing)
{
    (void)call, (void)ans;
    return 0;
}

/* ---- the plain ones: one word, stored in the field of the row ---- */

OPTION_PARSER(parse_text)
{
    (void)ans;
    cull_set_string(&call->to->job, offset_of(call), (unsigned)call->row->sets, call->args[0]);
    return 0;
}

/* "" is no project: it lifts what a request file, or the job so far, says */
OPTION_PARSER(parse_project)
{
    (void)ans;
    cull_set(&call->to->job, JB_project, *call->args[0] != '\0' ? call->args[0] : NULL);
    return 0;
}

OPTION_PARSER(parse_number)
{
    uint32_t number;
    if (!quantity_count_parse(call->args[0], &number))
        return bad_argument(call, ans);
    cull_set_u32(&call->to->job, offset_of(call), (unsigned)call->row->sets, number);
    return 0;
}

OPTION_PARSER(parse_yes_no)
{
    bool is_yes;
    if (yes_no(call, &is_yes, ans) < 0)
        return -1;
    cull_set_bool(&call->to->job, offset_of(call), (unsigned)call->row->sets, is_yes);
    return 0;
}

OPTION_PARSER(parse_yes)
{
    (void)ans;
    cull_set_bool(&call->to->job, offset_of(call), (unsigned)call->row->sets, true);
    return 0;
}

/* ---- what has a syntax or a text of its own ---- */

OPTION_PARSER(parse_cwd)
{
    (void)ans;
    cull_set(&call->to->job, JB_cwd, call->to->by->cwd);
    return 0;
}

OPTION_PARSER(parse_wd)
{
    const char *path = call->args[0];
    if (*path == '\0')
        return bad_argument(call, ans);
    struct dstr full = DSTR_INIT;
    path = path_tilde(path, call->to->by->home, submitter_home_of, &full);
    if (full.len == 0 && *path != '/')
        dstr_addf(&full, "%s/", call->to->by->cwd);
    dstr_add(&full, path);
    cull_set(&call->to->job, JB_cwd, dstr_get(&full));
    dstr_free(&full);
    return 0;
}

OPTION_PARSER(parse_force)
{
    (void)ans;
    call->to->is_forced = true;
    return 0;
}

OPTION_PARSER(parse_hard)
{
    (void)ans;
    call->to->is_soft = false;
    return 0;
}

OPTION_PARSER(parse_soft)
{
    (void)ans;
    call->to->is_soft = true;
    return 0;
}

OPTION_PARSER(parse_help)
{
    (void)ans;
    call->to->is_help = true;
    return 0;
}

OPTION_PARSER(parse_is_binary)
{
    bool is_yes;
    return yes_no(call, &is_yes, ans) < 0 ? -1 : type_bit(call, JOB_TYPE_BINARY, is_yes);
}

OPTION_PARSER(parse_shell_use)
{
    bool is_yes;
    return yes_no(call, &is_yes, ans) < 0 ? -1 : type_bit(call, JOB_TYPE_NO_SHELL, !is_yes);
}

OPTION_PARSER(parse_job_name)
{
    if (strchr(call->args[0], '/') != NULL)
        return ans_fail(ans, STATUS_EUSAGE, MSG_NAME_SLASH_S, speaker_of(call));
    if (!call->is_first)
        ans_add(ans, STATUS_EEXIST, ANSWER_QUALITY_WARNING, MSG_OPTION_AGAIN_S, call->row->name);
    cull_set(&call->to->job, JB_job_name, call->args[0]);
    return 0;
}

OPTION_PARSER(parse_job_share)
{
    uint32_t share;
    if (!quantity_count_parse(call->args[0], &share))
        return ans_fail(ans, STATUS_EUSAGE, MSG_JOBSHARE_S, speaker_of(call));
    cull_set(&call->to->job, JB_jobshare, share);
    return 0;
}

OPTION_PARSER(parse_now)
{
    bool is_yes;
    if (yes_no(call, &is_yes, ans) < 0)
        return -1;
    cull_set(&call->to->job, JB_is_immediate, is_yes);
    return 0;
}

OPTION_PARSER(parse_priority)
{
    int32_t priority;
    if (!quantity_int_parse(call->args[0], &priority) || priority < PRIORITY_MIN ||
        priority > PRIORITY_MAX)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_PRIORITY_SSII, speaker_of(call), call->args[0],
                        PRIORITY_MIN, PRIORITY_MAX);
    cull_set(&call->to->job, JB_priority, (uint32_t)(priority + JOB_PRIORITY_BASE));
    return 0;
}

OPTION_PARSER(parse_restart)
{
    bool is_yes;
    if (yes_no(call, &is_yes, ans) < 0)
        return -1;
    cull_set(&call->to->job, JB_restart, (uint32_t)(is_yes ? RESTART_YES : RESTART_NO));
    return 0;
}

OPTION_PARSER(parse_sync)
{
    return yes_no(call, &call->to->is_sync, ans);
}

OPTION_PARSER(parse_terse)
{
    (void)ans;
    call->to->is_terse = true;
    return 0;
}

OPTION_PARSER(parse_display)
{
    (void)ans;
    job_env_set(&call->to->job, "DISPLAY", strlen("DISPLAY"), call->args[0]);
    return 0;
}

OPTION_PARSER(parse_no_shell)
{
    (void)ans;
    call->to->has_no_shell = true;
    return 0;
}

OPTION_PARSER(parse_no_stdin)
{
    (void)ans;
    call->to->has_no_stdin = true;
    return 0;
}

OPTION_PARSER(parse_detach)
{
    bool is_yes;
    if (yes_no(call, &is_yes, ans) < 0)
        return -1;
    struct JB_Type *job = &call->to->job;
    cull_set(job, JB_type,
             is_yes ? job->JB_type | JOB_TYPE_DETACH : job->JB_type & ~(uint32_t)JOB_TYPE_DETACH);
    return 0;
}

OPTION_PARSER(parse_suspend_remote)
{
    bool is_yes;
    if (yes_no(call, &is_yes, ans) < 0)
        return -1;
    call->to->is_suspended_too = is_yes;
    return 0;
}

OPTION_PARSER(parse_pty)
{
    bool is_yes;
    if (yes_no(call, &is_yes, ans) < 0)
        return -1;
    cull_set(&call->to->job, JB_pty, is_yes);
    return 0;
}

OPTION_PARSER(parse_verbose)
{
    (void)ans;
    call->to->is_verbose = true;
    return 0;
}

OPTION_PARSER(parse_user_hold)
{
    (void)ans;
    call->to->is_held = true;
    return 0;
}

OPTION_PARSER(parse_verify)
{
    (void)ans;
    call->to->is_verify = true;
    return 0;
}

/* ---- points in time, and letters that name events: -a -dl -c -m -w ---- */
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

OPTION_PARSER(parse_end)
{
    if (date_parse(call->args[0], call->to->by->now_s, &call->to->end_s))
        return 0;
    return ans_fail(ans, STATUS_ESYNTAX, MSG_DATE_SSS, option_speaker(call->to->program),
                    call->args[0], call->row->name);
}

/* INFINITY is no duration */
OPTION_PARSER(parse_duration)
{
    uint64_t seconds;
    if (!quantity_time_parse(call->args[0], &seconds))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_DURATION_SSS, option_speaker(call->to->program),
                        call->args[0], call->row->name);
    call->to->duration_s = seconds < UINT32_MAX ? seconds : 0;
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
    bool is_time = quantity_time_parse(call->args[0], &interval_s) && interval_s <= UINT32_MAX;
    if (*call->args[0] == '\0' || (is_time && interval_s == 0))
        return ans_fail(ans, STATUS_EUSAGE, MSG_CHECKPOINT_ARGUMENT_S,
                        option_speaker(call->to->program));
    if (!is_time)
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
