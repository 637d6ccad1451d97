/* What all options of qconf need: exchanges with the qmaster, files, and the way failures are
 * shown. */
#include "clients/qconf/qconf.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "libs/uti/file.h"

enum { FILE_MAX_BYTES = 16 * 1024 * 1024 };

int qconf_fail(struct qconf *q, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vfprintf(q->err, format, args);
    va_end(args);
    fputc('\n', q->err);
    return 1;
}

int qconf_print_failure(struct qconf *q, struct answer *ans, const char *prefix)
{
    answer_print_errors(q->err, ans, prefix);
    ans_free(ans);
    return 1;
}

void qconf_request(struct GR_Type *request, enum gdi_verb verb, enum gdi_target target)
{
    cull_set(request, GR_verb, (uint32_t)verb);
    cull_set(request, GR_target, (uint32_t)target);
}

void qconf_select(struct GR_Type *request, const char *name)
{
    struct ID_Type *id = cull_append(request, GR_select);
    cull_set(id, ID_str, name);
}

/* That a host is on a list already is no failure: its list is as it should be. */
static bool is_failure(const struct GR_Type *request, const struct answer_entry *entry)
{
    bool is_host_list = request->GR_target == GDI_ADMINHOST || request->GR_target == GDI_SUBMITHOST;
    return entry->quality <= ANSWER_QUALITY_ERROR &&
           !(is_host_list && entry->status == STATUS_EEXIST);
}

/* all entries, each where it belongs */
static void print_answer(struct qconf *q, const struct answer *ans, FILE *said_on)
{
    for (uint32_t i = 0; i < ans->n; i++) {
        bool is_error = ans->v[i].quality <= ANSWER_QUALITY_ERROR;
        if (ans->v[i].quality == ANSWER_QUALITY_WARNING)
            fprintf(q->err, "warning: %s\n", ans->v[i].text);
        else if (is_error || said_on != NULL)
            fprintf(is_error ? q->err : said_on, "%s\n", ans->v[i].text);
    }
}

static bool has_failed(const struct GR_Type *request, int result, const struct answer *ans)
{
    bool is_failed = result < 0 && ans->n == 0;
    for (uint32_t i = 0; i < ans->n; i++)
        is_failed = is_failed || is_failure(request, &ans->v[i]);
    return is_failed;
}

/* has what was to be changed become something else meanwhile? */
static bool has_moved(const struct answer *ans)
{
    for (uint32_t i = 0; i < ans->n; i++)
        if (ans->v[i].status == STATUS_NOTOK_DOAGAIN)
            return true;
    return false;
}

int qconf_try(struct qconf *q, struct GR_Type *request, FILE *said_on, const char *notes,
              unsigned attempt)
{
    struct answer ans = ANSWER_INIT;
    int result = source_ask(&q->from, request, NULL, NULL, &ans);
    bool is_lost = result < 0 && ans.n > 0 && ans.v[ans.n - 1].status == STATUS_ENOCONN;
    bool is_again = attempt < QCONF_ATTEMPTS_MOST && has_moved(&ans);
    int status = is_lost || has_failed(request, result, &ans) ? 1 : 0;
    if (status == 0 && !is_again)
        fputs(notes, q->out);
    if (is_again)
        status = QCONF_AGAIN;
    else if (is_lost)
        (void)qconf_print_failure(q, &ans, "");
    else
        print_answer(q, &ans, said_on);
    ans_free(&ans);
    cull_clear(&cull_GR_Type, request);
    return status;
}

int qconf_send(struct qconf *q, struct GR_Type *request, FILE *said_on)
{
    return qconf_try(q, request, said_on, "", QCONF_ATTEMPTS_MOST);
}

bool qconf_may_change(struct qconf *q, enum gdi_target target)
{
    struct GR_Type request = { 0 };
    struct answer ans = ANSWER_INIT;
    bool is_denied = false;
    qconf_request(&request, GDI_ADD, target);
    (void)source_ask(&q->from, &request, NULL, NULL, &ans);
    for (uint32_t i = 0; i < ans.n; i++)
        is_denied = is_denied || ans.v[i].status == STATUS_DENIED;
    if (is_denied)
        (void)qconf_print_failure(q, &ans, "");
    ans_free(&ans);
    cull_clear(&cull_GR_Type, &request);
    return !is_denied;
}

/* REQUEST is emptied */
static struct GA_Type *get_answer(struct qconf *q, struct GR_Type *request)
{
    struct answer ans = ANSWER_INIT;
    struct GA_Type *all = source_get_all(&q->from, request, &ans);
    cull_clear(&cull_GR_Type, request);
    if (all == NULL)
        (void)qconf_print_failure(q, &ans, "");
    ans_free(&ans);
    return all;
}

struct GA_Type *qconf_get(struct qconf *q, enum gdi_target target, const char *name)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, GDI_GET, target);
    if (name != NULL)
        qconf_select(&request, name);
    return get_answer(q, &request);
}

struct GA_Type *qconf_get_raw(struct qconf *q, enum gdi_target target, const char *name)
{
    bool was_raw = q->from.is_raw;
    q->from.is_raw = true;
    struct GA_Type *all = qconf_get(q, target, name);
    q->from.is_raw = was_raw;
    return all;
}

struct GA_Type *qconf_get_names(struct qconf *q, enum gdi_target target)
{
    static const char *const keys[] = { "CQ_name", "EH_name", "NM_name", "CONF_name", "TX_name" };
    struct GR_Type request = { 0 };
    qconf_request(&request, GDI_GET, target);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        request_field(&request, keys[i]);
    return get_answer(q, &request);
}

int qconf_bad_file(struct qconf *q, const char *kind, const char *path, struct answer *ans)
{
    bool is_unknown = strncmp(ans_first_error(ans), "unknown attribute name", 22) == 0;
    (void)qconf_print_failure(q, ans, "error: ");
    if (is_unknown)
        (void)qconf_fail(q, MSG_FILE_READING_S, path);
    return qconf_fail(q, MSG_FILE_WRONG_SS, kind, path);
}

bool qconf_read_file(struct qconf *q, const char *kind, const char *path, struct dstr *out)
{
    struct answer ans = ANSWER_INIT;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        (void)qconf_fail(q, MSG_FILE_OPEN_SS, path, strerror(errno));
        (void)qconf_fail(q, MSG_FILE_WRONG_SS, kind, path);
        return false;
    }
    (void)fclose(file);
    if (file_read(path, FILE_MAX_BYTES, out, &ans) == 0)
        return true;
    (void)qconf_bad_file(q, kind, path, &ans);
    return false;
}
