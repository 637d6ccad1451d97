/* What a task lacks, in words. Reads the state, changes nothing. */
#include "daemons/qmaster/requests/explain/lacks.h"

#include <string.h>

#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/jobs/quotas.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/config/offers.h"
#include "libs/resource/availability.h"
#include "libs/resource/consumption.h"
#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/pe_match.h"
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

static bool add_taken(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                      bool as_if_unused, struct dstr *why)
{
    const char *queue = qi->rec.QU_full_name;
    struct lack lack;
    if (!bookings_lack(q, qi, request, as_if_unused, &lack))
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

/* ---- what does not run out, and load values of what does ---- */
static bool is_load(const struct available *found)
{
    return found->kind == 'l' || found->kind == 'L';
}

static void add_found(const struct qinstance *qi, const struct CE_Type *wanted,
                      const struct available *found, struct dstr *why)
{
    if (found->place == '\0') {
        dstr_addf(why, MSG_WHY_LACKS_UNKNOWN_SSSS, wanted->CE_name, wanted->CE_stringval,
                  qi->rec.QU_full_name, wanted->CE_name);
        return;
    }
    dstr_addf(why, "(-l %s=%s) ", wanted->CE_name, wanted->CE_stringval);
    add_place(qi, found->place, why);
    dstr_addf(why, "%c%c:%s=%s", found->place, found->kind,
              found->bound != NULL ? found->bound : wanted->CE_name, available_text(found));
}

static bool lacks_one(const struct offering *what, const struct qinstance *qi,
                      const struct CE_Type *wanted, bool as_if_unused, struct available *found)
{
    const struct CE_Type *ce = complex_find(what->complex, wanted->CE_name);
    const char *value = wanted->CE_stringval;
    if (ce == NULL || strcmp(ce->CE_name, "slots") == 0)
        return false;
    if (as_if_unused) /* that a host which is not there reports nothing says nothing */
        return !available_could_meet(what, ce, value, found) &&
               (found->place != '\0' || qi->host->conn != 0);
    if (ce->CE_consumable == COMPLEX_CONSUMABLE_NO)
        return !available_meets(what, ce, value, found);
    return available_find(what, ce, found) && is_load(found) &&
           !complex_meets(ce, value, available_text(found));
}

static bool add_fixed(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                      bool as_if_unused, struct dstr *why)
{
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    struct offering what = { &qi->rec, &qi->host->rec, cell != NULL ? &cell->rec : NULL,
                             settings_complex(&q->settings) };
    const struct CE_Type_list *wanted = &request->JB_hard_resource_list;
    struct available found;
    for (uint32_t i = 0; i < wanted->n; i++) {
        const struct CE_Type *one = &wanted->v[i];
        if (one->CE_name != NULL && one->CE_stringval != NULL &&
            lacks_one(&what, qi, one, as_if_unused, &found)) {
            add_found(qi, one, &found, why);
            return true;
        }
    }
    return false;
}

/* ---- quotas ---- */
static bool find_quota(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                       bool as_if_unused, struct shortage *out)
{
    const char *pe = request->JB_pe;
    if (pe != NULL && (as_if_unused || settings_text(&q->settings, GDI_PE, pe) == NULL))
        return false; /* a pattern, which may mean several; or none */
    uint32_t slots = pe != NULL ? pe_slots_least(request) : 1;
    return bookings_lack_limit(q, qi, request, pe, slots, as_if_unused, out);
}

static bool add_quota(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                      bool as_if_unused, struct dstr *why)
{
    struct dstr key = DSTR_INIT;
    struct shortage lacking;
    if (!find_quota(q, qi, request, as_if_unused, &lacking))
        return false;
    const struct quota_rule *rule = quota_of(lacking.supply)->rule;
    quotas_key(q, qi, request, request->JB_pe, rule, &key);
    dstr_addf(why, MSG_WHY_QUOTA_SS, dstr_get(&key), rule->label);
    dstr_free(&key);
    return true;
}

void lacks_limit_numbers(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                         struct dstr *why)
{
    struct shortage lacking;
    if (!find_quota(q, qi, request, false, &lacking))
        return;
    const struct quota_limit *limit = quota_limit_of(quota_of(lacking.supply), lacking.resource);
    uint32_t type = limit->ce->CE_valtype;
    dstr_addf(why, " (%s=", limit->resource);
    amount_add_text(type, (int64_t)lacking.capacity - lacking.left, why);
    dstr_add(why, " of ");
    amount_add_text(type, (int64_t)lacking.capacity, why);
    dstr_add(why, " used, ");
    amount_add_text(type, (int64_t)lacking.asked, why);
    dstr_add(why, " wanted)");
}

enum refusal lacks_why(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                       bool as_if_unused, struct dstr *why)
{
    if (add_taken(q, qi, request, as_if_unused, why) ||
        add_fixed(q, qi, request, as_if_unused, why))
        return REFUSES;
    return add_quota(q, qi, request, as_if_unused, why) ? REFUSES_BY_LIMIT : REFUSES_NOT;
}
