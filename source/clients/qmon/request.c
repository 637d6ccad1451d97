/* What a window asks the qmaster for, and the line in which it says what became of it. */
#include "clients/qmon/request.h"

#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"
#include "libs/feed/calls.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void on_answered(void *said, const struct answer *texts, uint32_t n_texts)
{
    struct dstr line = DSTR_INIT;
    const char *text = ans_has_error(texts) ? ans_first_error(texts)
                       : texts->n > 0       ? texts->v[texts->n - 1].text
                                            : MSG_QMON_NO_TEXT;
    dstr_add(&line, text);
    if (n_texts > 1)
        dstr_addf(&line, MSG_QMON_MORE_U, n_texts - 1);
    window_say(said, dstr_get(&line));
    dstr_free(&line);
}

void request_send(struct qmon *q, Widget said, struct GR_Type *request)
{
    struct answer ans = ANSWER_INIT;
    int result = calls_send(q->calls, request, on_answered, said, &ans);
    window_say(said, result == 0 ? MSG_QMON_ASKED : ans_first_error(&ans));
    ans_free(&ans);
    cull_clear(&cull_GR_Type, request);
}
