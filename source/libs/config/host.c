/* Execution hosts as host_conf(5) writes them.
 *
 * Five attributes are kept as their text; load_scaling and complex_values as lists of name and
 * value. load_values and processors come from the host's execd: they are printed, and skipped when
 * a printed text is read back. */
#include "libs/config/host.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/attr_unknown.h"
#include "libs/config/msg_config.h"
#include "libs/config/offers.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { TEXT_COLUMN = 22 };

static const struct host_attr {
    struct attr_rule rule;
    unsigned field;
    enum attr_effect effect;
} attrs[] = {
    { ATTR_ROW("load_scaling", ATTR_SETTINGS, "NONE"), EH_scaling_list, ATTR_IN_FORCE },
    { ATTR_ROW("complex_values", ATTR_RESOURCES, "NONE"), EH_consumable_config_list,
      ATTR_IN_FORCE },
    { ATTR_ROW("user_lists", ATTR_NAMES, "NONE"), EH_text_user_lists, ATTR_IN_FORCE },
    { ATTR_ROW("xuser_lists", ATTR_NAMES, "NONE"), EH_text_xuser_lists, ATTR_IN_FORCE },
    { ATTR_ROW("projects", ATTR_NAMES, "NONE"), EH_text_projects, ATTR_IN_FORCE },
    { ATTR_ROW("xprojects", ATTR_NAMES, "NONE"), EH_text_xprojects, ATTR_IN_FORCE },
    { ATTR_ROW("usage_scaling", ATTR_SETTINGS, "NONE"), EH_text_usage_scaling, ATTR_IN_FORCE },
    { ATTR_ROW("report_variables", ATTR_NAMES, "NONE"), EH_text_report_variables, ATTR_IN_FORCE },
};

/* ---- values ---- */

/* the next NAME=VALUE of a checked list; false at the end. NAME and VALUE are new: free() them */
static bool next_setting(const char **at, char **name, char **value)
{
    if (**at == '\0' || attr_is_none(*at))
        return false;
    size_t len = strcspn(*at, ","), name_len = strcspn(*at, "=");
    *name = uti_strndup(*at, name_len);
    *value = uti_strndup(*at + name_len + 1, len - name_len - 1);
    *at += len + ((*at)[len] == ',');
    return true;
}

static void scaling_read(struct EH_Type *host, const char *kept)
{
    char *name = NULL, *value = NULL;
    while (next_setting(&kept, &name, &value)) {
        struct VA_Type *va = cull_append(host, EH_scaling_list);
        cull_set(va, VA_variable, name);
        cull_set(va, VA_value, value);
        free(name);
        free(value);
    }
}

static void list_set(struct EH_Type *host, unsigned field, const char *kept)
{
    cull_clear_field(&cull_EH_Type, host, field);
    cull_mark(host, field);
    if (field == EH_scaling_list)
        scaling_read(host, kept);
    else
        offers_read(kept, &host->EH_consumable_config_list);
}

static void text_set(struct EH_Type *host, unsigned field, const char *kept)
{
    const char **at = (const char **)((char *)host + cull_EH_Type.fields[field].offset);
    cull_put_string(at, kept);
    cull_mark(host, field);
}

static bool attr_is_list(const struct host_attr *attr)
{
    return attr->field == EH_scaling_list || attr->field == EH_consumable_config_list;
}

static void va_list_text(const struct VA_Type_list *l, struct dstr *out)
{
    for (uint32_t i = 0; i < l->n; i++)
        dstr_addf(out, "%s%s=%s", i > 0 ? "," : "", l->v[i].VA_variable, l->v[i].VA_value);
}

static void attr_text(const struct EH_Type *host, const struct host_attr *attr, struct dstr *out)
{
    size_t before = out->len;
    if (attr->field == EH_scaling_list) {
        va_list_text(&host->EH_scaling_list, out);
    } else if (attr->field == EH_consumable_config_list) {
        const struct CE_Type_list *l = &host->EH_consumable_config_list;
        for (uint32_t i = 0; i < l->n; i++)
            dstr_addf(out, "%s%s=%s", i > 0 ? "," : "", l->v[i].CE_name, l->v[i].CE_stringval);
    } else {
        const char *const *at = cull_member(&cull_EH_Type, host, attr->field);
        dstr_add(out, *at != NULL ? *at : "");
    }
    if (out->len == before)
        dstr_add(out, "NONE");
}

/* ---- reading ---- */

static const struct host_attr *attr_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(attrs); i++)
        if (strcmp(attrs[i].rule.name, name) == 0)
            return &attrs[i];
    return NULL;
}

const struct attr_rule *host_attr_rule(const char *attr)
{
    const struct host_attr *row = attr_find(attr);
    return row != NULL ? &row->rule : NULL;
}

static int name_set(struct EH_Type *host, const char *name, struct answer *ans)
{
    if (!host_identifier_is_valid(name) || name[0] == '@')
        return ans_fail(ans, STATUS_ESYNTAX, MSG_HOST_NAME_S, name);
    cull_set(host, EH_name, name);
    return 0;
}

int host_set(struct EH_Type *host, const char *name, const char *value, struct answer *ans)
{
    const struct host_attr *attr = attr_find(name);
    struct dstr kept = DSTR_INIT;
    if (strcmp(name, "load_values") == 0 || strcmp(name, "processors") == 0)
        return 0;
    if (strcmp(name, "hostname") == 0)
        return name_set(host, value, ans);
    if (attr == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, name);
    if (attr_value_parse(&attr->rule, value, &kept, ans) < 0)
        return -1;
    (attr_is_list(attr) ? list_set : text_set)(host, attr->field, dstr_get(&kept));
    dstr_free(&kept);
    return 0;
}

static bool host_has(const struct EH_Type *host, const char *name)
{
    const struct host_attr *attr = attr_find(name);
    if (strcmp(name, "hostname") == 0)
        return cull_has(host, EH_name);
    return attr != NULL && cull_has(host, attr->field);
}

static int host_require_all(const struct EH_Type *host, struct answer *ans)
{
    if (!cull_has(host, EH_name))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, "hostname");
    for (size_t i = 0; i < ARRAY_LEN(attrs); i++) {
        if (!cull_has(host, attrs[i].field))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, attrs[i].rule.name);
    }
    return 0;
}

/* the I-th of all attributes of the text form */
static const char *name_at(const void *of SGE_UNUSED, size_t i)
{
    static const char *const others[] = { "hostname", "load_values", "processors" };
    if (i < ARRAY_LEN(attrs))
        return attrs[i].rule.name;
    i -= ARRAY_LEN(attrs);
    return i < ARRAY_LEN(others) ? others[i] : NULL;
}

static bool host_is_attr(const char *name)
{
    const char *known;
    for (size_t i = 0; (known = name_at(NULL, i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return true;
    return false;
}

void host_warn_unknown(const struct EH_Type *host, const struct EH_Type *before, struct answer *ans)
{
    attr_unknown_warn(&host->EH_unknown, before != NULL ? &before->EH_unknown : NULL, name_at, NULL,
                      ans);
}

int host_parse(const char *text, struct EH_Type *host, struct answer *ans)
{
    struct attr_reader reader = ATTR_READER(text);
    struct dstr name = DSTR_INIT, value = DSTR_INIT;
    int ret = 0;
    while (ret == 0 && attr_read(&reader, &name, &value)) {
        if (host_has(host, dstr_get(&name)))
            ret = ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_TWICE_S, dstr_get(&name));
        else if (host_is_attr(dstr_get(&name)))
            ret = host_set(host, dstr_get(&name), dstr_get(&value), ans);
        else {
            cull_mark(host, EH_unknown);
            ret = attr_unknown_add(&host->EH_unknown, dstr_get(&name), dstr_get(&value), ans);
        }
    }
    if (ret == 0)
        ret = host_require_all(host, ans);
    if (ret < 0)
        cull_clear(&cull_EH_Type, host);
    dstr_free(&name);
    dstr_free(&value);
    return ret;
}

void host_complete(struct EH_Type *host)
{
    for (size_t i = 0; i < ARRAY_LEN(attrs); i++)
        if (!cull_has(host, attrs[i].field))
            (attr_is_list(&attrs[i]) ? list_set : text_set)(host, attrs[i].field,
                                                            attrs[i].rule.initial);
}

struct EH_Type *host_template(const char *name)
{
    struct EH_Type *host = cull_new(&cull_EH_Type);
    cull_set(host, EH_name, name);
    host_complete(host);
    return host;
}

/* a foreign sender may have left strings of a list out */
static bool lists_are_whole(const struct EH_Type *host)
{
    for (uint32_t i = 0; i < host->EH_scaling_list.n; i++) {
        if (host->EH_scaling_list.v[i].VA_variable == NULL ||
            host->EH_scaling_list.v[i].VA_value == NULL)
            return false;
    }
    for (uint32_t i = 0; i < host->EH_consumable_config_list.n; i++) {
        const struct CE_Type *ce = &host->EH_consumable_config_list.v[i];
        if (ce->CE_name == NULL || ce->CE_stringval == NULL)
            return false;
    }
    return true;
}

int host_check(const struct EH_Type *host, struct answer *ans)
{
    if (host_require_all(host, ans) < 0)
        return -1;
    if (host->EH_name == NULL || !host_identifier_is_valid(host->EH_name) ||
        host->EH_name[0] == '@' || !lists_are_whole(host))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_HOST_NAME_S,
                        host->EH_name != NULL ? host->EH_name : "");
    int ret = 0;
    for (size_t i = 0; ret == 0 && i < ARRAY_LEN(attrs); i++) {
        struct dstr value = DSTR_INIT, kept = DSTR_INIT;
        attr_text(host, &attrs[i], &value);
        ret = attr_value_parse(&attrs[i].rule, dstr_get(&value), &kept, ans);
        dstr_free(&value);
        dstr_free(&kept);
    }
    return ret == 0 ? attr_unknown_check(&host->EH_unknown, name_at, NULL, ans) : -1;
}

/* ---- printing ---- */

static void load_values_print(const struct EH_Type *host, bool is_single, struct dstr *out)
{
    struct dstr value = DSTR_INIT;
    va_list_text(&host->EH_load_list, &value);
    attr_print(out, TEXT_COLUMN, "load_values", value.len > 0 ? value.s : "NONE", is_single);
    dstr_clear(&value);
    dstr_addf(&value, "%u", host->EH_processors);
    attr_print(out, TEXT_COLUMN, "processors", value.s, is_single);
    dstr_free(&value);
}

void host_text(const struct EH_Type *host, bool is_template, bool is_single, struct dstr *out)
{
    attr_print(out, TEXT_COLUMN, "hostname", host->EH_name, is_single);
    for (size_t i = 0; i < ARRAY_LEN(attrs); i++) {
        struct dstr value = DSTR_INIT;
        attr_text(host, &attrs[i], &value);
        attr_print(out, TEXT_COLUMN, attrs[i].rule.name, dstr_get(&value), is_single);
        dstr_free(&value);
        if (attrs[i].field == EH_consumable_config_list && !is_template)
            load_values_print(host, is_single, out);
    }
    attr_unknown_print(&host->EH_unknown, TEXT_COLUMN, is_single, out);
}

const char *host_attr_name(size_t i)
{
    return i < ARRAY_LEN(attrs) ? attrs[i].rule.name : NULL;
}

bool host_attr(const struct EH_Type *host, size_t i, struct host_attr_view *view,
               struct dstr *value)
{
    if (i >= ARRAY_LEN(attrs))
        return false;
    dstr_clear(value);
    attr_text(host, &attrs[i], value);
    view->name = attrs[i].rule.name;
    view->is_idle = attr_is_idle(&attrs[i].rule, attrs[i].effect, dstr_get(value));
    return true;
}

const char *host_load_value(const struct EH_Type *host, const char *name)
{
    for (uint32_t i = 0; i < host->EH_load_list.n; i++) {
        const struct VA_Type *va = &host->EH_load_list.v[i];
        if (va->VA_variable != NULL && strcmp(va->VA_variable, name) == 0)
            return va->VA_value;
    }
    return NULL;
}
