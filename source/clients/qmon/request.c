/* What a window asks the qmaster for, and the line in which it says what became of it. */
#include "clients/qmon/request.h"

#include "clients/qmon/asking.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"

static void on_answered(void *said, const struct answer *texts, uint32_t n_texts)
{
    said_answer(said, texts, n_texts);
}

void request_send(struct qmon *q, Widget said, struct GR_Type *request)
{
    if (ask_change(q, request, on_answered, said, said))
        window_say(said, MSG_QMON_ASKED);
}
