/* The rows of the attributes and the rules of their values. What depends on other attributes or on
 * the cell is checked when a job is made of the template (job.c) and by the qmaster. */
#include "libs/drmaa/attributes.h"

#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/drmaa/texts.h"
#include "libs/uti/answer.h"
#include "libs/uti/time.h"

struct attribute {
    const char *name;
    bool is_vector;
    int (*check)(const struct attribute *a, const char *value, struct answer *ans);
    const char *words; /* of check_words: "a|b"; of check_letters: "ab" */
};

/* ---- the rules ---- */

static int refuse_value(const struct attribute *a, const char *value, struct answer *ans)
{
    ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_VALUE_SS, value, a->name);
    return DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE;
}

static int refuse_format(const struct attribute *a, const char *value, const char *form,
                         struct answer *ans)
{
    ans_fail(ans, STATUS_ESYNTAX, MSG_DRMAA_FORMAT_SSS, value, a->name, form);
    return DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT;
}

static int check_anything(const struct attribute *a, const char *value, struct answer *ans)
{
    (void)a, (void)value, (void)ans;
    return DRMAA_ERRNO_SUCCESS;
}

static int check_text(const struct attribute *a, const char *value, struct answer *ans)
{
    return *value != '\0' ? DRMAA_ERRNO_SUCCESS : refuse_value(a, value, ans);
}

static int check_words(const struct attribute *a, const char *value, struct answer *ans)
{
    size_t len = strlen(value);
    for (const char *at = a->words; *at != '\0'; at += strspn(at, "|")) {
        size_t n = strcspn(at, "|");
        if (n == len && memcmp(at, value, n) == 0)
            return DRMAA_ERRNO_SUCCESS;
        at += n;
    }
    return refuse_value(a, value, ans);
}

/* some of the letters of a->words, in any order, or not any: "" */
static int check_letters(const struct attribute *a, const char *value, struct answer *ans)
{
    bool is_good = value[strspn(value, a->words)] == '\0';
    return is_good ? DRMAA_ERRNO_SUCCESS : refuse_value(a, value, ans);
}

static int check_name(const struct attribute *a, const char *value, struct answer *ans)
{
    bool is_good = *value != '\0' && strchr(value, '/') == NULL;
    return is_good ? DRMAA_ERRNO_SUCCESS : refuse_value(a, value, ans);
}

/* [host]:path, and a placeholder for a directory only where the path begins */
static int check_path(const struct attribute *a, const char *value, struct answer *ans)
{
    const char *colon = strchr(value, ':');
    if (colon == NULL || colon[1] == '\0')
        return refuse_format(a, value, "[host]:path", ans);
    const char *home = strstr(value, DRMAA_PLACEHOLDER_HD);
    const char *wd = strstr(value, DRMAA_PLACEHOLDER_WD);
    bool is_good = (home == NULL || home == colon + 1) && (wd == NULL || wd == colon + 1);
    return is_good ? DRMAA_ERRNO_SUCCESS : refuse_value(a, value, ans);
}

static int check_directory(const struct attribute *a, const char *value, struct answer *ans)
{
    const char *home = strstr(value, DRMAA_PLACEHOLDER_HD);
    bool is_good = *value != '\0' && (home == NULL || home == value) &&
                   strstr(value, DRMAA_PLACEHOLDER_WD) == NULL;
    return is_good ? DRMAA_ERRNO_SUCCESS : refuse_value(a, value, ans);
}

static int check_start_time(const struct attribute *a, const char *value, struct answer *ans)
{
    uint64_t at_s;
    switch (start_time_parse(value, uti_now_s(), &at_s)) {
    case START_TIME_GOOD:
        return DRMAA_ERRNO_SUCCESS;
    case START_TIME_NO_TIME:
        return refuse_value(a, value, ans);
    case START_TIME_NO_FORM:
        break;
    }
    return refuse_format(a, value, "[[[[CC]YY/]MM/]DD] hh:mm[:ss] [{-|+}UU:uu]", ans);
}

static int check_variable(const struct attribute *a, const char *value, struct answer *ans)
{
    const char *equals = strchr(value, '=');
    bool is_good = equals != NULL && equals > value;
    return is_good ? DRMAA_ERRNO_SUCCESS : refuse_format(a, value, "name=value", ans);
}

/* ---- the rows ---- */

static const struct attribute attributes[ATTRIBUTES] = {
    [ATTRIBUTE_REMOTE_COMMAND] = { DRMAA_REMOTE_COMMAND, false, check_text, NULL },
    [ATTRIBUTE_JS_STATE] = { DRMAA_JS_STATE, false, check_words,
                             DRMAA_SUBMISSION_STATE_ACTIVE "|" DRMAA_SUBMISSION_STATE_HOLD },
    [ATTRIBUTE_WD] = { DRMAA_WD, false, check_directory, NULL },
    [ATTRIBUTE_JOB_CATEGORY] = { DRMAA_JOB_CATEGORY, false, check_text, NULL },
    [ATTRIBUTE_NATIVE] = { DRMAA_NATIVE_SPECIFICATION, false, check_anything, NULL },
    [ATTRIBUTE_BLOCK_EMAIL] = { DRMAA_BLOCK_EMAIL, false, check_words, "0|1" },
    [ATTRIBUTE_START_TIME] = { DRMAA_START_TIME, false, check_start_time, NULL },
    [ATTRIBUTE_JOB_NAME] = { DRMAA_JOB_NAME, false, check_name, NULL },
    [ATTRIBUTE_INPUT_PATH] = { DRMAA_INPUT_PATH, false, check_path, NULL },
    [ATTRIBUTE_OUTPUT_PATH] = { DRMAA_OUTPUT_PATH, false, check_path, NULL },
    [ATTRIBUTE_ERROR_PATH] = { DRMAA_ERROR_PATH, false, check_path, NULL },
    [ATTRIBUTE_JOIN_FILES] = { DRMAA_JOIN_FILES, false, check_words, "y|n" },
    [ATTRIBUTE_TRANSFER_FILES] = { DRMAA_TRANSFER_FILES, false, check_letters, "ieo" },
    [ATTRIBUTE_SUBMIT_AS_EUID] = { DRMAA_SUBMIT_AS_EUID, false, check_words, "y|n" },
    [ATTRIBUTE_ARGV] = { DRMAA_V_ARGV, true, check_anything, NULL },
    [ATTRIBUTE_ENV] = { DRMAA_V_ENV, true, check_variable, NULL },
    [ATTRIBUTE_EMAIL] = { DRMAA_V_EMAIL, true, check_text, NULL },
};

int attribute_find(const char *name, bool is_vector)
{
    for (int i = 0; i < ATTRIBUTES; i++)
        if (attributes[i].is_vector == is_vector && strcmp(attributes[i].name, name) == 0)
            return i;
    return -1;
}

const char *attribute_name(enum attribute_id id)
{
    return attributes[id].name;
}

int attribute_check(enum attribute_id id, const char *value, struct answer *ans)
{
    const struct attribute *a = &attributes[id];
    if (strnlen(value, ATTRIBUTE_BYTES_MOST + 1) <= ATTRIBUTE_BYTES_MOST)
        return a->check(a, value, ans);
    ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_LONG_SI, a->name, ATTRIBUTE_BYTES_MOST);
    return DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE;
}

bool attribute_needs_staging(enum attribute_id id)
{
    return id == ATTRIBUTE_TRANSFER_FILES;
}

void attributes_list(bool is_vector, bool has_staging, struct texts *out)
{
    for (int i = 0; i < ATTRIBUTES; i++)
        if (attributes[i].is_vector == is_vector &&
            (has_staging || !attribute_needs_staging((enum attribute_id)i)))
            texts_add(out, attributes[i].name);
}
