/* Weeks as grids. Days with the same half hours in a state share an entry of the text. */
#include "libs/view/week_grid.h"

#include <string.h>

#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"

enum { HALF_S = 1800, MINUTES = 30 };

/* ---- reading ---- */

static void put_span(struct week_grid *g, const struct CA_Type *span)
{
    unsigned first = (span->CA_from_s + HALF_S - 1) / HALF_S;
    unsigned end = (span->CA_to_s + HALF_S - 1) / HALF_S;
    if (span->CA_from_s % HALF_S != 0 || span->CA_to_s % HALF_S != 0)
        g->is_exact = false;
    for (unsigned day = 0; day < WEEK_DAYS_N; day++)
        if ((span->CA_weekdays & (1u << day)) != 0 && end > first)
            week_grid_paint(g, day, first, end - 1, (enum calendar_state)span->CA_state);
}

int week_grid_read(const char *text, struct week_grid *out, struct answer *ans)
{
    struct CAL_Type calendar = { 0 };
    cull_set(&calendar, CAL_name, "week");
    *out = (struct week_grid){ .is_exact = true };
    int result = calendar_read_week(&calendar, text, ans);
    for (uint32_t i = 0; result == 0 && i < calendar.CAL_week_calendar.n; i++)
        put_span(out, &calendar.CAL_week_calendar.v[i]);
    cull_clear(&cull_CAL_Type, &calendar);
    return result;
}

void week_grid_paint(struct week_grid *g, unsigned day, unsigned first, unsigned last,
                     enum calendar_state state)
{
    for (unsigned half = first; half <= last && half < DAY_HALVES; half++)
        g->state[day][half] = (unsigned char)state;
}

/* ---- to text ---- */

const char *week_day_name(unsigned day)
{
    static const char *const names[] = { "mon", "tue", "wed", "thu", "fri", "sat", "sun" };
    return names[day];
}

static bool is_in_state(const struct week_grid *g, unsigned day, unsigned half,
                        enum calendar_state state)
{
    return half < DAY_HALVES && g->state[day][half] == state;
}

static bool days_are_equal(const struct week_grid *g, unsigned a, unsigned b,
                           enum calendar_state state)
{
    for (unsigned half = 0; half < DAY_HALVES; half++)
        if (is_in_state(g, a, half, state) != is_in_state(g, b, half, state))
            return false;
    return true;
}

static void add_time(unsigned half, struct dstr *out)
{
    dstr_addf(out, half % 2 == 0 ? "%u" : "%u:%02d", half / 2, MINUTES);
}

/* "6-20,22:30-24"; nothing if it is the whole day, or none of it */
static void add_times(const struct week_grid *g, unsigned day, enum calendar_state state,
                      struct dstr *out)
{
    for (unsigned half = 0; half < DAY_HALVES; half++) {
        unsigned first = half;
        while (is_in_state(g, day, half, state))
            half++;
        if (half == first || half - first == DAY_HALVES)
            continue;
        dstr_add(out, out->len > 0 ? "," : "");
        add_time(first, out);
        dstr_addc(out, '-');
        add_time(half, out);
    }
}

/* DAY and those after it that are like it: "mon-wed,fri" */
static void add_days(const struct week_grid *g, unsigned day, enum calendar_state state,
                     struct dstr *out)
{
    const char *between = "";
    for (unsigned d = day; d < WEEK_DAYS_N; d++) {
        unsigned first = d;
        while (d < WEEK_DAYS_N && days_are_equal(g, day, d, state))
            d++;
        if (d == first)
            continue;
        dstr_addf(out, "%s%s", between, week_day_name(first));
        if (d - first > 1)
            dstr_addf(out, "-%s", week_day_name(d - 1));
        between = ",";
    }
}

static bool has_state(const struct week_grid *g, unsigned day, enum calendar_state state)
{
    return memchr(g->state[day], (int)state, DAY_HALVES) != NULL;
}

/* was DAY in the entry of a day before it? */
static bool is_said(const struct week_grid *g, unsigned day, enum calendar_state state)
{
    for (unsigned before = 0; before < day; before++)
        if (days_are_equal(g, before, day, state))
            return true;
    return false;
}

static void add_entry(const struct week_grid *g, unsigned day, enum calendar_state state,
                      struct dstr *out)
{
    struct dstr times = DSTR_INIT;
    if (!has_state(g, day, state) || is_said(g, day, state))
        return;
    dstr_add(out, out->len > 0 ? " " : "");
    add_days(g, day, state, out);
    add_times(g, day, state, &times);
    dstr_addf(out, "%s%s=%s", times.len > 0 ? "=" : "", dstr_get(&times),
              state == CALENDAR_OFF ? "off" : "suspended");
    dstr_free(&times);
}

void week_grid_text(const struct week_grid *g, struct dstr *out)
{
    struct dstr text = DSTR_INIT;
    for (unsigned day = 0; day < WEEK_DAYS_N; day++)
        add_entry(g, day, CALENDAR_OFF, &text);
    for (unsigned day = 0; day < WEEK_DAYS_N; day++)
        add_entry(g, day, CALENDAR_SUSPENDED, &text);
    dstr_add(out, text.len > 0 ? dstr_get(&text) : "NONE");
    dstr_free(&text);
}
