/* Resource quota sets: their attributes, and their rules: [name NAME] [users LIST] [projects LIST]
 * [pes LIST] [queues LIST] [hosts LIST] to RESOURCE=VALUE,... A list may stand in braces, and
 * blanks may stand within them; a word that begins with ! is excepted. */
#include "libs/config/rqs.h"

#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/msg_config.h"
#include "libs/config/object_kinds_priv.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

struct reading {
    const struct RQS_Type *rqs;
    struct RQR_Type *rule;
    struct answer *ans;
};

static int refuse_text(const struct reading *rd, const char *text, const char *wanted)
{
    return ans_fail(rd->ans, STATUS_ESYNTAX, MSG_RQS_SSS, rd->rqs->RQS_name, text, wanted);
}

/* the next word, without the blanks in braces; false at the end */
static bool next_token(const char **at, struct dstr *token)
{
    int depth = 0;
    *at += strspn(*at, " \t");
    dstr_clear(token);
    for (; **at != '\0' && (depth > 0 || strchr(" \t", **at) == NULL); (*at)++) {
        depth += (**at == '{') - (**at == '}');
        if (strchr(" \t", **at) == NULL)
            dstr_addc(token, **at);
    }
    return token->len > 0;
}

/* ---- filters ---- */

/* a word of a filter: a name, a pattern, "@list" or "-" (those without one), perhaps excepted */
static bool is_filter_word(const char *word)
{
    if (word[0] == '!')
        word++;
    if (word[0] == '@')
        word++;
    return word[0] != '\0' && strlen(word) <= PATTERN_MOST &&
           word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "._-+*?[]@/|")] == '\0';
}

static int check_filter(const struct reading *rd, const char *list)
{
    struct dstr bare = DSTR_INIT, word = DSTR_INIT;
    size_t len = strlen(list);
    bool has_braces = list[0] == '{' && list[len - 1] == '}';
    int n = 0, ret = 0;
    dstr_addn(&bare, list + has_braces, len - 2u * has_braces);
    for (const char *at = dstr_get(&bare); ret == 0 && attr_next_word(&at, ",", &word); n++)
        if (!is_filter_word(dstr_get(&word)))
            ret = refuse_text(rd, dstr_get(&word), "a name, a pattern, or @list");
    if (ret == 0 && n == 0)
        ret = refuse_text(rd, list, "a list");
    dstr_free(&bare);
    dstr_free(&word);
    return ret;
}

static const struct {
    const char *word;
    unsigned field; /* of the rule */
} filters[] = {
    { "name", RQR_name }, { "users", RQR_users },   { "projects", RQR_projects },
    { "pes", RQR_pes },   { "queues", RQR_queues }, { "hosts", RQR_hosts },
};

/* KEYWORD and the list that follows it; each once */
static int read_filter(const struct reading *rd, const char *keyword, const char *list)
{
    size_t i = 0;
    while (i < ARRAY_LEN(filters) && strcmp(filters[i].word, keyword) != 0)
        i++;
    if (i == ARRAY_LEN(filters) || cull_is_present(rd->rule, filters[i].field))
        return refuse_text(rd, keyword, "one of name users projects pes queues hosts, once, or to");
    if (filters[i].field == RQR_name ? !object_name_is_valid(list) : check_filter(rd, list) < 0)
        return filters[i].field == RQR_name ? refuse_text(rd, list, "a name") : -1;
    cull_set_string(rd->rule, cull_RQR_Type.fields[filters[i].field].offset, filters[i].field,
                    list);
    return 0;
}

/* ---- limits ---- */

/* an amount that is read: a sum of products, quotients too */
struct formula {
    const char *at;
    rqs_variable_fn *variable;
    const void *ctx;
    bool is_valid;
};
static const char name_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

static double read_factor(struct formula *f)
{
    struct dstr word = DSTR_INIT;
    bool is_variable = *f->at == '$';
    f->at += is_variable;
    size_t len = strspn(f->at, is_variable ? name_bytes : "0123456789.kKmMgGtT");
    double number = 0;
    uint64_t bytes = 0;
    dstr_addn(&word, f->at, len);
    f->at += len;
    f->is_valid &= len > 0;
    if (is_variable)
        number = f->variable(f->ctx, dstr_get(&word));
    else if (!parse_double(dstr_get(&word), &number)) {
        f->is_valid &= quantity_memory_parse(dstr_get(&word), &bytes);
        number = (double)bytes;
    }
    dstr_free(&word);
    return number;
}

static double read_product(struct formula *f)
{
    double product = read_factor(f);
    while (f->is_valid && (*f->at == '*' || *f->at == '/')) {
        bool is_quotient = *f->at++ == '/';
        double by = read_factor(f);
        product = !is_quotient ? product * by : by > 0 || by < 0 ? product / by : 0;
    }
    return product;
}

static bool read_formula(struct formula *f, double *out)
{
    double sum = 0, sign = 1;
    if (*f->at == '-' || *f->at == '+')
        sign = *f->at++ == '-' ? -1 : 1;
    sum = sign * read_product(f);
    while (f->is_valid && (*f->at == '-' || *f->at == '+')) {
        sign = *f->at++ == '-' ? -1 : 1;
        sum += sign * read_product(f);
    }
    if (!f->is_valid || *f->at != '\0')
        return false;
    *out = sum;
    return true;
}

bool rqs_amount_read(const char *text, rqs_variable_fn *variable, const void *ctx, double *out)
{
    struct formula f = { text, variable, ctx, true };
    uint64_t size;
    if (strchr(text, '$') != NULL)
        return read_formula(&f, out);
    if (parse_double(text, out))
        return true;
    if (!quantity_memory_parse(text, &size) && !quantity_time_parse(text, &size))
        return false;
    *out = (double)size;
    return true;
}

/* for checks: which number it is does not matter */
static double any_number(const void *ctx, const char *resource)
{
    (void)ctx, (void)resource;
    return 1;
}

static bool is_amount(const char *text)
{
    double number;
    return rqs_amount_read(text, any_number, NULL, &number);
}

static int read_limits(const struct reading *rd, const char *text)
{
    struct dstr word = DSTR_INIT;
    int ret = 0;
    for (const char *at = text; ret == 0 && attr_next_word(&at, ", \t", &word);) {
        size_t len = strcspn(word.s, "=");
        bool has_value = word.s[len] == '=';
        const char *amount = word.s + len + has_value;
        if (!has_value || !is_amount(amount)) {
            ret = refuse_text(rd, word.s, "resource=amount");
            break;
        }
        word.s[len] = '\0';
        struct VA_Type *va = cull_append(rd->rule, RQR_limit);
        cull_set(va, VA_variable, word.s);
        cull_set(va, VA_value, amount);
        if (!object_name_is_valid(word.s))
            ret = refuse_text(rd, word.s, "the name of a resource");
    }
    if (ret == 0 && rd->rule->RQR_limit.n == 0)
        ret = refuse_text(rd, text, "resource=amount");
    dstr_free(&word);
    return ret;
}

/* what depends on the host needs a limit for each host */
static int check_dynamic(const struct reading *rd)
{
    const char *hosts = rd->rule->RQR_hosts;
    for (uint32_t i = 0; i < rd->rule->RQR_limit.n; i++)
        if (strchr(rd->rule->RQR_limit.v[i].VA_value, '$') != NULL &&
            (hosts == NULL || hosts[0] != '{'))
            return ans_fail(rd->ans, STATUS_ESYNTAX, MSG_RQS_DYNAMIC);
    return 0;
}

int rqs_read_limit(void *record, const char *value, struct answer *ans)
{
    struct RQS_Type *rqs = record;
    const struct reading rd = { rqs, cull_append(rqs, RQS_rule), ans };
    struct dstr keyword = DSTR_INIT, list = DSTR_INIT;
    int ret = 0;
    const char *at = value;
    while (ret == 0 && next_token(&at, &keyword) && strcmp(keyword.s, "to") != 0)
        ret = next_token(&at, &list) ? read_filter(&rd, keyword.s, list.s)
                                     : refuse_text(&rd, keyword.s, "followed by a list");
    if (ret == 0)
        ret = read_limits(&rd, at);
    if (ret == 0)
        ret = check_dynamic(&rd);
    dstr_free(&keyword);
    dstr_free(&list);
    return ret;
}

/* ---- the kind ---- */

/* the resources that a dynamic limit depends on */
static bool each_variable(const char *amount, reference_fn *fn, void *ctx)
{
    struct dstr name = DSTR_INIT;
    bool goes_on = true;
    for (const char *at = strchr(amount, '$'); goes_on && at != NULL; at = strchr(at, '$')) {
        size_t len = strspn(++at, name_bytes);
        dstr_clear(&name);
        dstr_addn(&name, at, len);
        goes_on =
            fn(ctx, &(struct reference){ "dynamical_limit", OBJECT_COMPLEX, dstr_get(&name) });
    }
    dstr_free(&name);
    return goes_on;
}

/* the resources that rules limit */
static bool rqs_references(const void *record, reference_fn *fn, void *ctx)
{
    const struct RQS_Type *rqs = record;
    bool goes_on = true;
    for (uint32_t i = 0; i < rqs->RQS_rule.n; i++) {
        const struct VA_Type_list *l = &rqs->RQS_rule.v[i].RQR_limit;
        for (uint32_t k = 0; goes_on && k < l->n; k++)
            goes_on = fn(ctx, &(struct reference){ "resource_quota", OBJECT_COMPLEX,
                                                   l->v[k].VA_variable }) &&
                      each_variable(l->v[k].VA_value, fn, ctx);
    }
    return goes_on;
}

/* clang-format off */
/* ---- resource_quota(5) ---- */
static const struct object_attr rqs_attrs[] = {
    { ATTR_ROW("description", ATTR_TEXT, "NONE"),                 RQS_description,    NULL, true,  false, ATTR_IN_FORCE },
    { ATTR_ROW("enabled", ATTR_BOOL, "FALSE"),                    RQS_enabled,        NULL, true,  false, ATTR_IN_FORCE },
    { ATTR_ROW("limit", ATTR_TEXT, "to slots=0"),                 RQS_rule,           rqs_read_limit, true, true, ATTR_IN_FORCE },
};
/* clang-format on */

static const struct object_own rqs_own = { .references = rqs_references, .is_closed = true };
const struct object_rules rqs_rules = {
    .kind = OBJECT_RQS,
    .name_attr = "name",
    .type = &cull_RQS_Type,
    .attrs = rqs_attrs,
    .attrs_n = ARRAY_LEN(rqs_attrs),
    .column = 13,
    .effect = ATTR_IN_FORCE,
    .has_braces = true,
    .name_is_valid = object_name_is_valid,
    .own = &rqs_own,
    .words = { "resource quota set", "resource quota set list", NULL, "Resource quota set",
               "resource quota set list", "resource quota set \"", "\" does not exist" },
};
