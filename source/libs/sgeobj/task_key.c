/* The key of a task, its order, and its text. Invariant: whatever task_key_parse accepts is valid,
 * and task_key_text of it is the same text. */
#include "libs/sgeobj/task_key.h"

#include <string.h>

#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { NUMBER_DIGITS_MOST = 10 };

static bool has_petask(const struct task_key *key)
{
    return key->petask != NULL && key->petask[0] != '\0';
}

static bool is_petask(const char *name)
{
    static const char digits[] = "0123456789";
    static const char allowed[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-";
    size_t len = strspn(name, allowed);
    return strchr(digits, name[0]) != NULL && name[len] == '\0' && len > 0 &&
           len <= TASK_PETASK_MOST;
}

struct task_key task_key_of_report(const struct JR_Type *report)
{
    return (struct task_key){ report->JR_job_number, report->JR_task_number,
                              report->JR_pe_task_id };
}

struct task_key task_key_of_record(const struct JAT_Type *task)
{
    return (struct task_key){ task->JAT_job_number, task->JAT_task_number, task->JAT_pe_task_id };
}

void task_key_report(const struct task_key *key, uint32_t attempt, struct JR_Type *report)
{
    cull_set(report, JR_job_number, key->job_number);
    cull_set(report, JR_task_number, key->task_number);
    cull_set(report, JR_attempt, attempt);
    if (has_petask(key))
        cull_set(report, JR_pe_task_id, key->petask);
    else
        cull_clear_field(&cull_JR_Type, report, JR_pe_task_id);
}

bool task_key_is_valid(const struct task_key *key)
{
    return !has_petask(key) || is_petask(key->petask);
}

int task_key_compare(const struct task_key *a, const struct task_key *b)
{
    if (a->job_number != b->job_number)
        return a->job_number < b->job_number ? -1 : 1;
    if (a->task_number != b->task_number)
        return a->task_number < b->task_number ? -1 : 1;
    if (!has_petask(a) || !has_petask(b))
        return has_petask(a) - has_petask(b);
    return strcmp(a->petask, b->petask);
}

void task_key_text(const struct task_key *key, struct dstr *out)
{
    dstr_addf(out, "%u.%u", key->job_number, key->task_number);
    if (has_petask(key))
        dstr_addf(out, "/%s", key->petask);
}

/* the number at *AT, which END follows, as task_key_text writes it; *AT is behind END then */
static bool take_number(const char **at, size_t len, uint32_t *out)
{
    char digits[NUMBER_DIGITS_MOST + 1];
    if (len == 0 || len > NUMBER_DIGITS_MOST || ((*at)[0] == '0' && len > 1))
        return false;
    memcpy(digits, *at, len);
    digits[len] = '\0';
    *at += len;
    return parse_u32(digits, out);
}

bool task_key_parse(const char *text, struct task_key *key)
{
    const char *at = text;
    *key = (struct task_key){ 0 };
    if (!take_number(&at, strcspn(at, "."), &key->job_number) || *at++ != '.' ||
        !take_number(&at, strcspn(at, "/"), &key->task_number))
        return false;
    if (*at == '\0')
        return true;
    key->petask = at + 1;
    return is_petask(key->petask);
}

uint32_t task_petask_number(const char *petask, const char **host)
{
    const char *at = petask;
    uint32_t number = 0;
    if (!take_number(&at, strcspn(at, "."), &number) || at[0] != '.' || at[1] == '\0')
        return 0;
    *host = at + 1;
    return number <= TASK_PETASK_NUMBER_MOST ? number : 0;
}
