/* Configurations: the tables of sge_conf(5) and sched_conf(5) and the reader and printer that
 * follow them.
 *
 * A configuration is a list of checked values (CONF_entries), in the order of the table. The global
 * and the scheduler's are whole; a host's holds only where the host differs. A parameter is asked
 * for through conf_get, which knows the order of precedence, so that nobody else needs to. */
#include "libs/config/conf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/attr_unknown.h"
#include "libs/config/msg_config.h"
#include "libs/config/quantity.h"
#include "libs/config/sched_params.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/mail_address.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { CONF_COLUMN = 29, SCHEDULER_COLUMN = 34 };
enum conf_where {
    CONF_OF_HOST = 1, /* the global configuration; hosts may differ */
    CONF_OF_ALL,      /* the global configuration only */
    CONF_OF_SCHEDULER
};

/* clang-format off */
static const struct param {
    struct attr_rule rule;
    enum conf_where where;
    enum attr_effect effect;
} params[] = {
    { { "execd_spool_dir", ATTR_PATH, "/var/spool/gridengine/execd", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "mailer", ATTR_PATH, "/usr/bin/mail", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "xterm", ATTR_PATH, "/usr/bin/xterm", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "load_sensor", ATTR_PATHS, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "prolog", ATTR_COMMAND, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "epilog", ATTR_COMMAND, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "shell_start_mode", ATTR_CHOICE, "posix_compliant", 0, 0, "posix_compliant unix_behavior script_from_stdin", true }, CONF_OF_HOST, ATTR_STORED },
    { { "login_shells", ATTR_TEXT, "bash,sh,ksh,csh,tcsh", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "min_uid", ATTR_NUMBER, "0", 0, UINT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "min_gid", ATTR_NUMBER, "0", 0, UINT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "user_lists", ATTR_NAMES, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "xuser_lists", ATTR_NAMES, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "projects", ATTR_NAMES, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "xprojects", ATTR_NAMES, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "enforce_project", ATTR_BOOL, "false", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "enforce_user", ATTR_CHOICE, "auto", 0, 0, "auto true false", true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "load_report_time", ATTR_TIME, "00:00:40", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "max_unheard", ATTR_TIME, "00:05:00", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "reschedule_unknown", ATTR_TIME, "00:00:00", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "loglevel", ATTR_CHOICE, "log_warning", 0, 0, "log_emerg log_alert log_crit log_err log_warning log_notice log_info log_debug", true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "administrator_mail", ATTR_TEXT, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "set_token_cmd", ATTR_PATH, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "pag_cmd", ATTR_PATH, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "token_extend_time", ATTR_TEXT, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "shepherd_cmd", ATTR_PATH, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "qmaster_params", ATTR_TEXT, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "execd_params", ATTR_TEXT, "none", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "reporting_params", ATTR_TEXT, "accounting=true reporting=false flush_time=00:00:01 joblog=false sharelog=00:00:00", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "finished_jobs", ATTR_NUMBER, "100", 0, INT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "gid_range", ATTR_GROUPS, "65400-65500", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "qlogin_command", ATTR_TEXT, "builtin", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "qlogin_daemon", ATTR_TEXT, "builtin", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "rlogin_command", ATTR_TEXT, "builtin", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "rlogin_daemon", ATTR_TEXT, "builtin", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "rsh_command", ATTR_TEXT, "builtin", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "rsh_daemon", ATTR_TEXT, "builtin", 0, 0, NULL, true }, CONF_OF_HOST, ATTR_IN_FORCE },
    { { "max_aj_instances", ATTR_NUMBER, "100000", 0, INT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "max_aj_tasks", ATTR_NUMBER, "10000000", 0, INT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "max_u_jobs", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "max_jobs", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "auto_user_oticket", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "auto_user_fshare", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "auto_user_default_project", ATTR_NAME, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "auto_user_delete_time", ATTR_TIME, "86400", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "delegated_file_staging", ATTR_BOOL, "false", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_IN_FORCE },
    { { "reprioritize", ATTR_NUMBER, "0", 0, 1, NULL, true }, CONF_OF_ALL, ATTR_STORED },
    { { "jsv_url", ATTR_TEXT, "none", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_STORED },
    { { "jsv_allowed_mod", ATTR_TEXT, "ac,h,i,e,o,j,M,N,p,w", 0, 0, NULL, true }, CONF_OF_ALL, ATTR_STORED },
    { { "algorithm", ATTR_TEXT, "default", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "schedule_interval", ATTR_TIME, "0:0:15", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "maxujobs", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "queue_sort_method", ATTR_CHOICE, "load", 0, 0, "load seqno", false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "job_load_adjustments", ATTR_SETTINGS, "NONE", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "load_adjustment_decay_time", ATTR_TIME, "0:0:0", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "load_formula", ATTR_TEXT, "np_load_avg", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "schedd_job_info", ATTR_TEXT, "true", 0, 0, NULL, true }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "flush_submit_sec", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "flush_finish_sec", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "params", ATTR_TEXT, "none", 0, 0, NULL, true }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "reprioritize_interval", ATTR_TIME, "0:0:0", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_STORED },
    { { "halftime", ATTR_NUMBER, "168", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "usage_weight_list", ATTR_SETTINGS, "cpu=1.000000,mem=0.000000,io=0.000000", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "compensation_factor", ATTR_DECIMAL, "5.000000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_user", ATTR_DECIMAL, "0.250000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_project", ATTR_DECIMAL, "0.250000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_department", ATTR_DECIMAL, "0.250000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_job", ATTR_DECIMAL, "0.250000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_tickets_functional", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_tickets_share", ATTR_NUMBER, "0", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "share_override_tickets", ATTR_BOOL, "TRUE", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "share_functional_shares", ATTR_BOOL, "TRUE", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "max_functional_jobs_to_schedule", ATTR_NUMBER, "200", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "report_pjob_tickets", ATTR_BOOL, "TRUE", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "max_pending_tasks_per_job", ATTR_NUMBER, "50", 0, INT32_MAX, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "halflife_decay_list", ATTR_TEXT, "none", 0, 0, NULL, true }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "policy_hierarchy", ATTR_TEXT, "OFS", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_ticket", ATTR_DECIMAL, "0.010000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_waiting_time", ATTR_DECIMAL, "0.278000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_deadline", ATTR_DECIMAL, "3600000.000000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_urgency", ATTR_DECIMAL, "0.100000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "weight_priority", ATTR_DECIMAL, "1.000000", 0, CONF_WEIGHT_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "max_reservation", ATTR_NUMBER, "0", 0, RESERVATIONS_MOST, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
    { { "default_duration", ATTR_TIME, "INFINITY", 0, 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_IN_FORCE },
};
/* clang-format on */

static const struct param *param_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(params); i++) {
        if (strcmp(params[i].rule.name, name) == 0)
            return &params[i];
    }
    return NULL;
}

const struct attr_rule *conf_rule(const char *param)
{
    const struct param *p = param_find(param);
    return p != NULL ? &p->rule : NULL;
}

const char *conf_param_name(size_t i)
{
    return i < ARRAY_LEN(params) ? params[i].rule.name : NULL;
}

bool conf_is_idle(const char *param, const char *value)
{
    const struct param *p = param_find(param);
    return p != NULL && attr_is_idle(&p->rule, p->effect, value);
}

/* does a configuration called NAME have this parameter? */
static bool param_is_of(const struct param *p, const char *name)
{
    if (strcmp(name, CONF_SCHEDULER) == 0)
        return p->where == CONF_OF_SCHEDULER;
    if (strcmp(name, CONF_GLOBAL) == 0)
        return p->where != CONF_OF_SCHEDULER;
    return p->where == CONF_OF_HOST;
}

static bool is_host_conf(const char *name)
{
    return strcmp(name, CONF_SCHEDULER) != 0 && strcmp(name, CONF_GLOBAL) != 0;
}

/* ---- entries ---- */

static struct VA_Type *entry_find(const struct CONF_Type *conf, const char *param)
{
    for (uint32_t i = 0; conf != NULL && i < conf->CONF_entries.n; i++) {
        struct VA_Type *va = &conf->CONF_entries.v[i];
        if (va->VA_variable != NULL && strcmp(va->VA_variable, param) == 0)
            return va;
    }
    return NULL;
}

static uint32_t unknown_count(const struct CONF_Type *conf)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < conf->CONF_entries.n; i++)
        n += param_find(conf->CONF_entries.v[i].VA_variable) == NULL;
    return n;
}

static void entry_set(struct CONF_Type *conf, const char *param, const char *value)
{
    struct VA_Type *va = entry_find(conf, param);
    if (va == NULL) {
        va = cull_append(conf, CONF_entries);
        cull_set(va, VA_variable, param);
    }
    cull_set(va, VA_value, value);
}

static int put_unknown(struct CONF_Type *conf, const char *param, const char *value,
                       struct answer *ans)
{
    bool is_new = entry_find(conf, param) == NULL;
    struct dstr kept = DSTR_INIT;
    int ret = attr_unknown_parse(param, value, is_new ? unknown_count(conf) : 0, &kept, ans);
    if (ret == 0)
        entry_set(conf, param, dstr_get(&kept));
    dstr_free(&kept);
    return ret;
}

/* they become arguments of the mailer */
static int check_addresses(const char *param, const char *value, struct answer *ans)
{
    struct dstr word = DSTR_INIT;
    int ret = 0;
    for (const char *at = value; ret == 0 && attr_next_word(&at, " ,", &word);) {
        char *user = dstr_take(&word), *host = strchr(user, '@');
        if (host != NULL)
            *host++ = '\0';
        if (!mail_address_is_good(user, host))
            ret = ans_fail(ans, STATUS_ESEMANTIC, MSG_CONF_ADDRESS_SSSS, param, user,
                           host != NULL ? "@" : "", host != NULL ? host : "");
        free(user);
    }
    dstr_free(&word);
    return ret;
}

int conf_set(struct CONF_Type *conf, const char *param, const char *value, struct answer *ans)
{
    const struct param *p = param_find(param);
    struct dstr kept = DSTR_INIT;
    if (p == NULL)
        return put_unknown(conf, param, value, ans);
    if (!param_is_of(p, conf->CONF_name) && !is_host_conf(conf->CONF_name))
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, param);
    if (!param_is_of(p, conf->CONF_name))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CONF_NOT_OF_HOST_SS, param, conf->CONF_name);
    if (attr_value_parse(&p->rule, value, &kept, ans) < 0)
        return -1;
    bool is_bad =
        p->where == CONF_OF_SCHEDULER && sched_param_check(param, dstr_get(&kept), NULL, ans) < 0;
    if (strcmp(param, "administrator_mail") == 0)
        is_bad = check_addresses(param, dstr_get(&kept), ans) < 0;
    if (is_bad) {
        dstr_free(&kept);
        return -1;
    }
    entry_set(conf, param, dstr_get(&kept));
    dstr_free(&kept);
    return 0;
}

/* put the entries into the order of the table; with IS_WHOLE those that are missing get their
 * defaults */
static void conf_arrange(struct CONF_Type *conf, bool is_whole)
{
    struct CONF_Type next = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(params); i++) {
        const struct VA_Type *old = entry_find(conf, params[i].rule.name);
        if (old == NULL && !(is_whole && param_is_of(&params[i], conf->CONF_name)))
            continue;
        struct VA_Type *va = cull_append(&next, CONF_entries);
        cull_set(va, VA_variable, params[i].rule.name);
        cull_set(va, VA_value, old != NULL ? old->VA_value : params[i].rule.initial);
    }
    for (uint32_t i = 0; i < conf->CONF_entries.n; i++)
        if (param_find(conf->CONF_entries.v[i].VA_variable) == NULL)
            cull_copy(&cull_VA_Type, cull_append(&next, CONF_entries), &conf->CONF_entries.v[i]);
    cull_mark(&next, CONF_entries);
    cull_copy_field(&cull_CONF_Type, conf, &next, CONF_entries);
    cull_clear(&cull_CONF_Type, &next);
}

struct CONF_Type *conf_template(const char *name)
{
    struct CONF_Type *conf = cull_new(&cull_CONF_Type);
    cull_set(conf, CONF_name, name);
    conf_arrange(conf, !is_host_conf(name));
    return conf;
}

/* ---- text ---- */

static int conf_require_all(const struct CONF_Type *conf, struct answer *ans)
{
    for (size_t i = 0; i < ARRAY_LEN(params); i++) {
        const char *name = params[i].rule.name;
        if (param_is_of(&params[i], conf->CONF_name) && entry_find(conf, name) == NULL)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_MISSING_S, name);
    }
    return 0;
}

int conf_parse(const char *text, const char *name, struct CONF_Type *conf, struct answer *ans)
{
    struct attr_reader reader = ATTR_READER(text);
    struct dstr param = DSTR_INIT, value = DSTR_INIT;
    int ret = 0;
    cull_set(conf, CONF_name, name);
    while (ret == 0 && attr_read(&reader, &param, &value)) {
        if (entry_find(conf, dstr_get(&param)) != NULL)
            ret = ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_TWICE_S, dstr_get(&param));
        else
            ret = conf_set(conf, dstr_get(&param), dstr_get(&value), ans);
    }
    if (ret == 0 && strcmp(name, CONF_SCHEDULER) == 0)
        ret = conf_require_all(conf, ans);
    if (ret == 0)
        conf_arrange(conf, !is_host_conf(name));
    else
        cull_clear(&cull_CONF_Type, conf);
    dstr_free(&param);
    dstr_free(&value);
    return ret;
}

int conf_check(const struct CONF_Type *conf, struct answer *ans)
{
    const char *name = conf->CONF_name;
    struct CONF_Type again = { 0 };
    if (name == NULL || (is_host_conf(name) && !host_identifier_is_valid(name)))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CONF_NAME_S, name != NULL ? name : "");
    cull_set(&again, CONF_name, name);
    int ret = 0;
    for (uint32_t i = 0; ret == 0 && i < conf->CONF_entries.n; i++) {
        const struct VA_Type *va = &conf->CONF_entries.v[i];
        if (va->VA_variable == NULL || va->VA_value == NULL)
            ret = ans_fail(ans, STATUS_ESYNTAX, MSG_CONF_NAME_S, name);
        else if (entry_find(&again, va->VA_variable) != NULL)
            ret = ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_TWICE_S, va->VA_variable);
        else
            ret = conf_set(&again, va->VA_variable, va->VA_value, ans);
    }
    if (ret == 0 && !is_host_conf(name))
        ret = conf_require_all(&again, ans);
    cull_clear(&cull_CONF_Type, &again);
    return ret;
}

void conf_text(const struct CONF_Type *conf, bool is_single, struct dstr *out)
{
    unsigned width = strcmp(conf->CONF_name, CONF_SCHEDULER) == 0 ? SCHEDULER_COLUMN : CONF_COLUMN;
    for (uint32_t i = 0; i < conf->CONF_entries.n; i++) {
        const struct VA_Type *va = &conf->CONF_entries.v[i];
        attr_print(out, width, va->VA_variable, va->VA_value, is_single);
    }
}

/* ---- asking ---- */

const char *conf_get(const struct CONF_Type *global, const struct CONF_Type *host,
                     const char *param)
{
    const struct VA_Type *va = entry_find(host, param);
    if (va == NULL)
        va = entry_find(global, param);
    if (va != NULL && va->VA_value != NULL)
        return va->VA_value;
    const struct param *p = param_find(param);
    return p != NULL ? p->rule.initial : "";
}

uint64_t conf_get_time_s(const struct CONF_Type *global, const struct CONF_Type *host,
                         const char *param)
{
    uint64_t at_s = 0;
    return quantity_time_parse(conf_get(global, host, param), &at_s) ? at_s : 0;
}

int64_t conf_get_number(const struct CONF_Type *global, const struct CONF_Type *host,
                        const char *param)
{
    return strtoll(conf_get(global, host, param), NULL, 10);
}

bool conf_get_bool(const struct CONF_Type *global, const struct CONF_Type *host, const char *param)
{
    bool is_true;
    return attr_bool_parse(conf_get(global, host, param), &is_true) && is_true;
}

char *conf_get_word(const struct CONF_Type *global, const struct CONF_Type *host, const char *param,
                    const char *word)
{
    size_t want = strlen(word);
    const char *at = conf_get(global, host, param);
    for (at += strspn(at, ", \t"); *at != '\0'; at += strspn(at, ", \t")) {
        size_t len = strcspn(at, ", \t");
        if (len == want && strncasecmp(at, word, want) == 0)
            return uti_strdup("");
        if (len > want && at[want] == '=' && strncasecmp(at, word, want) == 0)
            return uti_strndup(at + want + 1, len - want - 1);
        at += len;
    }
    return NULL;
}

bool conf_get_switch(const struct CONF_Type *global, const struct CONF_Type *host,
                     const char *param, const char *word)
{
    char *value = conf_get_word(global, host, param, word);
    bool is_on = value != NULL && *value == '\0';
    if (value != NULL && !is_on && !attr_bool_parse(value, &is_on))
        is_on = false;
    free(value);
    return is_on;
}

enum { SILENCE_LEAST_S = 4, SILENCE_MOST_S = 3600, SILENCE_USUAL_S = 60 };

uint32_t conf_host_silence_s(const struct CONF_Type *global)
{
    char *word = conf_get_word(global, NULL, "qmaster_params", "HOST_SILENCE");
    uint32_t s;
    if (word == NULL || !parse_u32(word, &s) || s < SILENCE_LEAST_S || s > SILENCE_MOST_S)
        s = SILENCE_USUAL_S;
    free(word);
    return s;
}
