/* Settings within the values of configurations: the one list of those of qmaster_params,
 * execd_params and params (sched_conf(5)) that are known, and DEVICE_VARIABLES, pairs
 * RESOURCE:VARIABLE. Blanks and commas end that list, since they stand between the settings of
 * execd_params. Source: sge_conf(5) */
#include "libs/config/conf_words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_syntax.h"
#include "libs/config/attr_unknown.h"
#include "libs/config/conf.h"
#include "libs/config/msg_config.h"
#include "libs/config/quantity.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/signals.h"

/* ---- known settings ---- */
enum { WORD_MOST = 63, NAMED_MOST = 8 };

static const struct word {
    const char *list, *name;
    enum attr_syntax syntax; /* ATTR_TEXT: whoever reads it checks it */
} words[] = {
    { "qmaster_params", "FORBID_APPERROR", ATTR_BOOL },
    { "qmaster_params", "FORBID_RESCHEDULE", ATTR_BOOL },
    { "qmaster_params", "HOST_ROOT", ATTR_BOOL },
    { "qmaster_params", "HOST_SILENCE", ATTR_NUMBER },
    { "qmaster_params", "MAIL_RATE", ATTR_NUMBER },
    { "qmaster_params", "MAIL_TASKS", ATTR_NUMBER },
    { "qmaster_params", "MAX_AUTO_USERS", ATTR_NUMBER },
    { "qmaster_params", "MAX_DYN_EC", ATTR_NUMBER },
    { "qmaster_params", "MAX_JOBS_MEMORY", ATTR_MEMORY },
    { "qmaster_params", "MAX_JOBS_SPOOL", ATTR_MEMORY },
    { "qmaster_params", "MAX_USER_BYTES", ATTR_MEMORY },
    { "qmaster_params", "MAX_USER_CONNECTIONS", ATTR_NUMBER },
    { "qmaster_params", "MAX_USER_ENDS", ATTR_NUMBER },
    { "qmaster_params", "MAX_USER_MEMORY", ATTR_MEMORY },
    { "qmaster_params", "MAX_USER_SESSIONS", ATTR_NUMBER },
    { "qmaster_params", "MAX_USER_SPOOL", ATTR_MEMORY },
    { "qmaster_params", "NAMES_TIME", ATTR_NUMBER },
    { "qmaster_params", "RESCHEDULE_DELAY", ATTR_NUMBER },
    { "qmaster_params", "RESCHEDULE_DELAY_MAX", ATTR_NUMBER },
    { "qmaster_params", "SCHEDULER_SILENCE", ATTR_NUMBER },
    { "qmaster_params", "SESSION_TIMEOUT", ATTR_NUMBER },
    { "qmaster_params", "START_FAILURES", ATTR_NUMBER },
    { "qmaster_params", "START_FAILURE_DELAY", ATTR_NUMBER },
    { "qmaster_params", "START_FAILURE_DELAY_MAX", ATTR_NUMBER },
    { "qmaster_params", "START_FAILURE_TIME", ATTR_NUMBER },
    { "qmaster_params", "TURN_BUDGET_US", ATTR_NUMBER },
    { "execd_params", "DEVICE_VARIABLES", ATTR_TEXT },
    { "execd_params", "ENABLE_ADDGRP_KILL", ATTR_BOOL },
    { "execd_params", "ENABLE_BINDING", ATTR_BOOL },
    { "execd_params", "H_DESCRIPTORS", ATTR_NUMBER },
    { "execd_params", "H_LOCKS", ATTR_NUMBER },
    { "execd_params", "H_MAXPROC", ATTR_NUMBER },
    { "execd_params", "H_MEMORYLOCKED", ATTR_MEMORY },
    { "execd_params", "KEEP_ACTIVE", ATTR_BOOL },
    { "execd_params", "NOTIFY_KILL", ATTR_SIGNAL },
    { "execd_params", "NOTIFY_SUSP", ATTR_SIGNAL },
    { "execd_params", "PLAIN_FORK", ATTR_BOOL },
    { "execd_params", "SCRIPT_TIMEOUT", ATTR_NUMBER },
    { "execd_params", "S_DESCRIPTORS", ATTR_NUMBER },
    { "execd_params", "S_LOCKS", ATTR_NUMBER },
    { "execd_params", "S_MAXPROC", ATTR_NUMBER },
    { "execd_params", "S_MEMORYLOCKED", ATTR_MEMORY },
    { "execd_params", "USE_CGROUPS", ATTR_BOOL },
    { "execd_params", "USE_QSUB_GID", ATTR_BOOL },
    { "params", "MONITOR", ATTR_BOOL },
    { "params", "RECORD", ATTR_NUMBER },
};

static const char *word_at(const void *list, size_t i)
{
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (strcmp(words[k].list, (const char *)list) == 0 && i-- == 0)
            return words[k].name;
    return NULL;
}

static const struct word *word_find(const char *list, const char *text, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i].list, list) == 0 && strlen(words[i].name) == len &&
            strncasecmp(words[i].name, text, len) == 0)
            return &words[i];
    return NULL;
}

static bool can_be(const struct word *word, const char *value)
{
    bool is_true;
    uint64_t size;
    switch ((int)word->syntax) {
    case ATTR_BOOL:
        return *value == '\0' || attr_bool_parse(value, &is_true);
    case ATTR_NUMBER:
        return strcasecmp(value, "INFINITY") == 0 || parse_u64(value, &size);
    case ATTR_SIGNAL:
        return strcasecmp(value, "default") == 0 || strcasecmp(value, "none") == 0 ||
               signal_of_text(value) != 0;
    case ATTR_MEMORY:
        return quantity_memory_parse(value, &size);
    default:
        return true;
    }
}

/* SETTING, "NAME" or "NAME=VALUE", of LIST */
static void warn_of_setting(const char *list, const char *setting, struct answer *ans)
{
    size_t len = strcspn(setting, "=");
    const struct word *word = word_find(list, setting, len);
    struct dstr what = DSTR_INIT;
    dstr_addf(&what, "%s: \"%.*s\"", list, (int)(len < WORD_MOST ? len : WORD_MOST), setting);
    if (word == NULL)
        attr_warn_near(ans, dstr_get(&what), attr_nearest(setting, len, word_at, list));
    else if (!can_be(word, setting + len + (setting[len] == '=')))
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONF_WORD_VALUE_SS, dstr_get(&what),
                setting + len + (setting[len] == '='));
    dstr_free(&what);
}

static void warn_of_list(const char *list, const char *value, struct answer *ans)
{
    static const char between[] = ", \t";
    uint32_t before = ans->n;
    if (strcasecmp(value, "none") == 0)
        return;
    for (const char *at = value + strspn(value, between); *at != '\0';) {
        size_t len = strcspn(at, between);
        if (ans->n - before == NAMED_MOST)
            return;
        char *setting = uti_strndup(at, len);
        warn_of_setting(list, setting, ans);
        free(setting);
        at += len;
        at += strspn(at, between);
    }
}

static const char *param_at(const void *of SGE_UNUSED, size_t i)
{
    return conf_param_name(i);
}

void conf_words_warn(const struct CONF_Type *conf, const struct CONF_Type *before,
                     struct answer *ans)
{
    for (uint32_t i = 0; i < conf->CONF_entries.n; i++) {
        const char *name = conf->CONF_entries.v[i].VA_variable,
                   *value = conf->CONF_entries.v[i].VA_value;
        if (before != NULL && strcmp(conf_get(NULL, before, name), value) == 0)
            continue;
        if (strcmp(name, "qmaster_params") == 0 || strcmp(name, "execd_params") == 0 ||
            strcmp(name, "params") == 0)
            warn_of_list(name, value, ans);
    }
    attr_unknown_warn(&conf->CONF_entries, before != NULL ? &before->CONF_entries : NULL, param_at,
                      NULL, ans);
}

/* ---- DEVICE_VARIABLES ---- */
#define BETWEEN ";"

static bool is_variable(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] != '\0' && strchr("0123456789", name[0]) == NULL &&
           name[strspn(name, letters)] == '\0';
}

/* the variable of WORD, where its resource ends; NULL: it is no pair */
static char *variable_of(char *word, variable_is_kept_fn *is_kept)
{
    char *colon = strchr(word, ':');
    bool is_pair = colon != NULL && colon != word && is_variable(colon + 1) && !is_kept(colon + 1);
    return is_pair ? colon + 1 : NULL;
}

char *device_variables(const struct CONF_Type *global, const struct CONF_Type *host)
{
    return conf_get_word(global, host, "execd_params", "DEVICE_VARIABLES");
}

const char *device_variables_next(const char **at, variable_is_kept_fn *is_kept, struct dstr *pair)
{
    while (attr_next_word(at, BETWEEN, pair)) {
        char *variable = variable_of(pair->s, is_kept);
        if (variable == NULL)
            continue;
        variable[-1] = '\0';
        return variable;
    }
    return NULL;
}

int device_variables_check(const struct CONF_Type *conf, variable_is_kept_fn *is_kept,
                           struct answer *ans)
{
    char *list = device_variables(conf, NULL);
    const char *at = list;
    struct dstr word = DSTR_INIT;
    int rc = 0;
    while (list != NULL && rc == 0 && attr_next_word(&at, BETWEEN, &word))
        if (variable_of(word.s, is_kept) == NULL)
            rc = ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICE_VARIABLE_S, dstr_get(&word));
    dstr_free(&word);
    free(list);
    return rc;
}
