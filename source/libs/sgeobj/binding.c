/* What a job says of the cores that it wants. A record comes from a parser or from the network:
 * both ways end in the same checks. Source: submit(1) -binding; captured refusals */
#include "libs/sgeobj/binding.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sgeobj/msg_sgeobj.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static const char *const strategies[BINDING_STRATEGIES] = { "linear", "striding", "explicit" };
static const char *const types[] = {
    [BINDING_SET] = "set", [BINDING_ENV] = "env", [BINDING_PE] = "pe"
};

enum binding_strategy binding_strategy(const struct BN_Type *bn)
{
    unsigned i = 0;
    while (i < BINDING_STRATEGIES &&
           (bn->BN_strategy == NULL || strcmp(bn->BN_strategy, strategies[i]) != 0))
        i++;
    return (enum binding_strategy)i;
}

bool binding_has_start(const struct BN_Type *bn)
{
    return cull_has(bn, BN_parameter_socket_offset) && cull_has(bn, BN_parameter_core_offset);
}

/* the number at AT, which is followed by one of ENDS or by the end; AT moves to what follows */
static bool take_number(const char **at, const char *ends, uint32_t *out)
{
    size_t len = strcspn(*at, ":,");
    char *digits = uti_strndup(*at, len), next = (*at)[len];
    bool is_good = parse_u32(digits, out) && (next == '\0' || strchr(ends, next) != NULL);
    free(digits);
    *at += len;
    return is_good;
}

/* AT moves behind SEPARATOR, if that is there */
static bool take_separator(const char **at, char separator)
{
    bool is_there = **at == separator;
    *at += is_there;
    return is_there;
}

int binding_pair_next(const char **at, uint32_t *socket, uint32_t *core)
{
    if (**at == '\0')
        return 0;
    if (!take_number(at, ",", socket) || !take_separator(at, ',') || !take_number(at, ":", core))
        return -1;
    (void)take_separator(at, ':');
    return 1;
}

/* ---- explicit ---- */

static bool is_in(const uint64_t *pairs, uint32_t n, uint64_t pair)
{
    for (uint32_t i = 0; i < n; i++)
        if (pairs[i] == pair)
            return true;
    return false;
}

/* TEXT: behind "explicit:". NULL, or what is wrong */
static const char *check_pairs(const char *text)
{
    uint64_t pairs[BINDING_PAIRS_MOST];
    uint32_t n = 0, socket, core;
    const char *at = text;
    int rc;
    while ((rc = binding_pair_next(&at, &socket, &core)) > 0) {
        uint64_t pair = (uint64_t)socket << 32 | core;
        if (is_in(pairs, n, pair))
            return MSG_BINDING_TWICE;
        if (n == BINDING_PAIRS_MOST)
            return MSG_BINDING_PAIRS;
        pairs[n++] = pair;
    }
    if (rc == 0 && n > 0)
        return NULL;
    return n == 0 ? MSG_BINDING_FIRST_CORE : MSG_BINDING_NO_CORE;
}

static const char *read_explicit(struct BN_Type *bn, const char *at)
{
    if (!take_separator(&at, ':'))
        return MSG_BINDING_EXPLICIT;
    cull_set(bn, BN_parameter_explicit, at);
    return check_pairs(at);
}

/* ---- linear, striding ---- */

/* ":socket,core", or nothing. NULL, or what is wrong */
static const char *read_start(struct BN_Type *bn, const char *at, bool is_linear)
{
    uint32_t socket, core;
    if (*at == '\0')
        return NULL;
    if (!take_separator(&at, ':') || binding_pair_next(&at, &socket, &core) != 1 || *at != '\0')
        return is_linear ? MSG_BINDING_CORE_LINEAR : MSG_BINDING_CORE_STRIDING;
    cull_set(bn, BN_parameter_socket_offset, socket);
    cull_set(bn, BN_parameter_core_offset, core);
    return NULL;
}

static const char *read_linear(struct BN_Type *bn, const char *at)
{
    uint32_t n;
    if (*at == '\0')
        return NULL;
    if (!take_separator(&at, ':') || !take_number(&at, ":", &n))
        return MSG_BINDING_AMOUNT_LINEAR;
    cull_set(bn, BN_parameter_n, n);
    return read_start(bn, at, true);
}

static const char *read_striding(struct BN_Type *bn, const char *at)
{
    uint32_t n, step;
    if (!take_separator(&at, ':') || !take_number(&at, ":", &n) || !take_separator(&at, ':'))
        return MSG_BINDING_AMOUNT_STRIDING;
    if (!take_number(&at, ":", &step))
        return MSG_BINDING_STEP_STRIDING;
    cull_set(bn, BN_parameter_n, n);
    cull_set(bn, BN_parameter_striding_step_size, step);
    return read_start(bn, at, false);
}

/* what follows the strategy that TEXT begins with */
static const char *read_parameters(struct BN_Type *bn, const char *at)
{
    switch (binding_strategy(bn)) {
    case BINDING_LINEAR:
        return read_linear(bn, at);
    case BINDING_STRIDING:
        return read_striding(bn, at);
    case BINDING_EXPLICIT:
        return read_explicit(bn, at);
    case BINDING_STRATEGIES:
        break;
    }
    return MSG_BINDING_STRATEGY;
}

const char *binding_read(struct BN_Type *bn, const char *text)
{
    size_t len = strcspn(text, ":");
    char *strategy = uti_strndup(text, len);
    bool is_other_name = strcmp(strategy, "linear_automatic") == 0; /* as it is known elsewhere */
    cull_set(bn, BN_strategy, is_other_name ? "linear" : strategy);
    free(strategy);
    return read_parameters(bn, text + len);
}

const char *binding_check(const struct BN_Type *bn)
{
    bool has_none = cull_has(bn, BN_parameter_n) && bn->BN_parameter_n == 0;
    if (bn->BN_type >= ARRAY_LEN(types))
        return MSG_BINDING_TYPE;
    switch (binding_strategy(bn)) {
    case BINDING_LINEAR:
        return has_none ? MSG_BINDING_INCONSISTENT_LINEAR : NULL;
    case BINDING_STRIDING:
        return bn->BN_parameter_n == 0 ? MSG_BINDING_INCONSISTENT_STRIDING : NULL;
    case BINDING_EXPLICIT:
        return check_pairs(bn->BN_parameter_explicit != NULL ? bn->BN_parameter_explicit : "");
    case BINDING_STRATEGIES:
        break;
    }
    return MSG_BINDING_STRATEGY;
}

void binding_text(const struct BN_Type *bn, struct dstr *out)
{
    enum binding_strategy strategy = binding_strategy(bn);
    dstr_addf(out, "%s %s", bn->BN_type < ARRAY_LEN(types) ? types[bn->BN_type] : types[0],
              bn->BN_strategy != NULL ? bn->BN_strategy : "");
    if (strategy == BINDING_EXPLICIT) {
        dstr_addf(out, ":%s", bn->BN_parameter_explicit != NULL ? bn->BN_parameter_explicit : "");
        return;
    }
    if (bn->BN_parameter_n > 0)
        dstr_addf(out, ":%u", bn->BN_parameter_n);
    else
        dstr_add(out, ":slots");
    if (strategy == BINDING_STRIDING)
        dstr_addf(out, ":%u", bn->BN_parameter_striding_step_size);
    if (binding_has_start(bn))
        dstr_addf(out, ":%u,%u", bn->BN_parameter_socket_offset, bn->BN_parameter_core_offset);
}

/* ---- letters of a topology ---- */
bool binding_letters_are_valid(const char *letters)
{
    size_t len = strspn(letters, "SCTsct");
    return letters[len] == '\0' && len <= BINDING_LETTERS_MOST;
}

void binding_letters_pairs(const char *letters, struct dstr *out)
{
    unsigned sockets = 0, cores = 0;
    bool is_first = true;
    for (const char *at = letters; *at != '\0'; at++) {
        if (*at == 'S' || *at == 's') {
            sockets++;
            cores = 0;
        } else if (*at == 'C' || *at == 'c') {
            if (*at == 'c' && sockets > 0) {
                dstr_addf(out, "%s%u,%u", is_first ? "" : ":", sockets - 1, cores);
                is_first = false;
            }
            cores++;
        }
    }
}
