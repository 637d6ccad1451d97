/* Parsers of requests for several slots and for processor cores: -pe and -binding. */
#include <stdlib.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/alloc.h"
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

enum { BINDING_SET = 0, BINDING_ENV = 1, BINDING_PE = 2 };

/* a number up to the next `:` or `,`; AT moves behind the separator */
static bool take_number(const char **at, char separator, uint32_t *out)
{
    size_t len = strcspn(*at, ":,");
    char *digits = uti_strndup(*at, len);
    bool is_good = parse_u32(digits, out) &&
                   (separator == '\0' || (*at)[len] == '\0' || (*at)[len] == separator);
    free(digits);
    if (is_good)
        *at += (*at)[len] == '\0' ? len : len + 1;
    return is_good;
}

static bool take_offset(const char *at, struct BN_Type *bn)
{
    uint32_t socket, core;
    if (*at == '\0')
        return true;
    if (!take_number(&at, ',', &socket) || !take_number(&at, '\0', &core) || *at != '\0')
        return false;
    cull_set(bn, BN_parameter_socket_offset, socket);
    cull_set(bn, BN_parameter_core_offset, core);
    return true;
}

/* socket,core[:socket,core...] */
static bool is_explicit_list(const char *at)
{
    uint32_t n;
    if (*at == '\0')
        return false;
    while (*at != '\0')
        if (strchr(at, ',') == NULL || !take_number(&at, ',', &n) || !take_number(&at, ':', &n))
            return false;
    return true;
}

/* NULL, or what is wrong */
static const char *binding_read(const char *text, struct BN_Type *bn)
{
    size_t len = strcspn(text, ":");
    const char *at = text[len] == ':' ? text + len + 1 : text + len;
    uint32_t n;
    char *strategy = uti_strndup(text, len);
    cull_set(bn, BN_strategy, strategy);
    free(strategy);
    if (strcmp(bn->BN_strategy, "explicit") == 0) {
        cull_set(bn, BN_parameter_explicit, at);
        return is_explicit_list(at) ? NULL : MSG_BINDING_OFFSET;
    }
    bool is_striding = strcmp(bn->BN_strategy, "striding") == 0;
    if (!is_striding && strcmp(bn->BN_strategy, "linear") != 0)
        return MSG_BINDING_STRATEGY;
    if (*at == '\0' && !is_striding)
        return NULL;
    if (!take_number(&at, ':', &n))
        return MSG_BINDING_AMOUNT;
    cull_set(bn, BN_parameter_n, n);
    if (is_striding) {
        if (*at == '\0' || !take_number(&at, ':', &n))
            return MSG_BINDING_STEP;
        cull_set(bn, BN_parameter_striding_step_size, n);
    }
    return take_offset(at, bn) ? NULL : MSG_BINDING_OFFSET;
}

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
    const char *wrong = binding_read(text, bn);
    return wrong == NULL ? 0
                         : ans_fail(ans, STATUS_EUSAGE, MSG_BINDING_SS,
                                    option_speaker(call->to->program), wrong);
}
