/* The limits of one rule of a resource quota set: -mattr, -rattr, -aattr and -dattr of the
 * attribute limit, for "SET/RULE", where RULE is the name or the number of the rule.
 * Source: qconf(1). */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/attr_change.h"
#include "clients/qconf/exchange.h"
#include "clients/qconf/msg_qconf.h"
#include "libs/config/attr_names.h"
#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

/* the next word at *AT, which moves behind it; blanks in braces are no end */
static bool rule_word(const char **at, struct dstr *word)
{
    int depth = 0;
    *at += strspn(*at, " \t");
    dstr_clear(word);
    for (; **at != '\0' && (depth > 0 || strchr(" \t", **at) == NULL); (*at)++) {
        depth += (**at == '{') - (**at == '}');
        dstr_addc(word, **at);
    }
    return word->len > 0;
}

/* where the limits of RULE begin; NAME gets its name, if it has one */
static const char *limits_of(const char *rule, struct dstr *name)
{
    struct dstr keyword = DSTR_INIT, list = DSTR_INIT;
    const char *at = rule;
    while (rule_word(&at, &keyword) && strcmp(dstr_get(&keyword), "to") != 0)
        if (rule_word(&at, &list) && strcmp(dstr_get(&keyword), "name") == 0)
            dstr_add(name, dstr_get(&list));
    dstr_free(&keyword);
    dstr_free(&list);
    return at + strspn(at, " \t");
}

static bool is_meant(const char *rule, uint32_t number, const char *wanted)
{
    struct dstr name = DSTR_INIT;
    uint32_t n;
    (void)limits_of(rule, &name);
    bool is_it = strcmp(dstr_get(&name), wanted) == 0 || (parse_u32(wanted, &n) && n == number);
    dstr_free(&name);
    return is_it;
}

/* the rule that OBJECT ("r1/first", "r1/2") names; NULL: none */
static struct VA_Type *find_rule(struct TX_Type *tx, const char *object)
{
    const char *wanted = strchr(object, '/');
    uint32_t number = 0;
    for (uint32_t i = 0; wanted != NULL && i < tx->TX_entries.n; i++) {
        struct VA_Type *va = &tx->TX_entries.v[i];
        if (va->VA_variable == NULL || va->VA_value == NULL ||
            strcmp(va->VA_variable, "limit") != 0)
            continue;
        number++;
        if (is_meant(va->VA_value, number, wanted + 1))
            return va;
    }
    return NULL;
}

static void split_limits(const char *text, struct name_list *out)
{
    struct dstr item = DSTR_INIT;
    for (const char *at = text; attr_next_word(&at, " ,", &item);)
        name_list_add(out, item.s, item.len);
    dstr_free(&item);
}

static uint32_t find_limit(const struct name_list *list, const char *limit)
{
    size_t len = strcspn(limit, "=");
    uint32_t i = 0;
    while (i < list->n && (strcspn(list->v[i], "=") != len || strncmp(list->v[i], limit, len) != 0))
        i++;
    return i;
}

static void drop_limit(struct name_list *have, uint32_t at)
{
    free(have->v[at]);
    memmove(&have->v[at], &have->v[at + 1], (have->n - at - 1) * sizeof *have->v);
    have->n--;
}

static void join_limit(struct attr_target *t, enum attr_op op, struct name_list *have,
                       const char *limit)
{
    uint32_t at = find_limit(have, limit);
    bool is_there = at < have->n;
    if (op == OP_DELETE && !is_there) {
        t->lacks = true;
        dstr_addf(&t->said, MSG_ATTR_NOT_THERE_SSS "\n", limit, t->attr,
                  object_kind_attr_word(t->kind->target));
    }
    if (op == OP_ADD && is_there)
        dstr_addf(&t->said, MSG_ATTR_THERE_SSS "\n", limit, t->attr,
                  object_kind_attr_word(t->kind->target));
    if (op == OP_DELETE && is_there) {
        drop_limit(have, at);
    } else if (op != OP_DELETE && !is_there) {
        name_list_add(have, limit, strlen(limit));
    } else if (op == OP_MODIFY) {
        free(have->v[at]);
        have->v[at] = uti_strdup(limit);
    }
}

int rule_limits_change(struct qconf *q, struct attr_target *t, enum attr_op op, const char *value)
{
    struct name_list have = { 0 }, more = { 0 };
    struct dstr name = DSTR_INIT, text = DSTR_INIT;
    struct VA_Type *rule = find_rule(t->record, t->object);
    if (rule == NULL)
        return qconf_fail(q, MSG_RULE_NONE);
    const char *limits = limits_of(rule->VA_value, &name);
    if (op != OP_REPLACE)
        split_limits(limits, &have);
    split_limits(value, op == OP_REPLACE ? &have : &more);
    for (uint32_t i = 0; i < more.n; i++)
        join_limit(t, op, &have, more.v[i]);
    dstr_addn(&text, rule->VA_value, (size_t)(limits - rule->VA_value));
    for (uint32_t i = 0; i < have.n; i++)
        dstr_addf(&text, "%s%s", i > 0 ? "," : "", have.v[i]);
    cull_set(rule, VA_value, dstr_get(&text));
    name_list_free(&have);
    name_list_free(&more);
    dstr_free(&name);
    dstr_free(&text);
    return 0;
}
