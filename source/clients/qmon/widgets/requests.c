/* Requests of windows. */
#include "clients/qmon/widgets/requests.h"

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/window.h"
#include "libs/feed/calls.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

void said_words(const struct answer *texts, struct dstr *out)
{
    const char *text = ans_has_error(texts) ? ans_first_error(texts)
                       : texts->n > 0       ? texts->v[texts->n - 1].text
                                            : MSG_QMON_NO_TEXT;
    for (; *text != '\0'; text++)
        dstr_addc(out, *text == '\n' ? ' ' : *text);
}

void said_answer(Widget said, const struct answer *texts, uint32_t n_texts)
{
    struct dstr line = DSTR_INIT;
    said_words(texts, &line);
    if (n_texts > 1)
        dstr_addf(&line, MSG_QMON_MORE_U, n_texts - 1);
    window_say(said, dstr_get(&line));
    dstr_free(&line);
}

static bool is_sent(int result, struct answer *ans, struct GR_Type *request, Widget said)
{
    if (result != 0)
        window_say(said, ans_first_error(ans));
    ans_free(ans);
    cull_clear(&cull_GR_Type, request);
    return result == 0;
}

static void add_field(struct GR_Type *request, const char *name)
{
    struct ST_Type *entry = cull_append(request, GR_fields);
    cull_set(entry, ST_name, name);
}

bool ask_get(struct qmon *q, enum gdi_target target, const char *name, const char *const *fields,
             ask_got_fn got, void *ctx, Widget said)
{
    struct GR_Type request = { 0 };
    struct answer ans = ANSWER_INIT;
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)target);
    if (name != NULL)
        cull_set(cull_append(&request, GR_select), ID_str, name);
    for (; fields != NULL && *fields != NULL; fields++)
        add_field(&request, *fields);
    return is_sent(calls_get(q->calls, &request, got, ctx, &ans), &ans, &request, said);
}

bool ask_names(struct qmon *q, enum gdi_target target, ask_got_fn got, void *ctx, Widget said)
{
    static const char *const keys[] = { "CQ_name",   "EH_name", "NM_name",
                                        "CONF_name", "TX_name", NULL };
    return ask_get(q, target, NULL, keys, got, ctx, said);
}

bool ask_change(struct qmon *q, struct GR_Type *request, ask_done_fn done, void *ctx, Widget said)
{
    struct answer ans = ANSWER_INIT;
    return is_sent(calls_send(q->calls, request, done, ctx, &ans), &ans, request, said);
}

static void on_change_answered(void *said, const struct answer *texts, uint32_t n_texts)
{
    said_answer(said, texts, n_texts);
}

void request_send(struct qmon *q, Widget said, struct GR_Type *request)
{
    if (ask_change(q, request, on_change_answered, said, said))
        window_say(said, MSG_QMON_ASKED);
}
