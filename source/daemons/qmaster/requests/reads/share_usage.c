/* What users have used in projects (tables/usage.h): GET for sge_share_mon(8), and DEL, which
 * clears it (qconf -clearusage). Both walk over the pairs in slices. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/trail.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/tables/connection.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { PART_PAIRS = 500, NAMED_MOST = 1000 };

struct usage_read {
    struct piece piece; /* waits in the lane of the connection that asked */
    uint64_t conn;
    uint32_t serial;
    bool is_clearing, has_begun;
    struct name_list chosen; /* users; none: all */
    struct walk walk;
    struct GA_Type answer; /* of one that clears */
};

static void add_entry(struct TX_Type *tx, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static void add_pair(struct qmaster *q, struct GA_Type *ga, const struct usage_pair *p)
{
    struct dstr text = DSTR_INIT;
    struct TX_Type *tx = cull_append(ga, GA_texts);
    cull_set(tx, TX_kind, (uint32_t)GDI_USER);
    cull_set(tx, TX_name, p->user);
    add_entry(tx, "project", p->project);
    dstr_addf(&text, "%llu", (unsigned long long)q->now_s);
    add_entry(tx, "time", dstr_get(&text));
    for (uint32_t k = 0; k < p->n; k++) {
        dstr_clear(&text);
        dstr_addf(&text, "%s=", q->usage.kinds[k].name);
        dstr_add_decimal(&text, usage_worth(&q->usage, p, k, q->now_s), 6);
        add_entry(tx, "used", dstr_get(&text));
        dstr_clear(&text);
        dstr_addf(&text, "%s=", q->usage.kinds[k].name);
        dstr_add_decimal(&text, usage_total(p, k), 6);
        add_entry(tx, "total", dstr_get(&text));
    }
    dstr_free(&text);
}

static bool is_chosen(const struct usage_read *rd, const char *user)
{
    for (uint32_t i = 0; i < rd->chosen.n; i++)
        if (strcmp(rd->chosen.v[i], user) == 0)
            return true;
    return rd->chosen.n == 0;
}

/* true when it is the last part */
static bool make_part(struct qmaster *q, struct usage_read *rd, struct GA_Type *ga)
{
    for (uint32_t n = 0; rd->walk.next != NULL; n++) {
        if (n > 0 && (n >= PART_PAIRS || slice_is_over(q)))
            return false;
        struct usage_pair *p = walk_take(&rd->walk, offsetof(struct usage_pair, hh));
        if (!rd->is_clearing)
            add_pair(q, ga, p);
        else if (is_chosen(rd, p->user))
            usage_reset(&q->usage, p);
    }
    return true;
}

static void usage_read_free(struct piece *p)
{
    struct usage_read *rd = (struct usage_read *)p;
    walk_end(&rd->walk);
    name_list_free(&rd->chosen);
    cull_clear(&cull_GA_Type, &rd->answer);
    free(rd);
}

static bool go_on(struct qmaster *q, struct piece *p)
{
    struct usage_read *rd = (struct usage_read *)p;
    struct GA_Type ga = { 0 };
    if (!rd->has_begun)
        walk_begin(&q->usage.walks, &rd->walk, q->usage.pairs);
    rd->has_begun = true;
    bool is_last = make_part(q, rd, &ga);
    if (!rd->is_clearing || is_last) {
        struct GA_Type *answer = rd->is_clearing ? &rd->answer : &ga;
        if (is_last)
            cull_set(answer, GA_is_last, true);
        change_answer(q, change_number(q), rd->conn, rd->serial, answer);
    }
    return is_last;
}

static const struct piece_kind usage_read_kind = { "usage of users", go_on, usage_read_free };

static struct usage_read *put_read(struct request *r)
{
    struct usage_read *rd = uti_calloc(1, sizeof *rd);
    rd->piece.kind = &usage_read_kind;
    rd->conn = r->from->conn;
    rd->serial = r->serial;
    lane_put_piece(r->from->lane, &rd->piece);
    r->is_answered_later = true;
    return rd;
}

void get_usage_request(struct qmaster *q SGE_UNUSED, struct request *r)
{
    (void)put_read(r);
}

/* ---- qconf -clearusage ---- */

static void say_cleared(struct request *r, const char *name, const char *list)
{
    ans_info(&r->ans, MSG_CONFIG_DID_SSSSSS, r->from->who.user, r->from->who.host, "modified", name,
             "in", list);
}

/* the objects of KIND that are chosen, the first of them by name */
static void say_objects(struct qmaster *q, struct request *r, const struct usage_read *rd,
                        enum gdi_target kind, const char *list)
{
    struct text_object *t, *next;
    uint32_t n = 0;
    HASH_ITER(hh, q->settings.texts[kind], t, next) {
        if (n == NAMED_MOST)
            break;
        if (is_chosen(rd, t->rec.TX_name)) {
            say_cleared(r, t->rec.TX_name, list);
            n++;
        }
    }
    if (n == NAMED_MOST)
        ans_info(&r->ans, MSG_USAGE_MORE_SU, list, (unsigned)NAMED_MOST);
}

static bool is_known(struct qmaster *q, const char *user)
{
    struct usage_user *own;
    HASH_FIND_STR(q->usage.users, user, own);
    return own != NULL || settings_text(&q->settings, GDI_USER, user) != NULL;
}

void clear_usage_request(struct qmaster *q, struct request *r)
{
    if (right_to_configure(q, &r->from->who, &r->ans) != 0)
        return;
    if (r->gr.GR_select.n > NAMED_MOST) {
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_USAGE_USERS_UU,
                r->gr.GR_select.n, (unsigned)NAMED_MOST);
        return;
    }
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++)
        if (!is_known(q, request_selected(r, i))) {
            ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_CONFIG_UNKNOWN_SS, "user",
                    request_selected(r, i));
            return;
        }
    struct usage_read *rd = put_read(r);
    rd->is_clearing = true;
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        const char *user = request_selected(r, i);
        name_list_add(&rd->chosen, user, strlen(user));
    }
    say_objects(q, r, rd, GDI_USER, "user list");
    if (rd->chosen.n == 0)
        say_objects(q, r, rd, GDI_PROJECT, "project list");
    trail_note(q, r);
    request_texts(&r->ans, &rd->answer);
}
