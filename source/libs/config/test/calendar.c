/* Tests of libs/config/calendar.c: calendar_conf(5). */
#include "libs/config/calendar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* the spans of TEXT, a line each: days, from-to in seconds, state */
static void assert_spans(bool is_week, const char *text, const char *want)
{
    struct CAL_Type *calendar = cull_new(&cull_CAL_Type);
    struct dstr said = DSTR_INIT;
    cull_set(calendar, CAL_name, "c");
    assert_int_equal((is_week ? calendar_read_week : calendar_read_year)(calendar, text, NULL), 0);
    const struct CA_Type_list *l =
        is_week ? &calendar->CAL_week_calendar : &calendar->CAL_year_calendar;
    for (uint32_t i = 0; i < l->n; i++) {
        const struct CA_Type *ca = &l->v[i];
        if (is_week)
            dstr_addf(&said, "%02x", ca->CA_weekdays);
        else
            dstr_addf(&said, "%u-%u", ca->CA_first_day, ca->CA_last_day);
        dstr_addf(&said, " %u-%u %u\n", ca->CA_from_s, ca->CA_to_s, ca->CA_state);
    }
    assert_string_equal(dstr_get(&said), want);
    dstr_free(&said);
    cull_delete(&cull_CAL_Type, calendar);
}

static void days_times_and_states_make_spans(void **state SGE_UNUSED)
{
    assert_spans(true, "mon-fri=6-20=off", "1f 21600-72000 1\n");
    assert_spans(true, "sat-sun=suspended", "60 0-86400 2\n");
    assert_spans(true, "Monday,wed=8:30-9,18-24=on",
                 "01 30600-32400 0\n01 64800-86400 0\n"
                 "04 30600-32400 0\n04 64800-86400 0\n");
    assert_spans(true, "6-20", "7f 21600-72000 1\n");
    assert_spans(true, "sat mon=1-2", "20 0-86400 1\n01 3600-7200 1\n");
    assert_spans(true, "off", "7f 0-86400 1\n");
    assert_spans(true, "suspended sun=on", "7f 0-86400 2\n40 0-86400 0\n");
    assert_spans(true, "NONE", "");
    assert_spans(false, "1.1.2030=off", "20300101-20300101 0-86400 1\n");
    assert_spans(false, "24.dec.2030-1.January.2031=suspended", "20301224-20310101 0-86400 2\n");
    assert_spans(false, "29.2.2028=0:0:1-0:0:2", "20280229-20280229 1-2 1\n");
    /* days that are not there, as existing calendars have them: the first never is */
    assert_spans(false, "31.2.2030=off", "20300301-20300228 0-86400 1\n");
    assert_spans(false, "1.2.2030-31.2.2030", "20300201-20300228 0-86400 1\n");
    assert_spans(false, "30.2.2028-2.3.2028", "20280301-20280302 0-86400 1\n");
    assert_spans(false, "31.11.2030-31.12.2030", "20301201-20301231 0-86400 1\n");
}

static void what_goes_over_midnight_is_two_spans(void **state SGE_UNUSED)
{
    assert_spans(true, "mon=22-6", "01 79200-86400 1\n01 0-21600 1\n");
    assert_spans(true, "mon=22-0", "01 79200-86400 1\n");
    assert_spans(true, "sun-mon", "41 0-86400 1\n");
}

static void assert_refused(bool is_week, const char *text, const char *want)
{
    struct CAL_Type *calendar = cull_new(&cull_CAL_Type);
    struct answer ans = ANSWER_INIT;
    cull_set(calendar, CAL_name, "bad");
    assert_int_equal((is_week ? calendar_read_week : calendar_read_year)(calendar, text, &ans), -1);
    assert_string_equal(ans_first_error(&ans), want);
    ans_free(&ans);
    cull_delete(&cull_CAL_Type, calendar);
}

static void the_first_mistake_is_named(void **state SGE_UNUSED)
{
    static const char times[] = "a range of times such as 6-20 or 18:30-24";
    static const char dates[] = "a date such as 24.12.2030, or a range of dates";
    static const struct {
        bool is_week;
        const char *text, *part, *wanted;
    } rows[] = {
        { true, "foo", "foo", "a weekday" },
        { true, "mon-foo", "foo", "a weekday" },
        { true, "mo", "mo", "a weekday" },
        { true, "mon=6", "6", times },
        { true, "mon=6-25", "6-25", times },
        { true, "mon=6-6", "6-6", times },
        { true, "mon=23-24:1", "23-24:1", times },
        { true, "mon=6:60-7", "6:60-7", times },
        { true, "mon=6-7-8", "6-7-8", times },
        { true, "mon==off", "", times },
        { true, "mon=6-7=of", "mon=6-7=of", "days[=times][=on|off|suspended]" },
        { true, "mon=6-7=off=x", "mon=6-7=off=x", "days[=times][=on|off|suspended]" },
        { false, "32.1.2030", "32.1.2030", dates },
        { false, "0.1.2030", "0.1.2030", dates },
        { false, "31.4.2030-29.4.2030", "31.4.2030-29.4.2030", dates },
        { false, "1.1.1969", "1.1.1969", dates },
        { false, "2.1.2030-1.1.2030", "2.1.2030-1.1.2030", dates },
        { false, "1.1", "1.1", dates },
        { false, "mon", "mon", dates },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct dstr want = DSTR_INIT;
        dstr_addf(&want, "error in disabled_%s of calendar \"bad\": \"%s\" is not %s",
                  rows[i].is_week ? "week" : "year", rows[i].part, rows[i].wanted);
        assert_refused(rows[i].is_week, rows[i].text, dstr_get(&want));
        dstr_free(&want);
    }
}

static void a_calendar_has_a_most_of_spans(void **state SGE_UNUSED)
{
    struct dstr text = DSTR_INIT;
    for (int i = 0; i <= CALENDAR_SPANS_MOST; i++)
        dstr_add(&text, "mon ");
    assert_refused(true, dstr_get(&text),
                   "error in disabled_week of calendar \"bad\": more than 10000 spans");
    dstr_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_times_and_states_make_spans),
        cmocka_unit_test(what_goes_over_midnight_is_two_spans),
        cmocka_unit_test(the_first_mistake_is_named),
        cmocka_unit_test(a_calendar_has_a_most_of_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
