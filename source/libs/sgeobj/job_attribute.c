/* The rows of what users set of a job, and the one place that holds them against what a peer sends:
 * lengths, values, and that texts have no control characters, because they are printed on terminals
 * of others and read by scripts line by line. Walks the descriptors, so that a new attribute is
 * checked without a word here. Invariant: a field has at most one row.
 * Source: submit(1) "What texts may hold". */
#include "libs/sgeobj/job_attribute.h"

#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/mail_address.h"
#include "libs/sgeobj/msg_sgeobj.h"
#include "libs/uti/answer.h"

enum { DELETE = 0x7f, C1_LEAD = 0xc2, C1_FIRST = 0x80, C1_LAST = 0x9f };

/* limits of the rows. ANY: a message has a limit for texts, and a job for its bytes */
#define ANY       UINT64_MAX
#define TIME_MOST UINT64_C(253402300799) /* the last second of the year 9999 */
enum { NAME_MOST = 512, PATH_MOST = 4096 };

#define ATTRIBUTE(field, noun, flags, most) { field, noun, flags, most, 0, NULL },
#define ATTRIBUTE_LIST(field, noun, flags, most, entries, entry)                                   \
    { field, noun, flags, most, entries, entry },
const struct job_attribute job_attributes[] = {
#include "libs/sgeobj/sge_optionL.h"
};
const unsigned job_attributes_n = ARRAY_LEN(job_attributes);

/* the first control character of TEXT as Unicode counts them, 0 if there is none */
static int control_of(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (; *at != '\0'; at++) {
        if (*at < ' ' || *at == DELETE)
            return *at;
        if (*at == C1_LEAD && at[1] >= C1_FIRST && at[1] <= C1_LAST)
            return at[1];
    }
    return 0;
}

static int check_number(const struct job_attribute *a, uint64_t n, struct answer *ans)
{
    return n <= a->most ? 0
                        : ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_NUMBER_S, a->noun, n, a->most);
}

static int check_text(const struct job_attribute *a, const char *text, bool is_free,
                      struct answer *ans)
{
    size_t bytes = text == NULL ? 0 : strlen(text);
    if (bytes > a->most)
        return ans_fail(ans, STATUS_ESEMANTIC,
                        a->entries > 0 ? MSG_JOB_ENTRY_TEXT_SZ : MSG_JOB_TEXT_SZ, a->noun, bytes,
                        a->most);
    int code = text == NULL || is_free ? 0 : control_of(text);
    return code == 0 ? 0 : ans_fail(ans, STATUS_ESEMANTIC, MSG_STRING_CONTROL_IS, code, a->noun);
}

static int check_elements(const struct job_attribute *a, const struct cull_type *t,
                          const struct cull_list *l, struct answer *ans);

static int check_element(const struct job_attribute *a, const struct cull_type *t,
                         const void *element, struct answer *ans)
{
    for (unsigned f = 0; f < t->n_fields; f++) {
        const void *at = cull_member(t, element, f);
        bool is_free = (a->flags & JOB_FREE_TEXT) != 0 || (t == &cull_VA_Type && f == VA_value);
        if (t->fields[f].kind == CULL_STRING &&
            check_text(a, *(const char *const *)at, is_free, ans) != 0)
            return -1;
        if (t->fields[f].kind == CULL_LIST && check_elements(a, t->fields[f].element, at, ans) != 0)
            return -1;
    }
    return 0;
}

static int check_elements(const struct job_attribute *a, const struct cull_type *t,
                          const struct cull_list *l, struct answer *ans)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (check_element(a, t, cull_list_at(t, l, i), ans) != 0)
            return -1;
    return 0;
}

static int check_list(const struct job_attribute *a, const struct cull_type *t,
                      const struct cull_list *l, struct answer *ans)
{
    if (l->n > a->entries)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_LIST_USU, l->n, a->entry, a->entries);
    return check_elements(a, t, l, ans);
}

static int check_one(const struct job_attribute *a, const struct JB_Type *job, struct answer *ans)
{
    const struct cull_field *field = &cull_JB_Type.fields[a->field];
    const void *at = cull_member(&cull_JB_Type, job, a->field);
    switch (field->kind) {
    case CULL_ULONG:
        return check_number(a, *(const uint32_t *)at, ans);
    case CULL_ULONG64:
        return check_number(a, *(const uint64_t *)at, ans);
    case CULL_STRING:
        return check_text(a, *(const char *const *)at, (a->flags & JOB_FREE_TEXT) != 0, ans);
    case CULL_LIST:
        return check_list(a, field->element, at, ans);
    case CULL_BOOL:
    case CULL_DOUBLE:
    case CULL_RANGES:
        break;
    }
    return 0;
}

int job_attributes_check(const struct JB_Type *job, struct answer *ans)
{
    for (unsigned i = 0; i < job_attributes_n; i++)
        if (cull_is_present(job, job_attributes[i].field) &&
            check_one(&job_attributes[i], job, ans) != 0)
            return -1;
    return 0;
}

void job_attributes_keep(struct JB_Type *job)
{
    bool is_kept[JB_Type_FIELDS] = { false };
    for (unsigned i = 0; i < job_attributes_n; i++)
        is_kept[job_attributes[i].field] = true;
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        if (!is_kept[f] && cull_is_present(job, f))
            cull_clear_field(&cull_JB_Type, job, f);
}
