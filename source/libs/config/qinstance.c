/* Queue instances: what a cluster queue means on one host, and how its state is shown.
 *
 * QU_settings holds every attribute of the table in cqueue.c, resolved; the typed fields are made
 * of it and of nothing else, so that the two cannot disagree. */
#include "libs/config/qinstance.h"

#include "libs/config/access.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/cqueue.h"
#include "libs/config/msg_config.h"
#include "libs/config/offers.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* ---- resolving ---- */

struct choice {
    const struct AT_Type *at; /* what counts so far */
    bool is_ambiguous;        /* two groups say different things, and the host says nothing */
};

static struct choice choice_for(const struct AT_Type_list *l, const char *host,
                                hostgroup_has_fn has, void *ctx)
{
    struct choice c = { &l->v[0], false };
    for (uint32_t i = 1; i < l->n; i++) {
        const struct AT_Type *at = &l->v[i];
        if (strcmp(at->AT_href, host) == 0)
            return (struct choice){ at, false };
        if (at->AT_href[0] != '@' || has == NULL || !has(ctx, at->AT_href, host))
            continue;
        if (c.at == &l->v[0])
            c.at = at;
        else if (strcmp(c.at->AT_value, at->AT_value) != 0)
            c.is_ambiguous = true;
    }
    return c;
}

static unsigned qtype_bits(const char *qtype)
{
    unsigned bits = 0;
    if (strstr(qtype, "BATCH") != NULL)
        bits |= QTYPE_BATCH;
    if (strstr(qtype, "INTERACTIVE") != NULL)
        bits |= QTYPE_INTERACTIVE;
    return bits;
}

static uint32_t setting_number(const struct QU_Type *qu, const char *attr)
{
    const char *text = qinstance_setting(qu, attr);
    uint32_t number = 0;
    return text != NULL && parse_u32(text, &number) ? number : 0;
}

/* the queue's own: who asks for other doors adds them */
static void door_from_settings(struct QU_Type *qu)
{
    struct access_lists lists = { .user_lists = qinstance_setting(qu, "user_lists"),
                                  .xuser_lists = qinstance_setting(qu, "xuser_lists"),
                                  .projects = qinstance_setting(qu, "projects"),
                                  .xprojects = qinstance_setting(qu, "xprojects") };
    cull_clear_field(&cull_QU_Type, qu, QU_access);
    cull_mark(qu, QU_access);
    access_add_door(&qu->QU_access, &lists);
}

static void offers_from_settings(struct QU_Type *qu)
{
    cull_clear_field(&cull_QU_Type, qu, QU_consumable_config_list);
    cull_mark(qu, QU_consumable_config_list);
    offers_read(qinstance_setting(qu, "complex_values"), &qu->QU_consumable_config_list);
}

static void fields_from_settings(struct QU_Type *qu)
{
    const char *qtype = qinstance_setting(qu, "qtype"), *rerun = qinstance_setting(qu, "rerun");
    cull_set(qu, QU_seq_no, setting_number(qu, "seq_no"));
    cull_set(qu, QU_job_slots, setting_number(qu, "slots"));
    cull_set(qu, QU_qtype, qtype != NULL ? qtype_bits(qtype) : 0);
    cull_share(qu, QU_pe_list, qinstance_setting(qu, "pe_list"));
    cull_share(qu, QU_ckpt_list, qinstance_setting(qu, "ckpt_list"));
    cull_set(qu, QU_rerun, rerun != NULL && strcmp(rerun, "TRUE") == 0);
    door_from_settings(qu);
    offers_from_settings(qu);
}

static void names_set(struct QU_Type *qu, const char *qname, const char *host)
{
    struct dstr full = DSTR_INIT;
    dstr_addf(&full, "%s@%s", qname, host);
    cull_set(qu, QU_full_name, full.s);
    cull_set(qu, QU_qname, qname);
    cull_set(qu, QU_qhostname, host);
    dstr_free(&full);
}

/* put or lift QI_AMBIGUOUS; a message of another state stays */
static void ambiguity_set(struct QU_Type *qu, const char *attrs)
{
    struct dstr text = DSTR_INIT;
    bool was = (qu->QU_state & QI_AMBIGUOUS) != 0, is = attrs[0] != '\0';
    if (is) {
        dstr_addf(&text, MSG_QINSTANCE_AMBIGUOUS_S, attrs);
        cull_set(qu, QU_state, qu->QU_state | QI_AMBIGUOUS);
        cull_set(qu, QU_message, text.s);
    } else if (was) {
        cull_set(qu, QU_state, qu->QU_state & ~(uint32_t)QI_AMBIGUOUS);
        cull_set(qu, QU_message, NULL);
    }
    dstr_free(&text);
}

/* an entry for each attribute, in the order of the table: values to come */
static void name_settings(struct QU_Type *qu)
{
    if (qu->QU_settings.n == cqueue_attrs_n)
        return;
    cull_clear_field(&cull_QU_Type, qu, QU_settings);
    cull_mark(qu, QU_settings);
    cull_room(&qu->QU_settings, cqueue_attrs_n);
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        struct VA_Type *va = cull_append(qu, QU_settings);
        cull_set(va, VA_variable, cqueue_attrs[i].rule.name);
    }
}

void qinstance_resolve(struct QU_Type *qu, const struct CQ_Type *cq, const char *host,
                       hostgroup_has_fn has, void *ctx)
{
    struct dstr ambiguous = DSTR_INIT;
    names_set(qu, cq->CQ_name, host);
    name_settings(qu);
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        struct choice c = choice_for(cqueue_settings(cq, &cqueue_attrs[i]), host, has, ctx);
        struct VA_Type *va = &qu->QU_settings.v[i];
        if (va->VA_value != c.at->AT_value)
            cull_share(va, VA_value, c.at->AT_value);
        if (c.is_ambiguous)
            dstr_addf(&ambiguous, "%s\"%s\"", ambiguous.len > 0 ? ", " : "",
                      cqueue_attrs[i].rule.name);
    }
    fields_from_settings(qu);
    ambiguity_set(qu, dstr_get(&ambiguous));
    dstr_free(&ambiguous);
}

const char *qinstance_setting(const struct QU_Type *qu, const char *attr)
{
    for (uint32_t i = 0; i < qu->QU_settings.n; i++) {
        const struct VA_Type *va = &qu->QU_settings.v[i];
        if (va->VA_variable != NULL && strcmp(va->VA_variable, attr) == 0)
            return va->VA_value;
    }
    return NULL;
}

/* ---- states and types as text ---- */

static const struct {
    unsigned bit;
    char letter;
} state_letters[] = {
    { QI_ALARM, 'a' },        { QI_SUSPEND_ALARM, 'A' }, { QI_CAL_SUSPENDED, 'C' },
    { QI_DISABLED, 'd' },     { QI_CAL_DISABLED, 'D' },  { QI_SUSPENDED, 's' },
    { QI_SUBORDINATED, 'S' }, { QI_UNKNOWN, 'u' },       { QI_ERROR, 'E' },
    { QI_AMBIGUOUS, 'c' },    { QI_ORPHANED, 'o' },
};

void qinstance_state_text(unsigned state, struct dstr *out)
{
    for (size_t i = 0; i < ARRAY_LEN(state_letters); i++) {
        if ((state & state_letters[i].bit) != 0)
            dstr_addc(out, state_letters[i].letter);
    }
}

bool qinstance_state_parse(const char *letters, unsigned *out)
{
    unsigned state = 0;
    for (const char *c = letters; *c != '\0'; c++) {
        size_t i = 0;
        while (i < ARRAY_LEN(state_letters) && state_letters[i].letter != *c)
            i++;
        if (i == ARRAY_LEN(state_letters))
            return false;
        state |= state_letters[i].bit;
    }
    *out = state;
    return true;
}

static bool has_list(const struct QU_Type *qu, const char *attr)
{
    const char *list = qinstance_setting(qu, attr);
    return list != NULL && !attr_is_none(list);
}

void qinstance_type_text(const struct QU_Type *qu, struct dstr *out)
{
    size_t before = out->len;
    if ((qu->QU_qtype & QTYPE_BATCH) != 0)
        dstr_addc(out, 'B');
    if ((qu->QU_qtype & QTYPE_INTERACTIVE) != 0)
        dstr_addc(out, 'I');
    if (has_list(qu, "pe_list"))
        dstr_addc(out, 'P');
    if (has_list(qu, "ckpt_list"))
        dstr_addc(out, 'C');
    if (out->len == before)
        dstr_addc(out, 'N');
}

void qinstance_text(const struct QU_Type *qu, bool is_single, struct dstr *out)
{
    attr_print(out, CQUEUE_TEXT_COLUMN, "qname", qu->QU_qname, is_single);
    attr_print(out, CQUEUE_TEXT_COLUMN, "hostname", qu->QU_qhostname, is_single);
    for (uint32_t i = 0; i < qu->QU_settings.n; i++) {
        const struct VA_Type *va = &qu->QU_settings.v[i];
        struct dstr value = DSTR_INIT;
        dstr_add(&value, va->VA_value);
        if (strcmp(va->VA_variable, "qtype") == 0 && !attr_is_none(va->VA_value))
            dstr_addc(&value, ' '); /* as users' scripts know it */
        attr_print(out, CQUEUE_TEXT_COLUMN, va->VA_variable, dstr_get(&value), is_single);
        dstr_free(&value);
    }
}
