/* Lists of jobs to wait for, and the rules for names. The characters that a name may not hold stand
 * in one table with the words users know for them. */
#include "libs/sgeobj/job_select.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/msg_sgeobj.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/parse.h"

#include <stdlib.h>
#include <strings.h>

static const char digits[] = "0123456789";

/* ---- dependency lists ---- */
struct seen {
    UT_hash_handle hh;
    const char *text; /* borrowed from the list of entries, whose strings stay where they are */
};

static bool is_seen(const struct seen *all, const char *text)
{
    const struct seen *s;

    HASH_FIND_STR(all, text, s);
    return s != NULL;
}

/* TEXT must stay */
static void seen_add(struct seen **all, const char *text)
{
    if (is_seen(*all, text))
        return;
    struct seen *s = uti_alloc(sizeof *s);
    s->text = text;
    HASH_ADD_KEYPTR(hh, *all, s->text, strlen(s->text), s);
}

static void seen_free(struct seen *all)
{
    struct seen *s, *next;

    HASH_ITER(hh, all, s, next) {
        HASH_DEL(all, s);
        free(s);
    }
}

/* Returns the text as it is in the list. */
static const char *append_identifier(struct JB_Type *job, bool is_array, const struct dstr *text)
{
    struct JRE_Type *e =
        is_array ? cull_append(job, JB_ja_ad_request_list) : cull_append(job, JB_jid_request_list);
    const char *name = cull_string_new(text->s, text->len);

    cull_set(e, JRE_job_number, 0);
    cull_share(e, JRE_job_name, name);
    cull_string_drop(name);
    return e->JRE_job_name;
}

/* "12.3": a task; whether it can be waited for is the qmaster's to say */
static bool is_task(const char *text)
{
    size_t job = strspn(text, digits);
    return text[job] == '.' && text[job + 1] != '\0' &&
           text[job + 1 + strspn(text + job + 1, digits)] == '\0';
}

/* Can TEXT be an id, a name or a pattern at all? Names do not begin with a digit and lack some
 * characters; the line that qsub prints is no name, either. */
static bool may_name_jobs(const char *text)
{
    if (strchr(digits, *text) != NULL)
        return text[strspn(text, digits)] == '\0' || is_task(text);
    return text[strcspn(text, "/:@\n\r\t")] == '\0' && strncmp(text, "Your job", 8) != 0;
}

/* with the id that may be meant, the first in TEXT, as it is to be written */
static int refuse_entry(const char *text, bool is_array, struct answer *ans)
{
    const char *option = is_array ? "-hold_jid_ad" : "-hold_jid";
    const char *at = text + strcspn(text, digits);
    size_t len = strspn(at, digits);
    char *id = uti_strndup(at, len);
    uint32_t number;
    int rc = parse_u32(id, &number) ? ans_fail(ans, STATUS_ESYNTAX, MSG_JID_ENTRY_WRITE_SSUU,
                                               option, text, number, number)
                                    : ans_fail(ans, STATUS_ESYNTAX, MSG_JID_ENTRY_SS, option, text);
    free(id);
    return rc;
}

static int check_entries(const char *list, bool is_array, struct answer *ans)
{
    struct list_reader r = list_reader_over_names(list);
    struct dstr entry = DSTR_INIT;
    int rc = 0;

    while (rc == 0 && list_next(&r, &entry))
        if (!may_name_jobs(dstr_get(&entry)))
            rc = refuse_entry(dstr_get(&entry), is_array, ans);
    dstr_free(&entry);
    return rc;
}

static bool has_entries(const char *list)
{
    struct list_reader r = list_reader_over_names(list);
    struct dstr entry = DSTR_INIT;
    bool has_one = list_next(&r, &entry);

    dstr_free(&entry);
    return has_one;
}

int job_select_dependencies(const char *list, struct JB_Type *job, bool is_array,
                            struct answer *ans)
{
    const struct JRE_Type_list *had =
        is_array ? &job->JB_ja_ad_request_list : &job->JB_jid_request_list;
    struct list_reader r = list_reader_over_names(list);
    struct dstr entry = DSTR_INIT;
    struct seen *seen = NULL;

    if (*list != '\0' && !has_entries(list))
        return ans_fail(ans, STATUS_ESYNTAX, is_array ? MSG_JID_AD_LIST_S : MSG_JID_LIST_S, list);
    if (check_entries(list, is_array, ans) < 0)
        return -1;
    if (is_array)
        cull_mark(job, JB_ja_ad_request_list);
    else
        cull_mark(job, JB_jid_request_list);
    for (uint32_t i = 0; i < had->n; i++) {
        if (had->v[i].JRE_job_name != NULL)
            seen_add(&seen, had->v[i].JRE_job_name);
    }
    while (list_next(&r, &entry)) {
        if (!is_seen(seen, dstr_get(&entry)))
            seen_add(&seen, append_identifier(job, is_array, &entry));
    }
    seen_free(seen);
    dstr_free(&entry);
    return 0;
}

/* ---- names ---- */
enum { NAME_BYTES_MAX = 512, NAME_BYTES_SHOWN = 32 };

static const struct {
    char c;
    const char *name, *shown;
} refused[] = {
    { '\n', "Newline", "\\n" },    { '\r', "Carriage return", "\\r" },
    { '\t', "Tab", "\\t" },        { '/', "Slash", "/" },
    { ':', "Colon", ":" },         { '@', "At", "@" },
    { '\\', "Backslash", "\\" },   { '*', "Asterisk", "*" },
    { '?', "Question mark", "?" },
};

int object_name_check(const char *name, struct answer *ans)
{
    if (strnlen(name, NAME_BYTES_MAX + 1) > NAME_BYTES_MAX)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_LONG_ISI, NAME_BYTES_SHOWN, name,
                        NAME_BYTES_MAX);
    for (const char *at = name; *at != '\0'; at++) {
        for (unsigned i = 0; i < ARRAY_LEN(refused); i++) {
            if (*at == refused[i].c)
                return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_CHARACTER_SS, refused[i].name,
                                refused[i].shown);
        }
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_CONTROL_I, *at);
    }
    return 0;
}

int job_name_check(const char *name, struct answer *ans)
{
    if (name == NULL || *name == '\0')
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_NONE);
    if (*name >= '0' && *name <= '9')
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_DIGIT_S, name);
    if (strcasecmp(name, "none") == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NAME_RESERVED_S, name);
    return object_name_check(name, ans);
}

/* ---- ranges of task ids ----
 *
 * The ids that a range names are a progression, and so are the ids that an array has. What they
 * share is a progression, too: its step is the least common multiple of theirs, and its first
 * member solves a linear congruence. */

/* the inverse of A modulo M, which have no common divisor; M > 1 (extended Euclid) */
static uint64_t inverse_modulo(uint64_t a, uint64_t m)
{
    int64_t r = (int64_t)m, next_r = (int64_t)(a % m), t = 0, next_t = 1;
    while (next_r != 0) {
        int64_t quotient = r / next_r, was_r = r, was_t = t;
        r = next_r;
        next_r = was_r - quotient * next_r;
        t = next_t;
        next_t = was_t - quotient * next_t;
    }
    return (uint64_t)(t < 0 ? t + (int64_t)m : t);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* the first of MIN, MIN + BY ... that is not below LEAST */
static uint64_t first_from(uint64_t min, uint64_t least, uint32_t by)
{
    return min >= least ? min : min + (least - min + by - 1) / by * by;
}

/* The first of ID, ID + BY ... that the progression of JOB has, were it without end; false if it
 * has none. It is ID + k * BY with the least k that solves k * BY = (what ID lacks to the next id
 * of the array) modulo the array's step. */
static bool first_shared(const struct JB_Type *job, uint64_t id, uint32_t by, uint64_t *out)
{
    uint32_t step = job->JB_ja_step, divisor = common_divisor(step, by), period = step / divisor;
    uint64_t missing = (step - (id - job->JB_ja_first) % step) % step;
    if (missing % divisor != 0)
        return false;
    uint64_t k =
        period == 1 ? 0 : missing / divisor * inverse_modulo(by / divisor, period) % period;
    *out = id + k * by;
    return true;
}

void task_ids_add(const struct JB_Type *job, const struct TR_Type *ids, struct range_set *out)
{
    uint32_t by = ids->TR_step == 0 ? 1 : ids->TR_step, first = job->JB_ja_first;
    uint32_t last = job_task_id(job, job_task_count(job) - 1);
    uint32_t max = ids->TR_max < last ? ids->TR_max : last;
    uint64_t id = first_from(ids->TR_min, first, by);
    if (id > max || !first_shared(job, id, by, &id) || id > max)
        return;
    range_set_add_stride(out, (uint32_t)((id - first) / job->JB_ja_step),
                         (max - first) / job->JB_ja_step, by / common_divisor(job->JB_ja_step, by));
}
