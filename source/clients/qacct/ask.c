/* The accounting file of the qmaster, for hosts that have none: its lines come in parts, and each
 * is taken as one of a file here would be. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/source.h"
#include "clients/qacct/qacct.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

struct asking {
    const struct qacct_options *o;
    FILE *out;
    struct qacct_walk *walk; /* NULL until the first part has come */
};

static int take_part(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    struct asking *a = ctx;
    if (a->walk == NULL)
        a->walk = qacct_begin(a->o, a->out, ans);
    if (a->walk == NULL)
        return -1;
    char *lines = uti_strdup(part->GA_lines != NULL ? part->GA_lines : ""), *rest = lines;
    for (char *line; *rest != '\0' && (line = strsep(&rest, "\n")) != NULL && rest != NULL;)
        qacct_take(a->walk, line);
    free(lines);
    return 0;
}

static bool names_numbers_alone(const struct qacct_options *o)
{
    for (uint32_t i = 0; i < o->n_jobs; i++)
        if (!o->jobs[i].is_number)
            return false;
    return true;
}

int qacct_ask(const struct source *from, const struct qacct_options *o, FILE *out,
              struct answer *ans)
{
    struct asking a = { .o = o, .out = out };
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_ACCOUNTING);
    for (uint32_t i = 0; names_numbers_alone(o) && i < o->n_jobs; i++)
        cull_set(cull_append(&request, GR_select), ID_str, o->jobs[i].text);
    int result = source_ask(from, &request, take_part, &a, ans);
    cull_clear(&cull_GR_Type, &request);
    if (a.walk == NULL)
        return -1;
    int status = qacct_end(a.walk, ans);
    return result < 0 ? 1 : status;
}
