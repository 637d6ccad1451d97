/* Tests of libs/config/calendar_time.c: when a calendar changes, in several time zones, against a
 * count by hand, minute by minute. */
#include "libs/config/calendar_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400 };

static void live_in(const char *zone)
{
    assert_int_equal(setenv("TZ", zone, 1), 0);
    tzset();
}

static struct CAL_Type *calendar_of(const char *year, const char *week)
{
    struct CAL_Type *calendar = cull_new(&cull_CAL_Type);
    cull_set(calendar, CAL_name, "c");
    assert_int_equal(calendar_read_year(calendar, year, NULL), 0);
    assert_int_equal(calendar_read_week(calendar, week, NULL), 0);
    return calendar;
}

/* "2026-11-26 18:00:00" of the zone; of a time that comes twice the first */
static uint64_t second_of(const char *text)
{
    struct tm tm = { .tm_isdst = -1 };
    assert_non_null(strptime(text, "%Y-%m-%d %H:%M:%S", &tm));
    time_t at = mktime(&tm);
    assert_true(at >= 0);
    return (uint64_t)at;
}

static void add_time(uint64_t at_s, struct dstr *out)
{
    char text[64];
    time_t at = (time_t)at_s;
    struct tm tm;
    assert_non_null(localtime_r(&at, &tm));
    assert_true(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", &tm) > 0);
    dstr_add(out, text);
}

/* N changes after FROM, a line each: from when, and the state */
static void assert_changes(const char *year, const char *week, const char *from, unsigned n,
                           const char *want)
{
    static const char *const words[] = { "on", "off", "suspended" };
    struct CAL_Type *calendar = calendar_of(year, week);
    struct dstr said = DSTR_INIT;
    uint64_t at_s = second_of(from);
    for (unsigned i = 0; i < n; i++) {
        struct calendar_outlook look = calendar_look(calendar, at_s);
        if (look.until_s == CALENDAR_FOR_EVER) {
            dstr_add(&said, "never\n");
            break;
        }
        assert_true(look.is_change);
        at_s = look.until_s;
        add_time(at_s, &said);
        dstr_addf(&said, " %s\n", words[calendar_state_at(calendar, at_s)]);
    }
    assert_string_equal(dstr_get(&said), want);
    dstr_free(&said);
    cull_delete(&cull_CAL_Type, calendar);
}

static void weeks_change_at_their_times(void **state SGE_UNUSED)
{
    live_in("UTC");
    assert_changes("NONE", "mon-fri=6-20=off", "2026-11-26 12:00:00", 4,
                   "2026-11-26 20:00:00 UTC on\n2026-11-27 06:00:00 UTC off\n"
                   "2026-11-27 20:00:00 UTC on\n2026-11-30 06:00:00 UTC off\n");
    assert_changes("NONE", "mon=18:30:15-18:30:16=suspended", "2026-11-26 12:00:00", 2,
                   "2026-11-30 18:30:15 UTC suspended\n2026-11-30 18:30:16 UTC on\n");
    assert_changes("NONE", "20-6=off", "2026-11-26 12:00:00", 2,
                   "2026-11-26 20:00:00 UTC off\n2026-11-27 06:00:00 UTC on\n");
    assert_changes("NONE", "NONE", "2026-11-26 12:00:00", 1, "never\n");
    assert_changes("NONE", "mon-sun", "2026-11-26 12:00:00", 1, "never\n");
}

static void the_last_entry_that_means_a_time_decides_and_the_year_before_the_week(
    void **state SGE_UNUSED)
{
    live_in("UTC");
    assert_changes("NONE", "mon-sun=off thu=12-13=on", "2026-11-26 11:00:00", 2,
                   "2026-11-26 12:00:00 UTC on\n2026-11-26 13:00:00 UTC off\n");
    assert_changes("NONE", "thu=12-13=on mon-sun=off", "2026-11-26 11:00:00", 1, "never\n");
    assert_changes("24.12.2026-26.12.2026=on", "mon-sun=off", "2026-11-26 11:00:00", 3,
                   "2026-12-24 00:00:00 UTC on\n2026-12-27 00:00:00 UTC off\nnever\n");
    assert_changes("26.11.2026=12-11=suspended", "NONE", "2026-11-26 00:00:00", 3,
                   "2026-11-26 11:00:00 UTC on\n2026-11-26 12:00:00 UTC suspended\n"
                   "2026-11-27 00:00:00 UTC on\n");
}

static void leap_days_and_years_far_away_are_found(void **state SGE_UNUSED)
{
    live_in("Europe/Berlin");
    assert_changes("29.2.2028=off", "NONE", "2026-11-26 12:00:00", 3,
                   "2028-02-29 00:00:00 CET off\n2028-03-01 00:00:00 CET on\nnever\n");
    assert_changes("1.3.2100=off", "NONE", "2026-11-26 12:00:00", 2,
                   "2100-03-01 00:00:00 CET off\n2100-03-02 00:00:00 CET on\n");
    assert_changes("31.12.2999=23-24=off", "NONE", "2026-11-26 12:00:00", 2,
                   "2999-12-31 23:00:00 CET off\n3000-01-01 00:00:00 CET on\n");
}

/* In Berlin 2 o'clock is followed by 3 o'clock on 28.3.2027, and 2 o'clock comes twice on
 * 31.10.2027. */
static void what_clocks_skip_is_skipped_and_what_they_show_twice_applies_twice(
    void **state SGE_UNUSED)
{
    live_in("Europe/Berlin");
    assert_changes("28.3.2027=2:30-6=off", "NONE", "2027-03-28 00:00:00", 2,
                   "2027-03-28 03:00:00 CEST off\n2027-03-28 06:00:00 CEST on\n");
    assert_changes("28.3.2027=2-3=off", "NONE", "2027-03-28 00:00:00", 1, "never\n");
    assert_changes("28.3.2027=0-2:30=off", "NONE", "2027-03-28 00:00:00", 1,
                   "2027-03-28 03:00:00 CEST on\n");
    assert_changes("31.10.2027=2:30-6=off", "NONE", "2027-10-31 00:00:00", 4,
                   "2027-10-31 02:30:00 CEST off\n2027-10-31 02:00:00 CET on\n"
                   "2027-10-31 02:30:00 CET off\n2027-10-31 06:00:00 CET on\n");
    assert_changes("NONE", "sun=6-20=off", "2027-03-27 12:00:00", 2,
                   "2027-03-28 06:00:00 CEST off\n2027-03-28 20:00:00 CEST on\n");
}

/* at midnight, in zones where the clock moves there */
static void a_day_may_begin_at_one_o_clock(void **state SGE_UNUSED)
{
    live_in("America/Santiago");
    assert_changes("6.9.2026=off", "NONE", "2026-09-04 12:00:00", 2,
                   "2026-09-06 01:00:00 -03 off\n2026-09-07 00:00:00 -03 on\n");
    live_in("Africa/Cairo");
    assert_changes("NONE", "fri=0-4=off", "2026-04-22 12:00:00", 2,
                   "2026-04-24 01:00:00 EEST off\n2026-04-24 04:00:00 EEST on\n");
}

/* ---- random calendars against a count by hand ---- */
static const char *const zones[] = {
    "UTC",          "Europe/Berlin",       "America/New_York", "America/Santiago", "Asia/Kolkata",
    "Africa/Cairo", "Australia/Lord_Howe", "Asia/Kathmandu",   "America/St_Johns", "Pacific/Apia",
};

static unsigned seed = 20261126;

static unsigned pick_below(unsigned n)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

static void add_times(struct dstr *out)
{
    unsigned from = pick_below(48), to = 1 + pick_below(48);
    if (pick_below(4) == 0 || from == to)
        return;
    dstr_addf(out, "=%u:%02u-%u:%02u", from / 2, from % 2 * 30, to / 2, to % 2 * 30);
}

static void add_state(struct dstr *out)
{
    static const char *const words[] = { "", "=on", "=off", "=suspended" };
    dstr_add(out, words[pick_below(ARRAY_LEN(words))]);
}

static struct CAL_Type *random_calendar(void)
{
    static const char *const days[] = { "mon", "tue", "wed", "thu", "fri", "sat", "sun" };
    struct dstr year = DSTR_INIT, week = DSTR_INIT;
    for (unsigned i = pick_below(3); i > 0; i--) {
        unsigned first = 1 + pick_below(28), month = 1 + pick_below(12);
        dstr_addf(&year, " %u.%u.2027", first, month);
        if (pick_below(2) == 0)
            dstr_addf(&year, "-%u.%u.2027", first + pick_below(29 - first), month);
        add_times(&year);
        add_state(&year);
    }
    for (unsigned i = pick_below(4); i > 0; i--) {
        dstr_addf(&week, " %s", days[pick_below(7)]);
        if (pick_below(2) == 0)
            dstr_addf(&week, "-%s", days[pick_below(7)]);
        add_times(&week);
        add_state(&week);
    }
    struct CAL_Type *calendar = calendar_of(year.len > 0 ? dstr_get(&year) : "NONE",
                                            week.len > 0 ? dstr_get(&week) : "NONE");
    dstr_free(&year);
    dstr_free(&week);
    return calendar;
}

/* by hand: the last span that has the second, of the year first */
static enum calendar_state count_by_hand(const struct CAL_Type *calendar, uint64_t at_s)
{
    const struct CA_Type_list *year = &calendar->CAL_year_calendar,
                              *week = &calendar->CAL_week_calendar;
    enum calendar_state found = CALENDAR_ON;
    time_t at = (time_t)at_s;
    struct tm tm;
    assert_non_null(localtime_r(&at, &tm));
    uint32_t s = (uint32_t)(tm.tm_hour * HOUR_S + tm.tm_min * MINUTE_S + tm.tm_sec);
    uint32_t date = (uint32_t)((tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday);
    uint32_t weekday = 1u << (tm.tm_wday == 0 ? 6 : tm.tm_wday - 1);
    for (uint32_t i = 0; i < week->n; i++) {
        const struct CA_Type *ca = &week->v[i];
        if ((ca->CA_weekdays & weekday) != 0 && ca->CA_from_s <= s && s < ca->CA_to_s)
            found = (enum calendar_state)ca->CA_state;
    }
    for (uint32_t i = 0; i < year->n; i++) {
        const struct CA_Type *ca = &year->v[i];
        if (ca->CA_first_day <= date && date <= ca->CA_last_day && ca->CA_from_s <= s &&
            s < ca->CA_to_s)
            found = (enum calendar_state)ca->CA_state;
    }
    return found;
}

/* All changes of a month or more, as they follow one another; all times of random calendars, and
 * all changes of offsets, are on full minutes. */
static void follow_changes(const struct CAL_Type *calendar, uint64_t from_s, uint64_t to_s)
{
    uint64_t at_s = from_s;
    struct calendar_outlook look = calendar_look(calendar, at_s);
    for (; at_s < to_s; at_s += MINUTE_S) {
        if (look.until_s <= at_s)
            look = calendar_look(calendar, at_s);
        assert_int_equal(look.state, count_by_hand(calendar, at_s));
    }
}

static void changes_are_those_of_a_count_by_hand(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(zones); i++) {
        live_in(zones[i]);
        for (unsigned n = 0; n < 12; n++) {
            struct CAL_Type *calendar = random_calendar();
            uint64_t from_s = second_of("2026-12-20 00:00:00") + pick_below(360) * (uint64_t)DAY_S;
            follow_changes(calendar, from_s, from_s + 10 * DAY_S);
            cull_delete(&cull_CAL_Type, calendar);
        }
    }
}

/* a change that was foretold is one, to the second, and nothing changes before it */
static void no_change_is_missed_in_a_year_of_any_zone(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(zones); i++) {
        live_in(zones[i]);
        struct CAL_Type *calendar =
            calendar_of("24.12.2027-26.12.2027=on 28.2.2027-1.3.2027=1-2=suspended",
                        "mon-fri=2:30-20=off sat,sun=23-1=suspended");
        uint64_t at_s = second_of("2027-01-01 00:00:00"), end_s = at_s + 366 * (uint64_t)DAY_S;
        unsigned n = 0;
        while (at_s < end_s) {
            struct calendar_outlook look = calendar_look(calendar, at_s);
            assert_true(look.is_change);
            assert_int_not_equal(count_by_hand(calendar, look.until_s), look.state);
            for (uint64_t t = at_s; t < look.until_s; t += 30 * MINUTE_S)
                assert_int_equal(count_by_hand(calendar, t), look.state);
            assert_int_equal(count_by_hand(calendar, look.until_s - 1), look.state);
            at_s = look.until_s;
            n++;
        }
        assert_in_range(n, 700, 900);
        cull_delete(&cull_CAL_Type, calendar);
    }
}

/* A calendar of the greatest size costs one call no more than CALENDAR_LOOK_MOST spans. */
static void a_search_ends(void **state SGE_UNUSED)
{
    struct dstr year = DSTR_INIT;
    live_in("UTC");
    for (unsigned i = 0; i < CALENDAR_SPANS_MOST; i++)
        dstr_addf(&year, " 1.1.2026-31.12.2999=%u:%u-%u:%u:30=off", i / 60 % 24, i % 60,
                  i / 60 % 24, i % 60);
    struct CAL_Type *calendar = calendar_of(dstr_get(&year), "NONE");
    uint64_t at_s = second_of("2026-11-26 12:00:00");
    struct calendar_outlook look = calendar_look(calendar, at_s);
    assert_true(look.is_change);
    cull_set(calendar, CAL_name, "c");
    for (uint32_t i = 0; i < calendar->CAL_year_calendar.n; i++)
        cull_set(&calendar->CAL_year_calendar.v[i], CA_state, (uint32_t)CALENDAR_ON);
    cull_set(&calendar->CAL_year_calendar.v[0], CA_first_day, 29991231u);
    cull_set(&calendar->CAL_year_calendar.v[0], CA_state, (uint32_t)CALENDAR_OFF);
    for (uint32_t i = 1; i < 30; i++) { /* edges that keep the walk from leaping */
        cull_set(&calendar->CAL_year_calendar.v[i], CA_first_day, 20261126 + i % 4);
    }
    look = calendar_look(calendar, at_s);
    assert_true(look.until_s == CALENDAR_FOR_EVER || look.until_s > at_s + DAY_S);
    assert_int_equal(look.state, CALENDAR_ON);
    dstr_free(&year);
    cull_delete(&cull_CAL_Type, calendar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weeks_change_at_their_times),
        cmocka_unit_test(the_last_entry_that_means_a_time_decides_and_the_year_before_the_week),
        cmocka_unit_test(leap_days_and_years_far_away_are_found),
        cmocka_unit_test(what_clocks_skip_is_skipped_and_what_they_show_twice_applies_twice),
        cmocka_unit_test(a_day_may_begin_at_one_o_clock),
        cmocka_unit_test(changes_are_those_of_a_count_by_hand),
        cmocka_unit_test(no_change_is_missed_in_a_year_of_any_zone),
        cmocka_unit_test(a_search_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
