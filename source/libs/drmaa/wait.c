/* drmaa_wait and drmaa_synchronize. Source: drmaa_wait(3) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/drmaa/numbers.h"
#include "libs/drmaa/status.h"
#include "libs/drmaa/texts.h"
#include "libs/drmaa/usage.h"
#include "libs/uti/alloc.h"

enum { ID_BYTES = 32 }; /* two numbers and a point */

struct wait_args {
    const char *id;
    char *id_out;
    size_t id_out_len;
    int *stat;
    long timeout;
    drmaa_attr_values_t **rusage;
};

static int check_timeout(long timeout, struct answer *ans)
{
    if (timeout >= DRMAA_TIMEOUT_WAIT_FOREVER)
        return DRMAA_ERRNO_SUCCESS;
    ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_TIMEOUT_L, timeout);
    return DRMAA_ERRNO_INVALID_ARGUMENT;
}

static void copy_id(const struct japi_id *id, char *out, size_t len)
{
    char text[ID_BYTES];
    if (id->task == 0)
        (void)snprintf(text, sizeof text, "%u", id->job);
    else
        (void)snprintf(text, sizeof text, "%u.%u", id->job, id->task);
    text_copy(out, len, text);
}

/* the list that the usage goes into, which is there before any end is taken */
struct usage_list {
    struct texts *texts;
    void *handle;
};

static int make_usage(struct usage_list *u, struct answer *ans)
{
    u->texts = texts_new();
    u->handle = library_give(HANDLE_VALUES, u->texts, ans);
    if (u->handle != NULL)
        return DRMAA_ERRNO_SUCCESS;
    texts_free(u->texts);
    return DRMAA_ERRNO_NO_MEMORY;
}

static void fill_usage(void *ctx, const struct japi_ended *e)
{
    const struct usage_list *u = ctx;
    if (u->texts != NULL)
        usage_add(e, u->texts);
}

static void drop_usage(const struct usage_list *u)
{
    if (u->handle != NULL)
        texts_free(library_take(HANDLE_VALUES, u->handle));
}

static int read_wait_id(const char *text, struct japi_id *out, bool *is_any, struct answer *ans)
{
    if (text == NULL)
        return library_refuse_null("job_id", ans);
    *is_any = strcmp(text, DRMAA_JOB_IDS_SESSION_ANY) == 0;
    if (*is_any || japi_id_parse(text, out))
        return DRMAA_ERRNO_SUCCESS;
    ans_fail(ans, STATUS_EUNKNOWN, MSG_DRMAA_NO_ID_S, text);
    return DRMAA_ERRNO_INVALID_JOB;
}

/* ID NULL: any */
static int take_end(struct japi *session, const struct wait_args *a, const struct japi_id *id,
                    struct answer *ans)
{
    struct japi_ended ended = { .has_run = false };
    struct usage_list usage = { NULL, NULL };
    if (a->rusage != NULL && make_usage(&usage, ans) != DRMAA_ERRNO_SUCCESS)
        return DRMAA_ERRNO_NO_MEMORY;
    enum japi_end end = japi_wait(session, id, a->timeout, fill_usage, &usage, &ended, ans);
    if (end == JAPI_DONE || end == JAPI_NO_USAGE)
        copy_id(&ended.id, a->id_out, a->id_out_len);
    if (end == JAPI_DONE && a->stat != NULL)
        *a->stat = status_of(&ended);
    if (end == JAPI_DONE && a->rusage != NULL)
        *a->rusage = usage.handle;
    else
        drop_usage(&usage);
    japi_ended_clear(&ended);
    return number_of(end);
}

static int wait_for_one(struct japi *session, void *args, struct answer *ans)
{
    const struct wait_args *a = args;
    struct japi_id id;
    bool is_any = false;
    int number = read_wait_id(a->id, &id, &is_any, ans);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = check_timeout(a->timeout, ans);
    return number == DRMAA_ERRNO_SUCCESS ? take_end(session, a, is_any ? NULL : &id, ans) : number;
}

int drmaa_wait(const char *job_id, char *job_id_out, size_t job_id_out_len, int *stat,
               signed long timeout, drmaa_attr_values_t **rusage, char *diag, size_t diag_len)
{
    struct wait_args a = { job_id, job_id_out, job_id_out_len, stat, timeout, rusage };
    return library_run_in_session(wait_for_one, &a, diag, diag_len);
}

/* ---- synchronize ---- */

struct sync_args {
    const char **ids;
    long timeout;
    int dispose;
};

/* The ids that TEXTS name into *OUT, N of them; new: free(). *IS_ALL: all of the session. TEXTS end
 * with NULL or with the name of all: programs give that one without a NULL behind it. */
static int read_ids(const char **texts, struct japi_id **out, uint32_t *n, bool *is_all,
                    struct answer *ans)
{
    uint32_t cap = 0;
    for (; texts[*n] != NULL; (*n)++) {
        *is_all = strcmp(texts[*n], DRMAA_JOB_IDS_SESSION_ALL) == 0;
        if (*is_all)
            break;
        *out = uti_vec_grow(*out, &cap, *n + 1, sizeof **out);
        if (!japi_id_parse(texts[*n], &(*out)[*n])) {
            ans_fail(ans, STATUS_EUNKNOWN, MSG_DRMAA_NO_ID_S, texts[*n]);
            return DRMAA_ERRNO_INVALID_JOB;
        }
    }
    return DRMAA_ERRNO_SUCCESS;
}

static int wait_for_all(struct japi *session, void *args, struct answer *ans)
{
    const struct sync_args *a = args;
    struct japi_id *ids = NULL;
    uint32_t n = 0;
    bool is_all = false;
    if (a->ids == NULL)
        return library_refuse_null("job_ids", ans);
    int number = check_timeout(a->timeout, ans);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = read_ids(a->ids, &ids, &n, &is_all, ans);
    if (number == DRMAA_ERRNO_SUCCESS && (is_all || n > 0))
        number = number_of(
            japi_synchronize(session, is_all ? NULL : ids, n, a->timeout, a->dispose != 0));
    free(ids);
    return number;
}

int drmaa_synchronize(const char *job_ids[], signed long timeout, int dispose, char *diag,
                      size_t diag_len)
{
    struct sync_args a = { job_ids, timeout, dispose };
    return library_run_in_session(wait_for_all, &a, diag, diag_len);
}
