/* Calendars as calendar_conf(5) writes them: entries with blanks between them, each
 * DAYS[=TIMES][=STATE].
 *
 * An entry is all its ranges of days with all its ranges of times. What goes over midnight
 * becomes two spans; so a span lies within a day, and whoever asks what is in force need not
 * look at the day before. */
#include "libs/config/calendar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/attr_names.h"
#include "libs/config/msg_config.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { DAY_S = 86400, WEEK_DAYS = 7, MONTH_DAYS = 31, YEAR_FIRST = 1970, YEAR_LAST = 2999 };

/* the text that is being read */
struct reading {
    struct CAL_Type *calendar;
    bool is_week;
    struct answer *ans;
};
struct span {
    uint32_t first_day, last_day, weekdays, from_s, to_s, state;
};

static int refuse_text(const struct reading *rd, const char *text, const char *wanted)
{
    return ans_fail(rd->ans, STATUS_ESYNTAX, MSG_CALENDAR_SSSS, rd->is_week ? "week" : "year",
                    rd->calendar->CAL_name, text, wanted);
}

static int span_add(const struct reading *rd, const struct span *s)
{
    const struct CA_Type_list *l =
        rd->is_week ? &rd->calendar->CAL_week_calendar : &rd->calendar->CAL_year_calendar;
    if (l->n >= CALENDAR_SPANS_MOST)
        return ans_fail(rd->ans, STATUS_ESEMANTIC, MSG_CALENDAR_LONG_SSI,
                        rd->is_week ? "week" : "year", rd->calendar->CAL_name,
                        (int)CALENDAR_SPANS_MOST);
    struct CA_Type *ca = rd->is_week ? cull_append(rd->calendar, CAL_week_calendar)
                                     : cull_append(rd->calendar, CAL_year_calendar);
    cull_set(ca, CA_first_day, s->first_day);
    cull_set(ca, CA_last_day, s->last_day);
    cull_set(ca, CA_weekdays, s->weekdays);
    cull_set(ca, CA_from_s, s->from_s);
    cull_set(ca, CA_to_s, s->to_s);
    cull_set(ca, CA_state, s->state);
    return 0;
}

/* ---- words ---- */

/* the number of the word among WORDS that TEXT is, or begins with three letters of; -1 if it is
 * none */
static int word_find(const char *const *words, int n, const char *text)
{
    size_t len = strlen(text);
    for (int i = 0; i < n; i++)
        if (len >= 3 && len <= strlen(words[i]) && strncasecmp(words[i], text, len) == 0)
            return i;
    return -1;
}

static int weekday_find(const char *text)
{
    static const char *const days[] = { "monday", "tuesday",  "wednesday", "thursday",
                                        "friday", "saturday", "sunday" };
    return word_find(days, ARRAY_LEN(days), text);
}

static bool month_parse(const char *text, uint32_t *month)
{
    static const char *const months[] = { "january",   "february", "march",    "april",
                                          "may",       "june",     "july",     "august",
                                          "september", "october",  "november", "december" };
    int i = word_find(months, ARRAY_LEN(months), text);
    if (i < 0)
        return parse_u32(text, month) && *month >= 1 && *month <= 12;
    *month = (uint32_t)i + 1;
    return true;
}

static uint32_t days_of_month(uint32_t month, uint32_t year)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && is_leap ? 29u : days[month - 1];
}

/* day.month.year; TEXT is changed */
static bool date_parse(char *text, uint32_t *out)
{
    uint32_t day, month, year;
    const char *d = strsep(&text, "."), *m = strsep(&text, "."), *y = text;
    if (m == NULL || y == NULL || !parse_u32(d, &day) || !month_parse(m, &month) ||
        !parse_u32(y, &year) || year < YEAR_FIRST || year > YEAR_LAST || day < 1 ||
        day > MONTH_DAYS)
        return false;
    *out = year * 10000 + month * 100 + day;
    return true;
}

/* Calendars of existing cells have days such as 31.2.: a range that begins there begins with the
 * next month, one that ends there ends with its month, and the day itself never is */
static uint32_t day_that_is(uint32_t date, bool is_first)
{
    uint32_t month = date / 100 % 100, most = days_of_month(month, date / 10000);
    if (date % 100 <= most)
        return date;
    return is_first ? date / 100 * 100 + 101 : date / 100 * 100 + most;
}

/* hour[:minute[:second]], at most 24:0:0; TEXT is changed */
static bool time_parse(char *text, uint32_t *out_s)
{
    static const uint32_t most[] = { 24, 59, 59 }, seconds[] = { 3600, 60, 1 };
    uint32_t sum = 0, n;
    for (size_t i = 0; text != NULL; i++) {
        if (i == ARRAY_LEN(most) || !parse_u32(strsep(&text, ":"), &n) || n > most[i])
            return false;
        sum += n * seconds[i];
    }
    *out_s = sum;
    return sum <= DAY_S;
}

/* ---- ranges: each a word, or two with a dash between them; WORD is changed ---- */

static int read_weekdays(const struct reading *rd, char *word, struct span *s)
{
    const char *from = strsep(&word, "-"), *to = word != NULL ? word : from;
    int first = weekday_find(from), last = weekday_find(to);
    if (first < 0 || last < 0)
        return refuse_text(rd, first < 0 ? from : to, "a weekday");
    s->weekdays = 0;
    for (int day = first;; day = (day + 1) % WEEK_DAYS) {
        s->weekdays |= 1u << day;
        if (day == last)
            return 0;
    }
}

static int read_dates(const struct reading *rd, char *word, struct span *s)
{
    char *whole = uti_strdup(word), *from = strsep(&word, "-");
    bool is_good = date_parse(from, &s->first_day);
    s->last_day = s->first_day;
    if (is_good && word != NULL)
        is_good = date_parse(word, &s->last_day) && s->first_day <= s->last_day;
    if (is_good) {
        s->first_day = day_that_is(s->first_day, true);
        s->last_day = day_that_is(s->last_day, false);
    }
    int ret =
        is_good ? 0 : refuse_text(rd, whole, "a date such as 24.12.2030, or a range of dates");
    free(whole);
    return ret;
}

static int read_times(const struct reading *rd, char *word, struct span *s)
{
    char *whole = uti_strdup(word), *from = strsep(&word, "-");
    bool is_good = word != NULL && time_parse(from, &s->from_s) && time_parse(word, &s->to_s) &&
                   s->from_s != s->to_s;
    int ret = is_good ? 0 : refuse_text(rd, whole, "a range of times such as 6-20 or 18:30-24");
    free(whole);
    return ret;
}

/* S on its days, two spans if it goes over midnight */
static int add_day(const struct reading *rd, const struct span *s)
{
    struct span evening = *s, morning = *s;
    if (s->from_s < s->to_s)
        return span_add(rd, s);
    evening.to_s = DAY_S;
    morning.from_s = 0;
    if (s->from_s < DAY_S && span_add(rd, &evening) < 0)
        return -1;
    return s->to_s > 0 ? span_add(rd, &morning) : 0;
}

/* S, which has days, at each of TIMES; NULL: all day */
static int add_times(const struct reading *rd, const char *times, struct span *s)
{
    struct dstr word = DSTR_INIT;
    int ret = 0;
    s->from_s = 0;
    s->to_s = DAY_S;
    if (times == NULL)
        return span_add(rd, s);
    if (times[0] == '\0')
        return refuse_text(rd, times, "a range of times such as 6-20 or 18:30-24");
    for (const char *at = times; ret == 0 && attr_next_word(&at, ",", &word);) {
        ret = read_times(rd, word.s, s);
        if (ret == 0)
            ret = add_day(rd, s);
    }
    dstr_free(&word);
    return ret;
}

/* ---- entries ---- */

static bool state_parse(const char *text, uint32_t *out)
{
    static const char *const states[] = {
        [CALENDAR_ON] = "on", [CALENDAR_OFF] = "off", [CALENDAR_SUSPENDED] = "suspended"
    };
    for (size_t i = 0; i < ARRAY_LEN(states); i++)
        if (strcasecmp(states[i], text) == 0) {
            *out = (uint32_t)i;
            return true;
        }
    return false;
}

/* every range of DAYS, NULL: all days of a week, at TIMES */
static int add_days(const struct reading *rd, const char *days, const char *times, struct span *s)
{
    struct dstr word = DSTR_INIT;
    int ret = 0;
    if (days == NULL) {
        s->weekdays = (1u << WEEK_DAYS) - 1;
        return add_times(rd, times, s);
    }
    if (days[0] == '\0')
        ret = refuse_text(rd, days, rd->is_week ? "a weekday" : "a date");
    for (const char *at = days; ret == 0 && attr_next_word(&at, ",", &word);) {
        ret = rd->is_week ? read_weekdays(rd, word.s, s) : read_dates(rd, word.s, s);
        if (ret == 0)
            ret = add_times(rd, times, s);
    }
    dstr_free(&word);
    return ret;
}

/* ENTRY is DAYS[=TIMES][=STATE]; of a week also TIMES[=STATE] or STATE */
static int read_entry(const struct reading *rd, const char *entry)
{
    char *copy = uti_strdup(entry), *rest = copy, *parts[3] = { NULL };
    struct span s = { .state = CALENDAR_OFF };
    int n = 0, ret = 0;
    while (n < 3 && rest != NULL)
        parts[n++] = strsep(&rest, "=");
    if (n > 1 && state_parse(parts[n - 1], &s.state))
        n--;
    bool has_days = !rd->is_week || !isdigit((unsigned char)parts[0][0]);
    if (rd->is_week && rest == NULL && n == 1 && state_parse(parts[0], &s.state))
        ret = add_days(rd, NULL, NULL, &s);
    else if (rest != NULL || n > 1 + has_days)
        ret = refuse_text(rd, entry, "days[=times][=on|off|suspended]");
    else if (has_days)
        ret = add_days(rd, parts[0], n > 1 ? parts[1] : NULL, &s);
    else
        ret = add_days(rd, NULL, parts[0], &s);
    free(copy);
    return ret;
}

static int read_entries(const struct reading *rd, const char *value)
{
    struct dstr word = DSTR_INIT;
    int ret = 0;
    if (attr_is_none(value))
        return 0;
    for (const char *at = value; ret == 0 && attr_next_word(&at, " \t", &word);)
        ret = read_entry(rd, word.s);
    dstr_free(&word);
    return ret;
}

int calendar_read_year(void *calendar, const char *value, struct answer *ans)
{
    const struct reading rd = { calendar, false, ans };
    return read_entries(&rd, value);
}

int calendar_read_week(void *calendar, const char *value, struct answer *ans)
{
    const struct reading rd = { calendar, true, ans };
    return read_entries(&rd, value);
}
