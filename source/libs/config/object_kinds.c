/* The kinds of objects: for each the table of rules for its attributes and the words that users
 * know; and the attributes, of any kind, that name other objects. A kind whose rules are more than
 * a table is in a file of its own (object_kinds_priv.h). */
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/calendar.h"
#include "libs/config/complex.h"
#include "libs/config/object_kinds_priv.h"
#include "libs/config/subordinates.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* clang-format off */

/* ---- sge_pe(5) ---- */
static const struct object_attr pe_attrs[] = {
    { ATTR_ROW_NUMBER("slots", "0", 0, 9999999),                  PE_slots,              NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("user_lists", ATTR_NAMES, "NONE"),                 PE_user_list,          NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("xuser_lists", ATTR_NAMES, "NONE"),                PE_xuser_list,         NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("start_proc_args", ATTR_COMMAND, "NONE"),          PE_start_proc_args,    NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("stop_proc_args", ATTR_COMMAND, "NONE"),           PE_stop_proc_args,     NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_AMOUNT("allocation_rule", "$pe_slots", 1, 9999999, "$pe_slots $fill_up $round_robin"), PE_allocation_rule, NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("control_slaves", ATTR_BOOL, "FALSE"),             PE_control_slaves,     NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("job_is_first_task", ATTR_BOOL, "TRUE"),           PE_job_is_first_task,  NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_AMOUNT("urgency_slots", "min", 1, 9999999, "min max avg"), PE_urgency_slots, NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("accounting_summary", ATTR_BOOL, "FALSE"),         PE_accounting_summary, NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("qsort_args", ATTR_TEXT, "NONE"),                  PE_qsort_args,         NULL, true,  false, ATTR_STORED },
};

/* ---- checkpoint(5) ---- */
static const struct object_attr ckpt_attrs[] = {
    { ATTR_ROW_CHOICE("interface", ATTR_CHOICE, "userdefined", "HIBERNATOR CPR TRANSPARENT USERDEFINED APPLICATION-LEVEL"), CK_interface, NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("ckpt_command", ATTR_COMMAND, "none"),             CK_ckpt_command,    NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("migr_command", ATTR_COMMAND, "none"),             CK_migr_command,    NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("restart_command", ATTR_COMMAND, "none"),          CK_rest_command,    NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("clean_command", ATTR_COMMAND, "none"),            CK_clean_command,   NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("ckpt_dir", ATTR_DIRECTORY, "/tmp"),               CK_ckpt_dir,        NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("signal", ATTR_SIGNAL, "none"),                    CK_signal,          NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_CHOICE("when", ATTR_LETTERS, "sx", "smxr"),        CK_when,            NULL, false, false, ATTR_IN_FORCE },
};

/* ---- calendar_conf(5) ---- */
static const struct object_attr calendar_attrs[] = {
    { ATTR_ROW("year", ATTR_TEXT, "NONE"), CAL_year_calendar, calendar_read_year, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("week", ATTR_TEXT, "NONE"), CAL_week_calendar, calendar_read_week, false, false, ATTR_IN_FORCE },
};

/* ---- access_list(5) ---- */
static const struct object_attr userset_attrs[] = {
    { ATTR_ROW_CHOICE("type", ATTR_CHOICES, "ACL", "ACL DEPT"),   US_type,            NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("fshare", "0", 0, INT32_MAX),               US_fshare,          NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("oticket", "0", 0, INT32_MAX),              US_oticket,         NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("entries", ATTR_USERS, "NONE"),                    US_entries,         NULL, false, false, ATTR_IN_FORCE },
};

/* ---- project(5) ---- */
static const struct object_attr project_attrs[] = {
    { ATTR_ROW_NUMBER("oticket", "0", 0, INT32_MAX),              PR_oticket,         NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("fshare", "0", 0, INT32_MAX),               PR_fshare,          NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("acl", ATTR_NAMES, "NONE"),                        PR_acl,             NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("xacl", ATTR_NAMES, "NONE"),                       PR_xacl,            NULL, false, false, ATTR_IN_FORCE },
};

/* ---- user(5) ---- */
static const struct object_attr user_attrs[] = {
    { ATTR_ROW_NUMBER("oticket", "0", 0, INT32_MAX),              UU_oticket,         NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("fshare", "0", 0, INT32_MAX),               UU_fshare,          NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW_NUMBER("delete_time", "0", 0, INT64_MAX),          UU_delete_time,     NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("default_project", ATTR_NAME, "NONE"),             UU_default_project, NULL, false, false, ATTR_IN_FORCE },
};

/* ---- hostgroup(5) ---- */
static const struct object_attr hostgroup_attrs[] = {
    { ATTR_ROW("hostlist", ATTR_HOSTS, "NONE"),                   HGRP_host_list,     NULL, false, false, ATTR_IN_FORCE },
};

/* ---- complex(5) ---- */
static const struct object_attr complex_attrs[] = {
    { ATTR_ROW("shortcut", ATTR_NAME, "new")     ,                CE_shortcut,        NULL, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("type", ATTR_TEXT, "INT"),                         CE_valtype,         complex_read_type, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("relop", ATTR_TEXT, "<="),                         CE_relop,           complex_read_relop, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("requestable", ATTR_TEXT, "YES"),                  CE_requestable,     complex_read_request, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("consumable", ATTR_TEXT, "NO"),                    CE_consumable,      complex_read_consumable, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("default", ATTR_TEXT, "0"),                        CE_default,         complex_read_default, false, false, ATTR_IN_FORCE },
    { ATTR_ROW("urgency", ATTR_DECIMAL, "0"),                     CE_urgency_weight,  NULL, false, false, ATTR_IN_FORCE },
};

static bool is_group_name(const char *name)
{
    return name[0] == '@' && host_identifier_is_valid(name);
}

static const struct object_own ordinary = { 0 };
static const struct object_own complex_own = { .check = complex_check_entry, .is_closed = true };

static const struct object_rules kinds[] = {
    { OBJECT_PE, "pe_name", &cull_PE_Type, pe_attrs, ARRAY_LEN(pe_attrs), 19, ATTR_IN_FORCE, false, object_name_is_valid, &ordinary,
      { "parallel environment", "parallel environment list", NULL, "Parallel environment", "parallel environment", "", " is not a parallel environment" } },
    { OBJECT_CKPT, "ckpt_name", &cull_CK_Type, ckpt_attrs, ARRAY_LEN(ckpt_attrs), 19, ATTR_IN_FORCE, false, object_name_is_valid, &ordinary,
      { "checkpoint interface", "checkpoint interface list", NULL, "Checkpoint", "ckpt interface definition", "", " is not a checkpointing interface definition" } },
    { OBJECT_CALENDAR, "calendar_name", &cull_CAL_Type, calendar_attrs, ARRAY_LEN(calendar_attrs), 17, ATTR_IN_FORCE, false, object_name_is_valid, &ordinary,
      { "calendar", "calendar list", NULL, "Calendar", "calendar", "", " is not a calendar" } },
    { OBJECT_USERSET, "name", &cull_US_Type, userset_attrs, ARRAY_LEN(userset_attrs), 8, ATTR_IN_FORCE, false, object_name_is_valid, &ordinary,
      { "userset", "userset list", NULL, "Userset", "userset list", "denied: access list \"", "\" does not exist" } },
    { OBJECT_PROJECT, "name", &cull_PR_Type, project_attrs, ARRAY_LEN(project_attrs), 0, ATTR_IN_FORCE, false, object_name_is_valid, &ordinary,
      { "project", "project list", NULL, "Project", "project list", "", " is not known as a project" } },
    { OBJECT_USER, "name", &cull_UU_Type, user_attrs, ARRAY_LEN(user_attrs), 0, ATTR_IN_FORCE, false, user_name_is_valid, &ordinary,
      { "user", "user list", NULL, "User", "user list", "", " is not known as a user" } },
    { OBJECT_HOSTGROUP, "group_name", &cull_HGRP_Type, hostgroup_attrs, ARRAY_LEN(hostgroup_attrs), 0, ATTR_IN_FORCE, false, is_group_name, &ordinary,
      { "host group", "host group list", "host group entry list", "Host group", "host group list", "Host group \"", "\" does not exist" } },
    { OBJECT_COMPLEX, "name", &cull_CE_Type, complex_attrs, ARRAY_LEN(complex_attrs), 12, ATTR_IN_FORCE, false, object_name_is_valid, &complex_own,
      { "complex attribute", "complex entry list", "complex list", "Complex attribute", "complex attribute", "", " is not a complex attribute" } },
};
/* clang-format on */

#define KIND_ROW(name) &name##_rules,
static const struct object_rules *const elsewhere[] = { OBJECT_KINDS_ELSEWHERE(KIND_ROW) };

const struct object_rules *object_rules_at(unsigned i)
{
    if (i < ARRAY_LEN(kinds))
        return &kinds[i];
    size_t other = i - ARRAY_LEN(kinds);
    return other < ARRAY_LEN(elsewhere) ? elsewhere[other] : NULL;
}

const struct object_rules *object_rules_of(enum object_kind kind)
{
    const struct object_rules *rules;
    for (unsigned i = 0; (rules = object_rules_at(i)) != NULL; i++)
        if (rules->kind == kind)
            return rules;
    return NULL;
}

/* ---- references ---- */

static const struct attr_reference references[] = {
    { "pe_list", OBJECT_PE, NULL },
    { "ckpt_list", OBJECT_CKPT, NULL },
    { "user_lists", OBJECT_USERSET, NULL },
    { "xuser_lists", OBJECT_USERSET, NULL },
    { "acl", OBJECT_USERSET, NULL },
    { "xacl", OBJECT_USERSET, NULL },
    { "projects", OBJECT_PROJECT, NULL },
    { "xprojects", OBJECT_PROJECT, NULL },
    { "default_project", OBJECT_PROJECT, NULL },
    { "auto_user_default_project", OBJECT_PROJECT, NULL },
    { "calendar", OBJECT_CALENDAR, NULL },
    { "subordinate_list", OBJECT_CQUEUE, NULL },
    { "complex_values", OBJECT_COMPLEX, NULL },
    { "load_thresholds", OBJECT_COMPLEX, NULL },
    { "suspend_thresholds", OBJECT_COMPLEX, NULL },
    { "load_scaling", OBJECT_COMPLEX, NULL },
    { "report_variables", OBJECT_COMPLEX, NULL },
    { "hostlist", OBJECT_HOSTGROUP, NULL },
    { "job_load_adjustments", OBJECT_COMPLEX, NULL },
    { "load_formula", OBJECT_COMPLEX, "+-" },
};

const struct attr_reference *attr_reference_find(const char *attr)
{
    for (size_t i = 0; i < ARRAY_LEN(references); i++)
        if (strcmp(references[i].attr, attr) == 0)
            return &references[i];
    return NULL;
}

/* the next name in a value, without its =something; false at the end */
static bool next_name(const char **at, const char *between, struct dstr *name)
{
    if (attr_is_none(*at) || !attr_next_element(at, between, name))
        return false;
    size_t len = strcspn(name->s, "=*");
    if (name->s[len] != '\0') {
        name->s[len] = '\0';
        name->len = len;
    }
    return true;
}

/* host groups stand among hosts, and resources among numbers */
static bool is_reference(enum object_kind kind, const char *name)
{
    double number;
    if (kind == OBJECT_COMPLEX && parse_double(name, &number))
        return false;
    return kind != OBJECT_HOSTGROUP || name[0] == '@';
}

static bool subordinate_references(const char *attr, const char *value, reference_fn *fn, void *ctx)
{
    struct subordination *list = subordination_read(value);
    bool goes_on = true;
    for (uint32_t i = 0; list != NULL && goes_on && i < list->n; i++)
        goes_on = fn(ctx, &(struct reference){ attr, OBJECT_CQUEUE, list->v[i].queue });
    subordination_free(list);
    return goes_on;
}

bool attr_references(const char *attr, const char *value, reference_fn *fn, void *ctx)
{
    const struct attr_reference *to = attr_reference_find(attr);
    struct dstr name = DSTR_INIT;
    bool goes_on = true;
    if (to == NULL || value == NULL)
        return true;
    if (to->kind == OBJECT_CQUEUE)
        return subordinate_references(attr, value, fn, ctx);
    const char *between = to->between != NULL ? to->between : " ,";
    for (const char *at = value; goes_on && next_name(&at, between, &name);)
        if (is_reference(to->kind, dstr_get(&name)))
            goes_on = fn(ctx, &(struct reference){ attr, to->kind, dstr_get(&name) });
    dstr_free(&name);
    return goes_on;
}
