/* Parsers of requests for several slots and for processor cores: -pe and -binding. */
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/binding.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* ---- -pe name n[-m[:s]] | [-]m ---- */
struct slot_range {
    uint32_t min, max, step;
};

/* the digits at AT, up to SLOTS_OF_TASK_MOST; AT moves behind them */
static bool take_slots(const char **at, uint32_t *out)
{
    uint64_t n;
    if (!quantity_count_take(at, &n) || n > SLOTS_OF_TASK_MOST)
        return false;
    *out = (uint32_t)n;
    *at += strspn(*at, " \t");
    return true;
}

/* n, n-, -m, n-m or n-m:s; NULL, or where a number is missing or what is left over begins. Whether
 * 0 will do is for the qmaster to say */
static const char *slot_range_parse(const char *text, struct slot_range *out)
{
    const char *at = text;
    *out = (struct slot_range){ 1, SLOTS_OF_TASK_MOST, 1 };
    if (*at != '-' && !take_slots(&at, &out->min))
        return at;
    if (at > text && *at == '\0') {
        out->max = out->min;
        return NULL;
    }
    if (*at != '-')
        return at;
    at++;
    if (*at == '\0' && at - text > 1)
        return NULL;
    if (!take_slots(&at, &out->max))
        return at;
    if (*at == ':') {
        at++;
        if (!take_slots(&at, &out->step))
            return at;
    }
    return *at == '\0' ? NULL : at;
}

/* the numbers of ONE come into OUT */
static int slot_range_add(const char *speaker, const char *text, const struct slot_range *one,
                          struct range_set *out, struct answer *ans)
{
    uint32_t min = one->min < one->max ? one->min : one->max;
    uint32_t max = one->min < one->max ? one->max : one->min;
    if (one->step == 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_STEP_S, speaker);
    if (one->step > 1 && (max - min) / one->step >= SLOT_RANGES_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SLOT_RANGES_SSUU, speaker, text,
                        (max - min) / one->step + 1, (unsigned)SLOT_RANGES_MOST);
    range_set_add_stride(out, min, max, one->step);
    return 0;
}

static int slot_ranges_parse(const struct option_call *call, struct range_set *out,
                             struct answer *ans)
{
    struct list_reader r = list_reader_over(call->args[1]);
    struct dstr item = DSTR_INIT;
    const char *speaker = option_speaker(call->to->program), *wrong = NULL;
    int rc = 0, n = 0;
    for (; rc == 0 && list_next(&r, &item); n++) {
        struct slot_range one;
        wrong = slot_range_parse(dstr_get(&item), &one);
        if (wrong == NULL)
            rc = slot_range_add(speaker, dstr_get(&item), &one, out, ans);
        else if (wrong == dstr_get(&item) || wrong[-1] == '-' || wrong[-1] == ':')
            rc = ans_fail(ans, STATUS_ESYNTAX, MSG_NO_NUMBER_SS, speaker, wrong);
        else
            rc =
                ans_fail(ans, STATUS_ESYNTAX, MSG_SLOTS_SSS, speaker, call->args[1], call->args[0]);
    }
    dstr_free(&item);
    return n > 0 ? rc : ans_fail(ans, STATUS_ESYNTAX, MSG_NO_NUMBER_SS, speaker, call->args[1]);
}

OPTION_PARSER(parse_pe)
{
    struct JB_Type *job = &call->to->job;
    struct range_set slots = { 0 };
    if (slot_ranges_parse(call, &slots, ans) < 0) {
        range_set_free(&slots);
        return -1;
    }
    cull_set(job, JB_pe, call->args[0]);
    range_set_move(cull_ranges(job, JB_pe_range), &slots);
    return 0;
}

/* ---- -binding [env|pe|set] exp|lin|str ---- */

OPTION_PARSER(parse_binding)
{
    struct JB_Type *job = &call->to->job;
    uint32_t type = BINDING_SET;
    const char *text = call->args[0];
    if (call->n_args == 2) {
        type = strcmp(text, "env") == 0  ? BINDING_ENV
               : strcmp(text, "pe") == 0 ? BINDING_PE
                                         : BINDING_SET;
        text = call->args[1];
    }
    cull_clear_field(&cull_JB_Type, job, JB_binding);
    struct BN_Type *bn = cull_append(job, JB_binding);
    cull_set(bn, BN_type, type);
    const char *wrong = binding_read(bn, text);
    return wrong == NULL ? 0
                         : ans_fail(ans, STATUS_EUSAGE, MSG_BINDING_SS,
                                    option_speaker(call->to->program), wrong);
}
