/* Records of the administrator's objects on their way to the spool: which table and key each
 * has. */
#include "daemons/qmaster/config/config_stage.h"

#include "daemons/qmaster/change/change.h"
#include "libs/uti/dstr.h"

void config_stage_names(struct qmaster *q, enum name_list list)
{
    struct TX_Type all = { 0 };
    struct name *n, *next;
    HASH_ITER(hh, q->settings.names[list], n, next) {
        struct VA_Type *va = cull_append(&all, TX_entries);
        cull_set(va, VA_variable, n->rec.NM_name);
    }
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_NAMES, settings_list_keys[list], &cull_TX_Type, &all);
    cull_clear(&cull_TX_Type, &all);
}

/* plain objects of all kinds share a table */
static void text_key(const struct TX_Type *rec, struct dstr *out)
{
    dstr_addf(out, "%u %s", rec->TX_kind, rec->TX_name);
}

void config_stage_text(struct qmaster *q, const struct TX_Type *rec)
{
    struct dstr key = DSTR_INIT;
    text_key(rec, &key);
    q->settings.changed = change_number(q);
    change_record(q, SPOOL_TEXT, dstr_get(&key), &cull_TX_Type, rec);
    dstr_free(&key);
}

void config_stage_text_gone(struct qmaster *q, const struct TX_Type *rec)
{
    struct dstr key = DSTR_INIT;
    text_key(rec, &key);
    q->settings.changed = change_number(q);
    change_record_gone(q, SPOOL_TEXT, dstr_get(&key));
    dstr_free(&key);
}
