/* From spans to states in time. A day has a plan: its seconds cut at the ends of the spans that
 * mean the day, each piece with the state of the span that decides there: one of the year before
 * those of the week, and of several the one that is written last. Days are walked from one change
 * to the next; where eight days in a row have the same spans of the year and no change, the next
 * change is not before another span of the year begins or ends.
 * Local time is asked of the C library for each step, so that a step that a change of the offset
 * cuts short ends there. Zones change their offset at most once within a day. */
#include "libs/config/calendar_time.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libs/uti/alloc.h"

enum { DAY_S = 86400, WEEK_DAYS = 7, QUIET_DAYS = WEEK_DAYS + 1 };

/* ---- dates ---- */
struct local {
    uint32_t date; /* 20301231 */
    uint32_t weekday, second;
    long offset; /* to UTC */
};

static struct local local_of(uint64_t at_s)
{
    time_t at = (time_t)at_s;
    struct tm tm = { 0 };
    if (localtime_r(&at, &tm) == NULL)
        return (struct local){ .date = 19700101 };
    uint32_t second = (uint32_t)(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec);
    return (struct local){
        .date = (uint32_t)((tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday),
        .weekday = (uint32_t)(tm.tm_wday + WEEK_DAYS - 1) % WEEK_DAYS,
        .second = second < DAY_S ? second : DAY_S - 1,
        .offset = tm.tm_gmtoff,
    };
}

static uint32_t leap_days_before(uint32_t year)
{
    year--;
    return year / 4 - year / 100 + year / 400;
}

/* days since a day long ago */
static uint32_t day_number(uint32_t date)
{
    static const uint16_t before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    uint32_t year = date / 10000, month = date / 100 % 100, day = date % 100;
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return year * 365 + leap_days_before(year) + before[month - 1] + day +
           (is_leap && month > 2 ? 1 : 0);
}

/* ---- the plan of a day ---- */
struct piece_of_day {
    uint32_t from_s;
    enum calendar_state state;
};
struct plan {
    const struct CAL_Type *calendar;
    struct piece_of_day *v; /* in order, neighbours with different states; the first is at 0 */
    uint32_t n, cap;
    const struct CA_Type **spans; /* those of the day, the one that decides first */
    uint32_t n_spans, cap_spans;
    uint32_t *cuts, *next; /* where states may change; for each the next without one */
    uint32_t n_cuts, cap_cuts, cap_next;
    uint64_t looked; /* spans */
};

static void plan_free(struct plan *p)
{
    free(p->v);
    free(p->spans);
    free(p->cuts);
    free(p->next);
}

static void add_span(struct plan *p, const struct CA_Type *span)
{
    p->spans = uti_vec_grow(p->spans, &p->cap_spans, p->n_spans + 1, sizeof *p->spans);
    p->spans[p->n_spans++] = span;
}

static void find_spans(struct plan *p, const struct local *day)
{
    const struct CA_Type_list *year = &p->calendar->CAL_year_calendar,
                              *week = &p->calendar->CAL_week_calendar;
    p->n_spans = 0;
    for (uint32_t i = year->n; i-- > 0;)
        if (year->v[i].CA_first_day <= day->date && day->date <= year->v[i].CA_last_day)
            add_span(p, &year->v[i]);
    for (uint32_t i = week->n; i-- > 0;)
        if ((week->v[i].CA_weekdays & (1u << day->weekday)) != 0)
            add_span(p, &week->v[i]);
    p->looked += year->n + week->n + 1;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_cut(struct plan *p, uint32_t at_s)
{
    p->cuts = uti_vec_grow(p->cuts, &p->cap_cuts, p->n_cuts + 1, sizeof *p->cuts);
    p->cuts[p->n_cuts++] = at_s;
}

static void find_cuts(struct plan *p)
{
    uint32_t n = 0;
    p->n_cuts = 0;
    add_cut(p, 0);
    add_cut(p, DAY_S);
    for (uint32_t i = 0; i < p->n_spans; i++) {
        add_cut(p, p->spans[i]->CA_from_s);
        add_cut(p, p->spans[i]->CA_to_s);
    }
    qsort(p->cuts, p->n_cuts, sizeof *p->cuts, compare_numbers);
    for (uint32_t i = 0; i < p->n_cuts; i++)
        if (n == 0 || p->cuts[i] != p->cuts[n - 1])
            p->cuts[n++] = p->cuts[i];
    p->n_cuts = n;
}

static uint32_t cut_at(const struct plan *p, uint32_t at_s)
{
    const uint32_t *found = bsearch(&at_s, p->cuts, p->n_cuts, sizeof *p->cuts, compare_numbers);
    return (uint32_t)(found - p->cuts);
}

/* the first piece from I on that has no state yet; shortens the ways that it goes */
static uint32_t next_open(struct plan *p, uint32_t i)
{
    uint32_t end = i;
    while (p->next[end] != end)
        end = p->next[end];
    while (p->next[i] != end) {
        uint32_t after = p->next[i];
        p->next[i] = end;
        i = after;
    }
    return end;
}

/* STATES, one for each cut, get that of SPAN where they have none */
static void paint_span(struct plan *p, const struct CA_Type *span)
{
    uint32_t end = cut_at(p, span->CA_to_s);
    for (uint32_t i = next_open(p, cut_at(p, span->CA_from_s)); i < end; i = next_open(p, i)) {
        p->v[i].state = (enum calendar_state)span->CA_state;
        p->next[i] = i + 1;
    }
}

static void merge_pieces(struct plan *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i + 1 < p->n_cuts; i++)
        if (n == 0 || p->v[n - 1].state != p->v[i].state)
            p->v[n++] = p->v[i];
    p->n = n;
}

static void plan_day(struct plan *p, const struct local *day)
{
    find_spans(p, day);
    find_cuts(p);
    p->v = uti_vec_grow(p->v, &p->cap, p->n_cuts, sizeof *p->v);
    p->next = uti_vec_grow(p->next, &p->cap_next, p->n_cuts, sizeof *p->next);
    for (uint32_t i = 0; i < p->n_cuts; i++) {
        p->v[i] = (struct piece_of_day){ p->cuts[i], CALENDAR_ON };
        p->next[i] = i;
    }
    for (uint32_t i = 0; i < p->n_spans; i++)
        paint_span(p, p->spans[i]);
    merge_pieces(p);
}

static uint32_t piece_at(const struct plan *p, uint32_t second)
{
    uint32_t low = 0, high = p->n;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        *(p->v[middle].from_s <= second ? &low : &high) = middle;
    }
    return low;
}

/* ---- the walk ---- */
struct walk_of_days {
    struct plan plan;
    uint64_t at_s;
    struct local here;
    uint32_t quiet; /* midnights without a change since the spans of the year were others */
};

static void arrive_at(struct walk_of_days *w, uint64_t at_s)
{
    uint32_t date = w->here.date;
    w->at_s = at_s;
    w->here = local_of(at_s);
    if (w->here.date != date)
        plan_day(&w->plan, &w->here);
}

static enum calendar_state state_here(const struct walk_of_days *w)
{
    return w->plan.v[piece_at(&w->plan, w->here.second)].state;
}

/* the first second after FROM_S, and not after TO_S, at which the offset is not OFFSET; it is not
 * at TO_S */
static uint64_t offset_change(uint64_t from_s, uint64_t to_s, long offset)
{
    while (to_s - from_s > 1) {
        uint64_t middle = from_s + (to_s - from_s) / 2;
        *(local_of(middle).offset == offset ? &from_s : &to_s) = middle;
    }
    return to_s;
}

/* to where the state may differ: the next piece, the next day, or another offset */
static void go_on(struct walk_of_days *w)
{
    uint32_t piece = piece_at(&w->plan, w->here.second);
    uint32_t end = piece + 1 < w->plan.n ? w->plan.v[piece + 1].from_s : DAY_S;
    uint64_t to_s = w->at_s + (end - w->here.second);
    if (local_of(to_s).offset != w->here.offset)
        to_s = offset_change(w->at_s, to_s, w->here.offset);
    arrive_at(w, to_s);
}

/* the days on which spans of the year begin, or are over: is DATE one, and the first after it; 0
 * if there is none */
static uint32_t next_edge(const struct CAL_Type *calendar, uint32_t date, bool *is_one)
{
    const struct CA_Type_list *year = &calendar->CAL_year_calendar;
    uint32_t today = day_number(date), next = 0;
    *is_one = false;
    for (uint32_t i = 0; i < year->n; i++) {
        uint32_t edges[] = { day_number(year->v[i].CA_first_day),
                             day_number(year->v[i].CA_last_day) + 1 };
        for (size_t k = 0; k < ARRAY_LEN(edges); k++) {
            *is_one |= edges[k] == today;
            if (edges[k] > today && (next == 0 || edges[k] < next))
                next = edges[k];
        }
    }
    return next;
}

/* a new day has begun; false: nothing changes any more */
static bool leap_days(struct walk_of_days *w)
{
    bool is_edge;
    uint32_t edge = next_edge(w->plan.calendar, w->here.date, &is_edge);
    w->quiet = is_edge ? 0 : w->quiet + 1;
    if (w->quiet < QUIET_DAYS)
        return true;
    uint32_t days = edge != 0 ? edge - day_number(w->here.date) : 0;
    if (days > 1) /* the day before: its offset may be another */
        arrive_at(w, w->at_s + (uint64_t)(days - 1) * DAY_S);
    w->quiet = 0;
    return edge != 0;
}

static void walk_begin(struct walk_of_days *w, const struct CAL_Type *calendar, uint64_t at_s)
{
    *w = (struct walk_of_days){ .plan = { .calendar = calendar } };
    arrive_at(w, at_s);
}

struct calendar_outlook calendar_look(const struct CAL_Type *calendar, uint64_t at_s)
{
    struct walk_of_days w;
    walk_begin(&w, calendar, at_s);
    struct calendar_outlook out = { .state = state_here(&w), .until_s = CALENDAR_FOR_EVER };
    bool goes_on = true;
    while (goes_on && state_here(&w) == out.state && w.plan.looked < CALENDAR_LOOK_MOST) {
        uint32_t date = w.here.date;
        go_on(&w);
        if (state_here(&w) == out.state && w.here.date != date)
            goes_on = leap_days(&w);
    }
    if (goes_on)
        out.until_s = w.at_s;
    out.is_change = goes_on && state_here(&w) != out.state;
    plan_free(&w.plan);
    return out;
}

enum calendar_state calendar_state_at(const struct CAL_Type *calendar, uint64_t at_s)
{
    struct walk_of_days w;
    walk_begin(&w, calendar, at_s);
    enum calendar_state state = state_here(&w);
    plan_free(&w.plan);
    return state;
}

bool calendar_stays_on(const struct CAL_Type *calendar, uint64_t from_s, uint64_t until_s)
{
    enum { CHANGES_MOST = 1000 };
    uint64_t at_s = from_s;
    for (int i = 0; i < CHANGES_MOST && at_s < until_s; i++) {
        struct calendar_outlook look = calendar_look(calendar, at_s);
        if (look.state != CALENDAR_ON)
            return false;
        at_s = look.until_s;
    }
    return at_s >= until_s;
}
