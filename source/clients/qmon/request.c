/* What a window asks the qmaster for, and the line in which it says what became of it. */
#include "clients/qmon/request.h"

#include "clients/qmon/asking.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"
#include "libs/uti/dstr.h"

static void on_answered(void *said, const struct answer *texts, uint32_t n_texts)
{
    struct dstr line = DSTR_INIT;
    said_words(texts, &line);
    if (n_texts > 1)
        dstr_addf(&line, MSG_QMON_MORE_U, n_texts - 1);
    window_say(said, dstr_get(&line));
    dstr_free(&line);
}

void request_send(struct qmon *q, Widget said, struct GR_Type *request)
{
    if (ask_change(q, request, on_answered, said, said))
        window_say(said, MSG_QMON_ASKED);
}
