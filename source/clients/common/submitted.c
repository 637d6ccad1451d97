/* The line that tells a job's number. Source: captured behaviour of qsub and qresub, and what their
 * callers cut out of it. */
#include "clients/common/submitted.h"

#include "clients/common/msg_clients.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

void submitted_print(FILE *out, const struct JB_Type *job, uint32_t number, bool is_terse)
{
    struct dstr id = DSTR_INIT;
    dstr_addf(&id, "%u", number);
    if (job_is_array(job))
        dstr_addf(&id, ".%u-%u:%u", job->JB_ja_first, job->JB_ja_last, job->JB_ja_step);
    if (is_terse)
        fprintf(out, "%s\n", dstr_get(&id));
    else
        fprintf(out, MSG_SUBMITTED_SSS, job_is_array(job) ? "-array" : "", dstr_get(&id),
                job->JB_job_name);
    dstr_free(&id);
}
