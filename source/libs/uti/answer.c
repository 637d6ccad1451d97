/* Lists of answer entries. Invariant: v[0..n-1] own their texts, which are never NULL. */
#include "libs/uti/answer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

static void ans_append(struct answer *ans, enum answer_status status, enum answer_quality quality,
                       char *text)
{
    ans->v = uti_vec_grow(ans->v, &ans->cap, ans->n + 1, sizeof *ans->v);
    ans->v[ans->n++] = (struct answer_entry){ status, quality, text };
}

SGE_PRINTF(4, 0)
static void ans_addv(struct answer *ans, enum answer_status status, enum answer_quality quality,
                     const char *format, va_list args)
{
    if (ans == NULL)
        return;
    struct dstr text = DSTR_INIT;
    dstr_addv(&text, format, args);
    ans_append(ans, status, quality, dstr_take(&text));
}

static enum answer_status status_of(int err)
{
    switch (err) {
    case ENOSPC:
    case EDQUOT:
        return STATUS_EDISK;
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
        return STATUS_ESHORTAGE;
    default:
        return STATUS_ESYSTEM;
    }
}

SGE_PRINTF(3, 0)
static void ans_sysv(struct answer *ans, int err, const char *format, va_list args)
{
    if (ans == NULL)
        return;
    struct dstr text = DSTR_INIT;
    dstr_addv(&text, format, args);
    dstr_add(&text, ": ");
    dstr_add(&text, strerror(err));
    ans_append(ans, status_of(err), ANSWER_QUALITY_ERROR, dstr_take(&text));
}

void ans_info(struct answer *ans, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ans_addv(ans, STATUS_OK, ANSWER_QUALITY_INFO, format, args);
    va_end(args);
}

void ans_add(struct answer *ans, enum answer_status status, enum answer_quality quality,
             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ans_addv(ans, status, quality, format, args);
    va_end(args);
}

int ans_fail(struct answer *ans, enum answer_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ans_addv(ans, status, ANSWER_QUALITY_ERROR, format, args);
    va_end(args);
    return -1;
}

void *ans_null(struct answer *ans, enum answer_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ans_addv(ans, status, ANSWER_QUALITY_ERROR, format, args);
    va_end(args);
    return NULL;
}

int ans_sys(struct answer *ans, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ans_sysv(ans, err, format, args);
    va_end(args);
    return -1;
}

void *ans_sys_null(struct answer *ans, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ans_sysv(ans, err, format, args);
    va_end(args);
    return NULL;
}

static const struct answer_entry *ans_find_error(const struct answer *ans)
{
    for (uint32_t i = 0; ans != NULL && i < ans->n; i++)
        if (ans->v[i].quality <= ANSWER_QUALITY_ERROR)
            return &ans->v[i];
    return NULL;
}

bool ans_has_error(const struct answer *ans)
{
    return ans_find_error(ans) != NULL;
}

const char *ans_first_error(const struct answer *ans)
{
    const struct answer_entry *e = ans_find_error(ans);
    return e != NULL ? e->text : "";
}

void ans_move(struct answer *to, struct answer *from)
{
    if (from == NULL || to == from)
        return;
    if (to == NULL) {
        ans_free(from);
        return;
    }
    for (uint32_t i = 0; i < from->n; i++)
        ans_append(to, from->v[i].status, from->v[i].quality, from->v[i].text);
    free(from->v);
    *from = (struct answer)ANSWER_INIT;
}

void ans_free(struct answer *ans)
{
    if (ans == NULL)
        return;
    for (uint32_t i = 0; i < ans->n; i++)
        free(ans->v[i].text);
    free(ans->v);
    *ans = (struct answer)ANSWER_INIT;
}
