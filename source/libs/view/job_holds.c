/* Which holds lie on which tasks. Owns no data: what is known stands in the board's jobs. */
#include "libs/view/job_list.h"

#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"
#include "libs/view/msg_view.h"

enum { TASKS_BYTES = 200, NAMED_MOST = 20 };

const char *const job_holds_fields[] = {
    "JB_job_number",
    "JB_type",
    "JB_ja_first",
    "JB_ja_last",
    "JB_ja_step",
    "JB_ja_u_h_ids",
    "JB_ja_o_h_ids",
    "JB_ja_s_h_ids",
    "JB_ja_a_h_ids",
    "JB_jid_predecessor_list",
    NULL,
};

enum { KINDS = 5 };
static const struct {
    unsigned kind;
    char letter;
    const char *title;
} kinds[KINDS] = {
    { MINUS_H_TGT_USER, 'u', MSG_HOLDS_USER },
    { MINUS_H_TGT_OPERATOR, 'o', MSG_HOLDS_OPERATOR },
    { MINUS_H_TGT_SYSTEM, 's', MSG_HOLDS_SYSTEM },
    { HOLD_JID, 'j', MSG_HOLDS_JOB },
    { MINUS_H_TGT_JA_AD, 'a', MSG_HOLDS_ARRAY },
};

static const struct range_set *hold_set(const struct JB_Type *rec, unsigned kind)
{
    switch (kind) {
    case MINUS_H_TGT_USER:
        return &rec->JB_ja_u_h_ids;
    case MINUS_H_TGT_OPERATOR:
        return &rec->JB_ja_o_h_ids;
    case MINUS_H_TGT_SYSTEM:
        return &rec->JB_ja_s_h_ids;
    default:
        return &rec->JB_ja_a_h_ids;
    }
}

static bool has_kind(const struct JB_Type *rec, unsigned kind)
{
    return kind == HOLD_JID ? rec->JB_jid_predecessor_list.n > 0
                            : !range_set_is_empty(hold_set(rec, kind));
}

/* the kinds (MINUS_H_TGT_..., HOLD_JID) that lie on tasks of REC */
static unsigned job_holds_kinds(const struct JB_Type *rec)
{
    unsigned all = 0;
    for (size_t i = 0; i < KINDS; i++)
        if (has_kind(rec, kinds[i].kind))
            all |= kinds[i].kind;
    return all;
}

void job_holds_letters(unsigned all, struct dstr *out)
{
    for (size_t i = 0; i < KINDS; i++)
        if ((all & kinds[i].kind) != 0)
            dstr_addc(out, kinds[i].letter);
}

static void add_predecessors(const struct JRE_Type_list *list, struct dstr *out)
{
    dstr_add(out, MSG_HOLDS_WAITS);
    for (uint32_t i = 0; i < list->n && i < NAMED_MOST; i++)
        dstr_addf(out, "%s%u", i > 0 ? ", " : "", list->v[i].JRE_job_number);
    if (list->n > NAMED_MOST)
        dstr_add(out, ", ...");
}

static void add_held(const struct JB_Type *rec, unsigned kind, struct dstr *out)
{
    if (kind == HOLD_JID) {
        add_predecessors(&rec->JB_jid_predecessor_list, out);
    } else if (job_is_array(rec)) {
        dstr_add(out, MSG_HOLDS_TASKS);
        (void)job_ids_text_cut(rec, hold_set(rec, kind), TASKS_BYTES, out);
    } else {
        dstr_add(out, MSG_HOLDS_IT);
    }
}

void job_holds_text(const struct JB_Type *rec, struct dstr *out)
{
    unsigned all = job_holds_kinds(rec);
    if (all == 0)
        dstr_add(out, MSG_HOLDS_NONE "\n");
    for (size_t i = 0; i < KINDS; i++) {
        if ((all & kinds[i].kind) == 0)
            continue;
        dstr_addf(out, "%c  %s", kinds[i].letter, kinds[i].title);
        add_held(rec, kinds[i].kind, out);
        dstr_addc(out, '\n');
    }
}

/* ---- kinds on the board ---- */

void job_holds_take(struct board *b, const struct JB_Type *rec)
{
    struct board_job *job = board_job(b, rec->JB_job_number);
    if (job != NULL)
        board_set_holds(b, job, job_holds_kinds(rec));
}

void job_holds_ask(struct board *b, uint32_t most, struct range_set *out)
{
    range_set_free(out);
    for (struct board_job *job = board_first(b); most > 0 && job != NULL; job = board_next(job)) {
        uint32_t number = job->rec.JB_job_number;
        if (job->are_holds_asked || job->is_over || board_look(job, LOOK_HELD) == 0)
            continue;
        range_set_add(out, number, number);
        job->are_holds_asked = true;
        most--;
    }
}
