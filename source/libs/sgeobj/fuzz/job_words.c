/* Hostile text as a list of jobs, a name and an output path. Accepted lists have no empty entry and
 * none twice. */
#include <stdlib.h>

#include "libs/sgeobj/job_select.h"
#include "libs/sgeobj/path_expand.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check_list(const struct JRE_Type_list *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        ASSERT(l->v[i].JRE_job_name != NULL && l->v[i].JRE_job_name[0] != '\0');
        for (uint32_t k = 0; k < i && k < 50; k++)
            ASSERT(strcmp(l->v[i].JRE_job_name, l->v[k].JRE_job_name) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct path_vars vars = { "/home/a", "a", "h", "n", 12, 3 };
    char *text = uti_strndup((const char *)data, len);
    struct JB_Type job = { 0 };
    struct answer ans = ANSWER_INIT;
    struct dstr out = DSTR_INIT;

    if (job_select_dependencies(text, &job, len % 2 == 0, &ans) == 0) {
        check_list(&job.JB_jid_request_list);
        check_list(&job.JB_ja_ad_request_list);
    }
    (void)job_name_check(text, &ans);
    path_expand(text, &vars, "/work", &out);
    ASSERT(dstr_get(&out)[0] == '/');
    dstr_free(&out);
    cull_clear(&cull_JB_Type, &job);
    ans_free(&ans);
    free(text);
    return 0;
}
