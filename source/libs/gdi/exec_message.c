/* What every message between qmaster and execd must keep to. */
#include "libs/gdi/exec_message.h"

#include "libs/gdi/msg_gdi.h"
#include "libs/sgeobj/task_key.h"
#include "libs/uti/answer.h"

static int check_key(const struct task_key *key, struct answer *ans)
{
    return task_key_is_valid(key) ? 0
                                  : ans_fail(ans, STATUS_EPROTO, MSG_EXEC_PETASK_UUU,
                                             key->job_number, key->task_number, TASK_PETASK_MOST);
}

int exec_message_check(const struct XM_Type *m, struct answer *ans)
{
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < m->XM_reports.n; i++) {
        struct task_key key = task_key_of_report(&m->XM_reports.v[i]);
        rc = check_key(&key, ans);
    }
    for (uint32_t i = 0; rc == 0 && i < m->XM_tasks.n; i++) {
        struct task_key key = task_key_of_record(&m->XM_tasks.v[i]);
        rc = check_key(&key, ans);
    }
    return rc;
}
