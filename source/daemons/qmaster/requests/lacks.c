/* What a task lacks, in words. Reads the state, changes nothing. */
#include "daemons/qmaster/requests/lacks.h"

#include "daemons/qmaster/jobs/takings.h"
#include "libs/config/amount.h"
#include "libs/sched/msg_sched.h"
#include "libs/uti/dstr.h"

static void add_place(const struct qinstance *qi, char place, struct dstr *why)
{
    if (place == 'q')
        dstr_addf(why, MSG_WHY_LACKS_IN_QUEUE_S, qi->rec.QU_full_name);
    else if (place == 'h')
        dstr_addf(why, MSG_WHY_LACKS_AT_HOST_S, qi->rec.QU_qhostname);
    else
        dstr_add(why, MSG_WHY_LACKS_IN_CELL);
}

bool lacks_why(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
               bool as_if_unused, struct dstr *why)
{
    const char *queue = qi->rec.QU_full_name;
    struct lack lack;
    if (!takings_lack(q, qi, request, as_if_unused, &lack))
        return false;
    if (lack.is_forced) {
        dstr_addf(why, MSG_WHY_LACKS_FORCED_SS, queue, lack.name);
    } else if (lack.place == '\0') {
        dstr_addf(why, MSG_WHY_LACKS_UNKNOWN_SSSS, lack.name, lack.asked, queue, lack.name);
    } else {
        if (lack.asked != NULL)
            dstr_addf(why, "(-l %s=%s) ", lack.name, lack.asked);
        add_place(qi, lack.place, why);
        dstr_addf(why, "%cc:%s=", lack.place, lack.name);
        amount_add_text(lack.type, lack.left, why);
    }
    return true;
}
