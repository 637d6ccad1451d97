/* What programs must know of the cell's configuration. It is asked for each time, because it may
 * change at any time. */
#include "libs/config/conf.h"
#include "libs/japi/session.h"

/* the global configuration in an answer, borrowed; NULL: it is not there */
static const struct CONF_Type *conf_in(const struct exchange *e)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (e->parts[i].GA_confs.n > 0)
            return &e->parts[i].GA_confs.v[0];
    return NULL;
}

enum japi_end japi_has_file_staging(struct japi *j, bool *out, struct answer *ans)
{
    struct GR_Type gr = { 0 };
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_CONFIG);
    struct ID_Type *global = cull_append(&gr, GR_select);
    cull_set(global, ID_str, CONF_GLOBAL);
    enum japi_end end = session_ask(j, &gr, UINT64_MAX, &got, ans);
    cull_clear(&cull_GR_Type, &gr);
    if (end == JAPI_DONE) {
        end = session_end_of(&got.ans);
        ans_move(ans, &got.ans);
    }
    *out = end == JAPI_DONE && conf_get_bool(conf_in(&got), NULL, "delegated_file_staging");
    exchange_free(&got);
    return end;
}
