/* Cluster queues: the table of queue_conf(5) and the reader and printer that follow it.
 *
 * In a valid queue every attribute has its default (AT_href "/") as the first of its settings and
 * at most one further setting for a host or host group; all values are in the form that
 * attr_value_parse keeps. New settings are built aside and exchanged when nothing can fail any
 * more. */
#include "libs/config/cqueue.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/attr_unknown.h"
#include "libs/config/msg_config.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
static const char default_href[] = "/";

const struct cqueue_attr cqueue_attrs[] = {
    { ATTR_ROW_NUMBER("seq_no", "0", 0, INT32_MAX), CQ_seq_no, ATTR_IN_FORCE },
    { ATTR_ROW("load_thresholds", ATTR_SETTINGS, "np_load_avg=1.75"), CQ_load_thresholds,
      ATTR_IN_FORCE },
    { ATTR_ROW("suspend_thresholds", ATTR_SETTINGS, "NONE"), CQ_suspend_thresholds, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("nsuspend", "1", 0, INT32_MAX), CQ_nsuspend, ATTR_IN_FORCE },
    { ATTR_ROW("suspend_interval", ATTR_TIME, "00:05:00"), CQ_suspend_interval, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("priority", "0", -20, 20), CQ_priority, ATTR_IN_FORCE },
    { ATTR_ROW("min_cpu_interval", ATTR_TIME, "00:05:00"), CQ_min_cpu_interval, ATTR_IN_FORCE },
    { ATTR_ROW("processors", ATTR_PROCESSORS, "UNDEFINED"), CQ_processors, ATTR_IN_FORCE },
    { ATTR_ROW_CHOICE("qtype", ATTR_CHOICES, "BATCH INTERACTIVE", "BATCH INTERACTIVE"), CQ_qtype,
      ATTR_IN_FORCE },
    { ATTR_ROW("ckpt_list", ATTR_NAMES, "NONE"), CQ_ckpt_list, ATTR_IN_FORCE },
    { ATTR_ROW("pe_list", ATTR_NAMES, "NONE"), CQ_pe_list, ATTR_IN_FORCE },
    { ATTR_ROW("rerun", ATTR_BOOL, "FALSE"), CQ_rerun, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("slots", "1", 0, 9999999), CQ_slots, ATTR_IN_FORCE },
    { ATTR_ROW("tmpdir", ATTR_DIRECTORY, "/tmp"), CQ_tmpdir, ATTR_IN_FORCE },
    { ATTR_ROW("shell", ATTR_PATH, "/bin/sh"), CQ_shell, ATTR_IN_FORCE },
    { ATTR_ROW("prolog", ATTR_COMMAND, "NONE"), CQ_prolog, ATTR_IN_FORCE },
    { ATTR_ROW("epilog", ATTR_COMMAND, "NONE"), CQ_epilog, ATTR_IN_FORCE },
    { ATTR_ROW_CHOICE("shell_start_mode", ATTR_CHOICE, "posix_compliant",
                      "posix_compliant unix_behavior script_from_stdin"),
      CQ_shell_start_mode, ATTR_IN_FORCE },
    { ATTR_ROW("starter_method", ATTR_COMMAND, "NONE"), CQ_starter_method, ATTR_IN_FORCE },
    { ATTR_ROW("suspend_method", ATTR_METHOD, "NONE"), CQ_suspend_method, ATTR_IN_FORCE },
    { ATTR_ROW("resume_method", ATTR_METHOD, "NONE"), CQ_resume_method, ATTR_IN_FORCE },
    { ATTR_ROW("terminate_method", ATTR_METHOD, "NONE"), CQ_terminate_method, ATTR_IN_FORCE },
    { ATTR_ROW("notify", ATTR_TIME, "00:00:60"), CQ_notify, ATTR_IN_FORCE },
    { ATTR_ROW("owner_list", ATTR_NAMES, "NONE"), CQ_owner_list, ATTR_IN_FORCE },
    { ATTR_ROW("user_lists", ATTR_NAMES, "NONE"), CQ_user_lists, ATTR_IN_FORCE },
    { ATTR_ROW("xuser_lists", ATTR_NAMES, "NONE"), CQ_xuser_lists, ATTR_IN_FORCE },
    { ATTR_ROW("subordinate_list", ATTR_SUBORDINATES, "NONE"), CQ_subordinate_list, ATTR_IN_FORCE },
    { ATTR_ROW("complex_values", ATTR_RESOURCES, "NONE"), CQ_complex_values, ATTR_IN_FORCE },
    { ATTR_ROW("projects", ATTR_NAMES, "NONE"), CQ_projects, ATTR_IN_FORCE },
    { ATTR_ROW("xprojects", ATTR_NAMES, "NONE"), CQ_xprojects, ATTR_IN_FORCE },
    { ATTR_ROW("calendar", ATTR_NAME, "NONE"), CQ_calendar, ATTR_IN_FORCE },
    { ATTR_ROW_CHOICE("initial_state", ATTR_CHOICE, "default", "default enabled disabled"),
      CQ_initial_state, ATTR_IN_FORCE },
    { ATTR_ROW("s_rt", ATTR_TIME, "INFINITY"), CQ_s_rt, ATTR_IN_FORCE },
    { ATTR_ROW("h_rt", ATTR_TIME, "INFINITY"), CQ_h_rt, ATTR_IN_FORCE },
    { ATTR_ROW("s_cpu", ATTR_TIME, "INFINITY"), CQ_s_cpu, ATTR_IN_FORCE },
    { ATTR_ROW("h_cpu", ATTR_TIME, "INFINITY"), CQ_h_cpu, ATTR_IN_FORCE },
    { ATTR_ROW("s_fsize", ATTR_MEMORY, "INFINITY"), CQ_s_fsize, ATTR_IN_FORCE },
    { ATTR_ROW("h_fsize", ATTR_MEMORY, "INFINITY"), CQ_h_fsize, ATTR_IN_FORCE },
    { ATTR_ROW("s_data", ATTR_MEMORY, "INFINITY"), CQ_s_data, ATTR_IN_FORCE },
    { ATTR_ROW("h_data", ATTR_MEMORY, "INFINITY"), CQ_h_data, ATTR_IN_FORCE },
    { ATTR_ROW("s_stack", ATTR_MEMORY, "INFINITY"), CQ_s_stack, ATTR_IN_FORCE },
    { ATTR_ROW("h_stack", ATTR_MEMORY, "INFINITY"), CQ_h_stack, ATTR_IN_FORCE },
    { ATTR_ROW("s_core", ATTR_MEMORY, "INFINITY"), CQ_s_core, ATTR_IN_FORCE },
    { ATTR_ROW("h_core", ATTR_MEMORY, "INFINITY"), CQ_h_core, ATTR_IN_FORCE },
    { ATTR_ROW("s_rss", ATTR_MEMORY, "INFINITY"), CQ_s_rss, ATTR_IN_FORCE },
    { ATTR_ROW("h_rss", ATTR_MEMORY, "INFINITY"), CQ_h_rss, ATTR_IN_FORCE },
    { ATTR_ROW("s_vmem", ATTR_MEMORY, "INFINITY"), CQ_s_vmem, ATTR_IN_FORCE },
    { ATTR_ROW("h_vmem", ATTR_MEMORY, "INFINITY"), CQ_h_vmem, ATTR_IN_FORCE },
};
const unsigned cqueue_attrs_n = ARRAY_LEN(cqueue_attrs);
_Static_assert(ARRAY_LEN(cqueue_attrs) == CQ_Type_FIELDS - 3,
               "a row for every field but name, hosts and unknown attributes");

const struct cqueue_attr *cqueue_attr_find(const char *name)
{
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        if (strcmp(cqueue_attrs[i].rule.name, name) == 0)
            return &cqueue_attrs[i];
    }
    return NULL;
}

const struct AT_Type_list *cqueue_settings(const struct CQ_Type *cq, const struct cqueue_attr *attr)
{
    return cull_member(&cull_CQ_Type, cq, attr->field);
}

/* ---- settings of one attribute ---- */

/* the settings of an attribute as they are read */
struct settings_reading {
    const struct attr_rule *rule;
    struct AT_Type_list *l;
    struct name_set hrefs; /* those in brackets; there may be one for each host */
};

/* check VALUE and append it as the setting for HREF */
static int settings_add(struct settings_reading *s, const char *href, const char *value,
                        struct answer *ans)
{
    struct AT_Type_list *l = s->l;
    struct dstr kept = DSTR_INIT;
    if (name_set_has(&s->hrefs, href))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CQUEUE_TWICE_SS, s->rule->name, href);
    if (attr_value_parse(s->rule, value, &kept, ans) < 0)
        return -1;
    struct AT_Type *at = cull_push(l);
    cull_set(at, AT_href, href);
    cull_set(at, AT_value, dstr_get(&kept));
    dstr_free(&kept);
    if (l->n > 1)
        (void)name_set_add(&s->hrefs, at->AT_href);
    return 0;
}

/* length of the value for all hosts: up to the comma before the first bracket */
static size_t default_len(const char *text)
{
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        if (comma[1 + strspn(comma + 1, " \t")] == '[')
            return (size_t)(comma - text);
    }
    return strlen(text);
}

/* one "[host=value]" at *AT, which moves behind it and behind the comma that follows */
static int settings_add_bracket(struct settings_reading *s, const char **at, struct answer *ans)
{
    const char *attr = s->rule->name;
    const char *from = *at, *equals = strchr(from, '='), *end = strchr(from, ']');
    if (*from != '[' || end == NULL || equals == NULL || equals > end)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_BRACKET_SS, attr, from);
    const char *next = end + 1 + strspn(end + 1, " \t");
    if (*next != '\0' && (*next != ',' || next[1 + strspn(next + 1, " \t")] != '['))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_BRACKET_SS, attr, from);
    *at = *next == '\0' ? next : next + 1 + strspn(next + 1, " \t");
    char *href = uti_strndup(from + 1, (size_t)(equals - from - 1));
    char *value = uti_strndup(equals + 1, (size_t)(end - equals - 1));
    int ret = host_identifier_is_valid(href)
                  ? settings_add(s, href, value, ans)
                  : ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_HREF_SS, attr, href);
    free(href);
    free(value);
    return ret;
}

static int settings_parse(struct AT_Type_list *l, const struct attr_rule *rule, const char *text,
                          struct answer *ans)
{
    struct settings_reading s = { .rule = rule, .l = l };
    size_t len = default_len(text);
    if (text[0] == '[')
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_DEFAULT_SS, rule->name, text);
    char *value = uti_strndup(text, len);
    int ret = settings_add(&s, default_href, value, ans);
    free(value);
    const char *at = text + len;
    if (*at == ',')
        at += 1 + strspn(at + 1, " \t");
    while (ret == 0 && *at != '\0')
        ret = settings_add_bracket(&s, &at, ans);
    name_set_free(&s.hrefs);
    if (ret < 0)
        cull_list_clear(&cull_AT_Type, l);
    return ret;
}

static void settings_text(const struct AT_Type_list *l, struct dstr *out)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (i == 0)
            dstr_add(out, l->v[i].AT_value);
        else
            dstr_addf(out, ",[%s=%s]", l->v[i].AT_href, l->v[i].AT_value);
    }
}

/* ---- hosts ---- */

static int hostlist_parse(struct ST_Type_list *l, const char *text, struct answer *ans)
{
    struct dstr host = DSTR_INIT;
    struct name_set hosts = { 0 };
    int ret = 0;
    for (const char *at = text; ret == 0 && attr_next_word(&at, ", \t", &host);) {
        if (!host_identifier_is_valid(dstr_get(&host))) {
            ret = ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_HOST_S, dstr_get(&host));
        } else if (!name_set_has(&hosts, dstr_get(&host))) {
            struct ST_Type *st = cull_push(l);
            cull_set(st, ST_name, dstr_get(&host));
            (void)name_set_add(&hosts, st->ST_name);
        }
    }
    name_set_free(&hosts);
    dstr_free(&host);
    return ret;
}

static int hostlist_set(struct CQ_Type *cq, const char *text, struct answer *ans)
{
    struct CQ_Type next = { 0 };
    int ret = 0;
    if (text[0] == '\0')
        ret = ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_HOST_S, text);
    else if (!attr_is_none(text))
        ret = hostlist_parse(&next.CQ_hostlist, text, ans);
    cull_mark(&next, CQ_hostlist);
    if (ret == 0)
        cull_copy_field(&cull_CQ_Type, cq, &next, CQ_hostlist);
    cull_clear(&cull_CQ_Type, &next);
    return ret;
}

static void hostlist_text(const struct CQ_Type *cq, struct dstr *out)
{
    if (cq->CQ_hostlist.n == 0)
        dstr_add(out, "NONE");
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++)
        dstr_addf(out, "%s%s", i > 0 ? " " : "", cq->CQ_hostlist.v[i].ST_name);
}

/* ---- queues ---- */

static int qname_set(struct CQ_Type *cq, const char *name, struct answer *ans)
{
    if (!object_name_is_valid(name))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_NAME_S, name);
    cull_set(cq, CQ_name, name);
    return 0;
}

/* the I-th of all attributes */
static const char *name_at(const void *of SGE_UNUSED, size_t i)
{
    static const char *const first[] = { "qname", "hostlist" };
    if (i < ARRAY_LEN(first))
        return first[i];
    i -= ARRAY_LEN(first);
    return i < cqueue_attrs_n ? cqueue_attrs[i].rule.name : NULL;
}

void cqueue_warn_unknown(const struct CQ_Type *cq, const struct CQ_Type *before, struct answer *ans)
{
    attr_unknown_warn(&cq->CQ_unknown, before != NULL ? &before->CQ_unknown : NULL, name_at, NULL,
                      ans);
}

int cqueue_set(struct CQ_Type *cq, const char *attr, const char *value, struct answer *ans)
{
    if (strcmp(attr, "qname") == 0)
        return qname_set(cq, value, ans);
    if (strcmp(attr, "hostlist") == 0)
        return hostlist_set(cq, value, ans);
    const struct cqueue_attr *row = cqueue_attr_find(attr);
    if (row == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, attr);
    struct AT_Type_list next = { 0 };
    if (settings_parse(&next, &row->rule, value, ans) < 0)
        return -1;
    cull_clear_field(&cull_CQ_Type, cq, row->field);
    *(struct AT_Type_list *)((char *)cq + cull_CQ_Type.fields[row->field].offset) = next;
    cull_mark(cq, row->field);
    return 0;
}

struct CQ_Type *cqueue_template(const char *name)
{
    struct CQ_Type *cq = cull_new(&cull_CQ_Type);
    cull_set(cq, CQ_name, name);
    cull_mark(cq, CQ_hostlist);
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        const struct attr_rule *rule = &cqueue_attrs[i].rule;
        (void)cqueue_set(cq, rule->name, rule->initial, NULL);
    }
    return cq;
}

static int cqueue_check_complete(const struct CQ_Type *cq, struct answer *ans)
{
    if (!cull_has(cq, CQ_name))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, "qname");
    if (!cull_has(cq, CQ_hostlist))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, "hostlist");
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        if (!cull_has(cq, cqueue_attrs[i].field))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, cqueue_attrs[i].rule.name);
    }
    return 0;
}

static bool cqueue_has(const struct CQ_Type *cq, const char *attr)
{
    if (strcmp(attr, "qname") == 0)
        return cull_has(cq, CQ_name);
    if (strcmp(attr, "hostlist") == 0)
        return cull_has(cq, CQ_hostlist);
    const struct cqueue_attr *row = cqueue_attr_find(attr);
    return row != NULL && cull_has(cq, row->field);
}

static bool cqueue_is_attr(const char *name)
{
    return strcmp(name, "qname") == 0 || strcmp(name, "hostlist") == 0 ||
           cqueue_attr_find(name) != NULL;
}

int cqueue_parse(const char *text, struct CQ_Type *cq, struct answer *ans)
{
    struct attr_reader reader = ATTR_READER(text);
    struct dstr name = DSTR_INIT, value = DSTR_INIT;
    int ret = 0;
    while (ret == 0 && attr_read(&reader, &name, &value)) {
        if (cqueue_has(cq, dstr_get(&name)))
            ret = ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_TWICE_S, dstr_get(&name));
        else if (cqueue_is_attr(dstr_get(&name)))
            ret = cqueue_set(cq, dstr_get(&name), dstr_get(&value), ans);
        else {
            cull_mark(cq, CQ_unknown);
            ret = attr_unknown_add(&cq->CQ_unknown, dstr_get(&name), dstr_get(&value), ans);
        }
    }
    if (ret == 0)
        ret = cqueue_check_complete(cq, ans);
    if (ret < 0)
        cull_clear(&cull_CQ_Type, cq);
    dstr_free(&name);
    dstr_free(&value);
    return ret;
}

/* a foreign sender may leave strings out: then there is nothing to print */
static bool settings_are_whole(const struct AT_Type_list *l)
{
    if (l->n == 0 || l->v[0].AT_href == NULL || strcmp(l->v[0].AT_href, default_href) != 0)
        return false;
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->v[i].AT_href == NULL || l->v[i].AT_value == NULL)
            return false;
    }
    return true;
}

/* would the text of AT, printed as the default or in brackets, be read as AT again? */
static bool setting_reads_back(const struct AT_Type *at, bool is_default)
{
    if (is_default)
        return at->AT_value[0] != '[' && at->AT_value[default_len(at->AT_value)] == '\0';
    return strchr(at->AT_value, ']') == NULL;
}

static int setting_check(const struct attr_rule *rule, const struct AT_Type *at, bool is_default,
                         struct answer *ans)
{
    struct dstr kept = DSTR_INIT;
    int ret = 0;
    if (!is_default && !host_identifier_is_valid(at->AT_href))
        ret = ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_HREF_SS, rule->name, at->AT_href);
    if (ret == 0)
        ret = attr_value_parse(rule, at->AT_value, &kept, ans);
    if (ret == 0 &&
        (strcmp(dstr_get(&kept), at->AT_value) != 0 || !setting_reads_back(at, is_default)))
        ret = ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_BRACKET_SS, rule->name, at->AT_value);
    dstr_free(&kept);
    return ret;
}

static int attr_check(const struct CQ_Type *cq, const struct cqueue_attr *row, struct answer *ans)
{
    const struct AT_Type_list *l = cqueue_settings(cq, row);
    struct name_set hrefs = { 0 };
    int ret = 0;
    if (!settings_are_whole(l))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_DEFAULT_SS, row->rule.name, "");
    for (uint32_t i = 0; ret == 0 && i < l->n; i++) {
        ret = setting_check(&row->rule, &l->v[i], i == 0, ans);
        if (ret == 0 && i > 0 && !name_set_add(&hrefs, l->v[i].AT_href))
            ret = ans_fail(ans, STATUS_ESEMANTIC, MSG_CQUEUE_TWICE_SS, row->rule.name,
                           l->v[i].AT_href);
    }
    name_set_free(&hrefs);
    return ret;
}

int cqueue_check(const struct CQ_Type *cq, struct answer *ans)
{
    if (cqueue_check_complete(cq, ans) < 0)
        return -1;
    if (cq->CQ_name == NULL || !object_name_is_valid(cq->CQ_name))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_NAME_S,
                        cq->CQ_name != NULL ? cq->CQ_name : "");
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++) {
        const char *host = cq->CQ_hostlist.v[i].ST_name;
        if (host == NULL || !host_identifier_is_valid(host))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_CQUEUE_HOST_S, host != NULL ? host : "");
    }
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        if (attr_check(cq, &cqueue_attrs[i], ans) < 0)
            return -1;
    }
    return attr_unknown_check(&cq->CQ_unknown, name_at, NULL, ans);
}

/* ---- text ---- */

bool cqueue_value(const struct CQ_Type *cq, const char *attr, struct dstr *out)
{
    const struct cqueue_attr *row = cqueue_attr_find(attr);
    if (row != NULL)
        settings_text(cqueue_settings(cq, row), out);
    else if (strcmp(attr, "hostlist") == 0)
        hostlist_text(cq, out);
    else if (strcmp(attr, "qname") == 0)
        dstr_add(out, cq->CQ_name);
    else
        return false;
    return true;
}

static void cqueue_text_line(const struct CQ_Type *cq, const char *attr, bool is_single,
                             struct dstr *out)
{
    struct dstr value = DSTR_INIT;
    cqueue_value(cq, attr, &value);
    attr_print(out, CQUEUE_TEXT_COLUMN, attr, dstr_get(&value), is_single);
    dstr_free(&value);
}

void cqueue_text(const struct CQ_Type *cq, bool is_single, struct dstr *out)
{
    cqueue_text_line(cq, "qname", is_single, out);
    cqueue_text_line(cq, "hostlist", is_single, out);
    for (unsigned i = 0; i < cqueue_attrs_n; i++)
        cqueue_text_line(cq, cqueue_attrs[i].rule.name, is_single, out);
    attr_unknown_print(&cq->CQ_unknown, CQUEUE_TEXT_COLUMN, is_single, out);
}
