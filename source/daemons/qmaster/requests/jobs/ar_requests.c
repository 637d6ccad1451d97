/* Requests for advance reservations: ADD (qrsub), DEL (qrdel), GET (qrstat). A reservation is
 * granted or refused at once: the queue instances are looked at in slices, and what they have room
 * for during its time is looked at once more, and booked, in one step: a slice has one environment,
 * or some queue instances. */
#include <inttypes.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/jobs/ar_books.h"
#include "daemons/qmaster/jobs/ar_life.h"
#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/requests/explain/lacks.h"
#include "daemons/qmaster/requests/jobs/job_check.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/access.h"
#include "libs/config/calendar_time.h"
#include "libs/config/qinstance.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/supply/spread.h"
#include "libs/sched/why.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_select.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

enum { DAY_S = 86400 };

/* ---- what is asked for ---- */
static int check_order(struct qmaster *q, const struct AR_Type *ar, bool has_start,
                       struct answer *ans)
{
    if (has_start && ar->AR_start_time < q->now_s)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_PAST);
    if (ar->AR_start_time >= ar->AR_end_time)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_ORDER);
    if (ar->AR_end_time - q->now_s > AR_AHEAD_MOST_S)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_AHEAD_U, AR_AHEAD_MOST_S / (unsigned)DAY_S);
    return 0;
}

/* two of start, end and duration give the third; without a start it is now */
static int check_times(struct qmaster *q, struct AR_Type *ar, struct answer *ans)
{
    bool has_start = ar->AR_start_time != 0, has_end = ar->AR_end_time != 0;
    uint64_t most_s = q->now_s + AR_AHEAD_MOST_S, duration_s = ar->AR_duration;
    if (!has_end && duration_s == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_NO_END);
    if (duration_s > most_s)
        duration_s = most_s;
    if (!has_start && has_end && duration_s != 0 && duration_s < ar->AR_end_time)
        cull_set(ar, AR_start_time, ar->AR_end_time - duration_s);
    else if (!has_start)
        cull_set(ar, AR_start_time, q->now_s);
    if (!has_end)
        cull_set(ar, AR_end_time, ar->AR_start_time + duration_s);
    if (check_order(q, ar, has_start || (has_end && duration_s != 0), ans) != 0)
        return -1;
    if (duration_s != 0 && ar->AR_end_time - ar->AR_start_time != duration_s)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_DIFFERENCE);
    return 0;
}

static int check_limits(struct qmaster *q, const struct identity *who, struct answer *ans)
{
    uint32_t mine = 0;
    if (q->ars.n >= AR_CELL_MOST)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_AR_MAX_U, (unsigned)AR_CELL_MOST);
    for (const struct ar *ar = q->ars.all; ar != NULL; ar = ar->hh.next)
        mine += strcmp(ar->rec.AR_owner, who->user) == 0;
    if (mine >= AR_USER_MOST && !right_manage(q, who))
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_AR_MAX_USER_SU, who->user,
                        (unsigned)AR_USER_MOST);
    return 0;
}

static int check_users(struct qmaster *q, const struct ST_Type_list *acl, struct answer *ans)
{
    if (acl->n > AR_USERS_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_USERS_UU, acl->n, (unsigned)AR_USERS_MOST);
    for (uint32_t i = 0; i < acl->n; i++) {
        const char *name = acl->v[i].ST_name != NULL ? acl->v[i].ST_name : "";
        name += *name == '!';
        if (*name == '@' && settings_text(&q->settings, GDI_USERSET, name + 1) == NULL)
            return ans_fail(ans, STATUS_EUNKNOWN, MSG_AR_NO_SET_S, name + 1);
        if (*name != '@' && object_name_check(name, ans) != 0)
            return -1;
    }
    return 0;
}

static int check_request(struct qmaster *q, struct request *r)
{
    struct AR_Type *ar = r->gr.GR_ars.n == 1 ? &r->gr.GR_ars.v[0] : NULL;
    const struct identity *who = &r->from->who;
    if (right_to_reserve(q, who, &r->ans) != 0)
        return -1;
    if (ar == NULL || ar->AR_request.n > 1)
        return ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_AR_NONE);
    if (ar->AR_request.n == 0)
        (void)cull_append(ar, AR_request);
    if (check_times(q, ar, &r->ans) != 0 || check_limits(q, who, &r->ans) != 0 ||
        check_users(q, &ar->AR_acl_list, &r->ans) != 0 ||
        job_check_reservation(q, who, &ar->AR_request.v[0], &r->ans) != 0)
        return -1;
    return job_check_bytes(&ar->AR_request.v[0], ar->AR_acl_list.n * sizeof(void *), 0, &r->ans) > 0
               ? 0
               : -1;
}

/* ---- where it could be ---- */
/* a queue instance with room for some slots */
struct candidate {
    char *name; /* owned */
    uint64_t room;
    uint32_t seq_no;
    uint32_t next; /* of its host, in one environment */
    double load;
};
struct ar_search {
    struct step_state state; /* first */
    struct walk queues;
    struct candidate *v;
    uint32_t n, cap;
    struct ST_Type_list pes; /* the environments that are meant */
    uint32_t at;             /* the candidate, or the environment, that is tried next */
    bool is_late;            /* what was looked at may have changed */
};

static void search_free(struct step_state *state)
{
    struct ar_search *s = (struct ar_search *)state;
    walk_end(&s->queues);
    for (uint32_t i = 0; i < s->n; i++)
        free(s->v[i].name);
    free(s->v);
    cull_list_clear(&cull_ST_Type, &s->pes);
    free(s);
}

/* may it be there at all? What is closed by its load, or by other queues, may be open then. */
static bool is_usable(const struct qinstance *qi)
{
    enum {
        CLOSED = QI_DISABLED | QI_SUSPENDED | QI_UNKNOWN | QI_ERROR | QI_AMBIGUOUS | QI_ORPHANED
    };
    return qinstance_is_there(qi) && (qinstance_state(qi) & CLOSED) == 0;
}

/* does the calendar of QI leave it open during all of SPAN? */
static bool calendar_allows(struct qmaster *q, const struct qinstance *qi, struct time_span span)
{
    const struct text_object *t =
        qi->calendar != NULL ? settings_text(&q->settings, GDI_CALENDAR, qi->calendar->name) : NULL;
    return t == NULL || t->record == NULL ||
           calendar_stays_on(t->record, span.from_s, span.until_s);
}

static bool queue_suits(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                        struct time_span span)
{
    struct QU_Type view = qi->rec; /* shares its members */
    struct dstr why = DSTR_INIT;
    view.QU_state = 0;
    view.QU_slots_used = 0;
    bool suits = is_usable(qi) && !queue_why_not(&view, request, &why) &&
                 lacks_why(q, qi, request, true, &why) == REFUSES_NOT &&
                 calendar_allows(q, qi, span);
    dstr_free(&why);
    return suits;
}

/* for how many slots of REQUEST, as far as what is taken for each slot decides */
static uint64_t slots_room(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                           struct time_span span)
{
    struct job of = { .rec = *request }; /* borrows */
    struct place *one = uti_calloc(1, sizeof *one);
    struct places places = { .v = one, .n = 1 };
    *one = (struct place){ .qi = qi, .slots = 1 };
    bookings_plan(q, &places, &of);
    const struct demand d = { .n = one->n_parts, .parts = one->parts };
    uint64_t room = ars_room(q, qi, &d, UINT64_MAX, span);
    places_clear(&places);
    return room;
}

static struct time_span span_of(const struct AR_Type *ar)
{
    return (struct time_span){ ar->AR_start_time, ar->AR_end_time };
}

static void look_at(struct qmaster *q, struct ar_search *s, struct qinstance *qi,
                    const struct AR_Type *ar)
{
    const struct JB_Type *request = &ar->AR_request.v[0];
    uint64_t room =
        queue_suits(q, qi, request, span_of(ar)) ? slots_room(q, qi, request, span_of(ar)) : 0;
    if (room == 0)
        return;
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = (struct candidate){ uti_strdup(qi->rec.QU_full_name), room, qi->rec.QU_seq_no, 0,
                                       qi->host->load };
}

static int candidate_order(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->seq_no != y->seq_no)
        return x->seq_no < y->seq_no ? -1 : 1;
    if (x->load != y->load)
        return x->load < y->load ? -1 : 1;
    return strcmp(x->name, y->name);
}

static enum step_result begin_ar(struct qmaster *q, struct request *r)
{
    if (check_request(q, r) != 0)
        return STEP_LAST;
    struct ar_search *s = uti_calloc(1, sizeof *s);
    s->state.free = search_free;
    r->state = &s->state;
    walk_begin(&q->queues.walks, &s->queues, q->queues.instances);
    return STEP_NEXT;
}

static void find_pes(struct qmaster *q, struct ar_search *s, const char *pattern)
{
    const struct text_object *pe = pattern != NULL ? q->settings.texts[GDI_PE] : NULL;
    for (; pe != NULL; pe = pe->hh.next)
        if (pattern_match(pattern, pe->rec.TX_name))
            cull_set((struct ST_Type *)cull_push(&s->pes), ST_name, pe->rec.TX_name);
}

static enum step_result search_ar(struct qmaster *q, struct request *r)
{
    struct ar_search *s = (struct ar_search *)r->state;
    struct qinstance *qi;
    while ((qi = walk_take(&s->queues, offsetof(struct qinstance, hh))) != NULL) {
        look_at(q, s, qi, &r->gr.GR_ars.v[0]);
        if (slice_is_over(q))
            return STEP_WAIT_SLICE;
    }
    if (s->n > 0)
        qsort(s->v, s->n, sizeof *s->v, candidate_order);
    find_pes(q, s, r->gr.GR_ars.v[0].AR_request.v[0].JB_pe);
    return STEP_NEXT;
}

/* ---- where it is ---- */
static void places_add(struct places *out, struct qinstance *qi, uint32_t slots)
{
    out->v[out->n++] = (struct place){ .qi = qi, .slots = slots };
}

static struct places places_new(uint32_t n, struct text_object *pe)
{
    return (struct places){ .v = uti_calloc((size_t)n + 1, sizeof(struct place)), .pe = pe };
}

/* the whole of it, as of a task with these slots */
static bool places_fit(struct qmaster *q, const struct ar_search *s, const struct AR_Type *ar,
                       struct places *places)
{
    struct job of = { .rec = ar->AR_request.v[0] }; /* borrows */
    bool suits = places->n > 0 && places->n <= AR_PLACES_MOST;
    for (uint32_t i = 0; s->is_late && suits && i < places->n; i++)
        suits = queue_suits(q, places->v[i].qi, &of.rec, span_of(ar));
    if (!suits)
        return false;
    bookings_plan(q, places, &of);
    places->job = NULL;
    return ars_fit(q, places, span_of(ar));
}

static bool place_at(struct qmaster *q, const struct ar_search *s, const struct AR_Type *ar,
                     const struct candidate *at, struct places *out)
{
    struct qinstance *qi = queues_instance(&q->queues, at->name);
    if (qi == NULL)
        return false;
    *out = places_new(1, NULL);
    places_add(out, qi, 1);
    bool is_placed = places_fit(q, s, ar, out);
    if (!is_placed)
        places_clear(out);
    return is_placed;
}

/* which site a host is */
struct host_site {
    const struct host *host; /* the key */
    uint32_t site, last;     /* its last candidate so far */
    UT_hash_handle hh;
};

static void host_sites_free(struct host_site *all)
{
    struct host_site *h, *next;
    HASH_ITER(hh, all, h, next) {
        HASH_DEL(all, h);
        free(h);
    }
}

/* the sites of PE: a host each, the best first; AT is its first candidate, and others are chained
 * to that */
static uint32_t find_sites(struct qmaster *q, struct ar_search *s, const struct AR_Type *ar,
                           const char *pe, struct spread_site *sites)
{
    const struct JB_Type *request = &ar->AR_request.v[0];
    struct host_site *all = NULL, *h;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct qinstance *qi = queues_instance(&q->queues, s->v[i].name);
        if (qi == NULL || !pe_list_has(qi->rec.QU_pe_list, pe))
            continue;
        HASH_FIND(hh, all, &qi->host, sizeof qi->host, h);
        if (h != NULL) {
            s->v[h->last].next = i;
        } else {
            h = uti_calloc(1, sizeof *h);
            h->host = qi->host;
            h->site = n;
            HASH_ADD(hh, all, host, sizeof h->host, h);
            sites[n++] = (struct spread_site){ .at = i };
        }
        h->last = i;
        s->v[i].next = s->n;
        sites[h->site].room += s->v[i].room;
        sites[h->site].may_lead |= queue_match_any(&request->JB_master_hard_queue_list,
                                                   qi->rec.QU_full_name, &qi->rec.QU_hostgroups);
    }
    host_sites_free(all);
    return n;
}

/* the slots of a host go to its candidates in their order */
static void fill_site(struct qmaster *q, const struct ar_search *s, const struct spread_site *site,
                      struct places *out)
{
    uint32_t left = site->n_slots;
    for (uint32_t i = site->at; i < s->n && left > 0; i = s->v[i].next) {
        uint32_t slots = (uint32_t)smaller_u64(left, s->v[i].room);
        places_add(out, queues_instance(&q->queues, s->v[i].name), slots);
        left -= slots;
    }
}

static bool place_in_pe(struct qmaster *q, struct ar_search *s, const struct AR_Type *ar,
                        struct text_object *pe, struct places *out)
{
    const struct PE_Type *record = pe->record;
    const struct JB_Type *request = &ar->AR_request.v[0];
    struct spread_site *sites = uti_calloc((size_t)s->n + 1, sizeof *sites);
    uint32_t n = find_sites(q, s, ar, pe->rec.TX_name, sites);
    bool is_admitted =
        access_admits(&record->PE_user_list, &record->PE_xuser_list, request->JB_user_sets);
    uint64_t most = ars_room_in_pe(q, pe, UINT64_MAX, span_of(ar));
    uint32_t slots = is_admitted && n > 0
                         ? spread_slots(spread_rule_read(record->PE_allocation_rule), sites, n,
                                        most, &request->JB_pe_range)
                         : 0;
    *out = places_new(s->n, pe);
    for (uint32_t i = 0; slots > 0 && i < n; i++)
        fill_site(q, s, &sites[i], out);
    free(sites);
    bool is_placed = slots > 0 && places_fit(q, s, ar, out);
    if (!is_placed)
        places_clear(out);
    return is_placed;
}

/* the next candidate, or the next environment; a slice has one of these at least */
static bool place_next(struct qmaster *q, struct ar_search *s, const struct AR_Type *ar,
                       struct places *out)
{
    uint32_t at = s->at++;
    if (s->pes.n == 0)
        return place_at(q, s, ar, &s->v[at], out);
    struct text_object *pe = settings_text(&q->settings, GDI_PE, s->pes.v[at].ST_name);
    return pe != NULL && place_in_pe(q, s, ar, pe, out);
}

/* STEP_NEXT: nowhere */
static enum step_result place_ar(struct qmaster *q, struct ar_search *s, const struct AR_Type *ar,
                                 struct places *out)
{
    uint32_t n = ar->AR_request.v[0].JB_pe != NULL ? s->pes.n : s->n;
    while (s->at < n) {
        if (place_next(q, s, ar, out))
            return STEP_LAST;
        if (slice_is_over(q))
            return STEP_WAIT_SLICE;
    }
    return STEP_NEXT;
}

static uint32_t set_granted(struct AR_Type *ar, const struct places *places)
{
    struct JG_Type_list *granted = &ar->AR_granted;
    uint32_t slots = 0;
    cull_clear_field(&cull_AR_Type, ar, AR_granted);
    cull_mark(ar, AR_granted);
    for (uint32_t i = 0; i < places->n; i++) {
        const struct place *place = &places->v[i];
        allocation_add(granted, place->qi->rec.QU_full_name, place->qi->rec.QU_qhostname,
                       place->slots);
        for (uint32_t k = 0; k < place->taken.n; k++)
            cull_copy(&cull_TK_Type, cull_append(&granted->v[i], JG_taken), &place->taken.v[k]);
        slots += place->slots;
    }
    if (places->pe != NULL)
        allocation_set_pe(granted, places->pe->rec.TX_name);
    return slots;
}

static void enter_ar(struct qmaster *q, struct request *r)
{
    struct AR_Type *ar = &r->gr.GR_ars.v[0];
    const struct identity *who = &r->from->who;
    cull_set(ar, AR_id, ++q->ars.last_id);
    cull_set(ar, AR_owner, who->user);
    cull_set(ar, AR_group, who->group);
    cull_set(ar, AR_uid, (uint32_t)who->uid);
    cull_set(ar, AR_submission_time, q->now_s);
    cull_set(ar, AR_state, (uint32_t)AR_WAITING);
    cull_clear_field(&cull_AR_Type, ar, AR_messages);
    uint32_t id = ar->AR_id;
    if (ar_enter(q, ar) != NULL)
        ans_info(&r->ans, MSG_AR_GRANTED_U, id);
    else
        ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_AR_NO_QUEUES);
}

static void refuse_ar(struct request *r, bool is_verified)
{
    if (is_verified)
        ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_NO_SUITABLE_VERIFIED);
    else
        ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_AR_NO_QUEUES);
}

static enum step_result grant_ar(struct qmaster *q, struct request *r)
{
    struct AR_Type *ar = &r->gr.GR_ars.v[0];
    const struct JB_Type *request = &ar->AR_request.v[0];
    struct ar_search *s = (struct ar_search *)r->state;
    bool is_verified = request->JB_verify_suitable_queues >= VERIFY_ONLY;
    struct places places = { 0 };
    if (!renewals_are_over(q, q->last_renewal)) /* queue instances are not yet as they will be */
        return STEP_WAIT_SLICE;
    if (r->has_waited && check_limits(q, &r->from->who, &r->ans) != 0)
        return STEP_LAST;
    s->is_late = r->has_waited;
    enum step_result placed = place_ar(q, s, ar, &places);
    if (placed == STEP_WAIT_SLICE)
        return STEP_WAIT_SLICE;
    if (placed == STEP_NEXT) {
        refuse_ar(r, is_verified);
        return STEP_LAST;
    }
    uint32_t slots = set_granted(ar, &places);
    places_clear(&places);
    if (!is_verified)
        enter_ar(q, r);
    else if (request->JB_pe != NULL)
        ans_info(&r->ans, MSG_AR_FOUND_U, slots);
    else
        ans_info(&r->ans, MSG_VERIFIED);
    return STEP_LAST;
}

void add_ar_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { begin_ar, search_ar, grant_ar, NULL };
    request_run(q, r, steps);
}

/* ---- DEL ---- */
static bool may_delete(struct qmaster *q, const struct identity *who, const struct ar *ar)
{
    return strcmp(ar->rec.AR_owner, who->user) == 0 || right_manage(q, who);
}

static void delete_one(struct qmaster *q, struct request *r, struct ar *ar, const char *word)
{
    const struct identity *who = &r->from->who;
    uint32_t id = ar->rec.AR_id;
    if (!may_delete(q, who, ar)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_AR_NOT_OWNER_SS, who->user, word);
        return;
    }
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    if (is_forced)
        ar_force(q, ar);
    if (is_forced || ar_end(q, ar, "d:DELETED", "AR deleted"))
        ans_info(&r->ans, MSG_AR_DELETED_SU, who->user, id);
    else
        ans_info(&r->ans, MSG_AR_REGISTERED_SU, who->user, id);
}

static bool is_called(const struct ar *ar, const char *name, const char *owner)
{
    const char *own = ar_request(ar)->JB_job_name;
    return own != NULL && *own != '\0' && strcmp(own, name) == 0 &&
           strcmp(ar->rec.AR_owner, owner) == 0;
}

/* the one with that number, or the own ones of that name */
static void delete_word(struct qmaster *q, struct request *r, const char *word)
{
    struct ar *ar, *next;
    uint32_t id, n = 0;
    if (parse_u32(word, &id) && (ar = ars_find(&q->ars, id)) != NULL) {
        delete_one(q, r, ar, word);
        return;
    }
    HASH_ITER(hh, q->ars.all, ar, next)
        if (is_called(ar, word, r->from->who.user)) {
            delete_one(q, r, ar, word);
            n++;
        }
    if (n == 0)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_AR_NOT_THERE_S, word);
}

static bool is_of_users(const struct ar *ar, const struct ST_Type_list *users)
{
    for (uint32_t i = 0; i < users->n; i++)
        if (users->v[i].ST_name != NULL && pattern_match(users->v[i].ST_name, ar->rec.AR_owner))
            return true;
    return false;
}

static void say_none(struct request *r)
{
    struct dstr users = DSTR_INIT;
    for (uint32_t i = 0; i < r->gr.GR_users.n; i++)
        dstr_addf(&users, "%s%s", i > 0 ? "," : "", r->gr.GR_users.v[i].ST_name);
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_AR_NO_USERS_S, dstr_get(&users));
    dstr_free(&users);
}

static void delete_of_users(struct qmaster *q, struct request *r)
{
    struct ar *ar, *next;
    struct dstr word = DSTR_INIT;
    uint32_t n = 0;
    HASH_ITER(hh, q->ars.all, ar, next) {
        if (!is_of_users(ar, &r->gr.GR_users))
            continue;
        dstr_clear(&word);
        dstr_addf(&word, "%" PRIu32, ar->rec.AR_id);
        delete_one(q, r, ar, dstr_get(&word));
        n++;
    }
    dstr_free(&word);
    if (n == 0)
        say_none(r);
}

void delete_ar_request(struct qmaster *q, struct request *r)
{
    if (right_to_reserve(q, &r->from->who, &r->ans) != 0)
        return;
    if (r->gr.GR_select.n == 0 && r->gr.GR_users.n == 0) {
        ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_AR_NO_SELECTION);
        return;
    }
    for (uint32_t i = 0; i < r->gr.GR_select.n && i < AR_CELL_MOST; i++)
        delete_word(q, r, request_selected(r, i));
    if (r->gr.GR_users.n > 0)
        delete_of_users(q, r);
}

/* ---- GET ---- */
static bool is_wanted(const struct request *r, const struct ar *ar)
{
    uint32_t id;
    if (r->gr.GR_users.n > 0 && !is_of_users(ar, &r->gr.GR_users))
        return false;
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++)
        if (parse_u32(request_selected(r, i), &id) && id == ar->rec.AR_id)
            return true;
    return r->gr.GR_select.n == 0;
}

/* of a list without what only the view of one shows */
static void add_ar(struct request *r, const struct ar *ar)
{
    static const unsigned fields[] = { AR_id,       AR_owner, AR_start_time,
                                       AR_end_time, AR_state, AR_submission_time };
    struct AR_Type *rec = cull_append(&r->ga, GA_ars);
    cull_mark(rec, AR_messages);
    ar_explain(ar, &rec->AR_messages);
    if (r->gr.GR_select.n > 0) {
        struct ST_Type_list messages = rec->AR_messages;
        rec->AR_messages = (struct ST_Type_list){ 0 };
        cull_copy(&cull_AR_Type, rec, &ar->rec);
        cull_mark(rec, AR_messages);
        rec->AR_messages = messages;
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        cull_copy_field(&cull_AR_Type, rec, &ar->rec, fields[i]);
    struct JB_Type *request = cull_append(rec, AR_request);
    cull_copy_field(&cull_JB_Type, request, ar_request(ar), JB_job_name);
}

/* a part for each slice; R->at is the number of the last one */
static enum step_result get_ars(struct qmaster *q, struct request *r)
{
    enum { PLACES_OF_PART = 1000 };
    uint32_t work = 0;
    for (const struct ar *ar = q->ars.all; ar != NULL; ar = ar->hh.next) {
        if (ar->rec.AR_id <= r->at || !is_wanted(r, ar))
            continue;
        add_ar(r, ar);
        r->at = ar->rec.AR_id;
        work += 1 + ar->n_places;
        if (work >= PLACES_OF_PART || slice_is_over(q))
            return STEP_WAIT_PART;
    }
    return STEP_LAST;
}

void get_ars_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { get_ars, NULL };
    request_run(q, r, steps);
}
