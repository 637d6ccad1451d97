/* Partial timestamps. First the form, into numbers that may be missing; then their ranges; then
 * what is missing. Pure but for the local time zone. */
#include "libs/drmaa/attributes.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

enum { MISSING = -1, CENTURY = 100, TM_YEAR_BASE = 1900, OFFSET_HOURS_MOST = 24, MINUTES = 60 };

struct partial {
    int century, year, month, day, hour, minute, second;
    bool has_offset;
    int offset_minutes; /* east of Greenwich */
};

static bool read_two(const char **at, int *out)
{
    const char *s = *at;
    if (!isdigit((unsigned char)s[0]) || !isdigit((unsigned char)s[1]))
        return false;
    *out = (s[0] - '0') * 10 + (s[1] - '0');
    *at += 2;
    return true;
}

static bool skip_char(const char **at, char c)
{
    if (**at != c)
        return false;
    (*at)++;
    return true;
}

static void skip_blanks(const char **at)
{
    while (**at == ' ')
        (*at)++;
}

/* [[[CC]YY/]MM/]DD before the time, or nothing */
static bool read_date(const char **at, struct partial *p)
{
    int v[4] = { MISSING, MISSING, MISSING, MISSING }; /* as they come */
    const char *from = *at;
    size_t len = strcspn(from, " "), n = 0;
    if (memchr(from, ':', len) != NULL)
        return true;
    bool has_century = len == strlen("CCYY/MM/DD");
    while (n < sizeof v / sizeof *v && *at < from + len) {
        if (n > (has_century ? 1u : 0u) && !skip_char(at, '/'))
            return false;
        if (!read_two(at, &v[n++]))
            return false;
    }
    if (*at != from + len || n == 0 || (n == 4) != has_century)
        return false;
    p->day = v[n - 1];
    p->month = n > 1 ? v[n - 2] : MISSING;
    p->year = n > 2 ? v[n - 3] : MISSING;
    p->century = n > 3 ? v[0] : MISSING;
    return true;
}

static bool read_time(const char **at, struct partial *p)
{
    if (!read_two(at, &p->hour) || !skip_char(at, ':') || !read_two(at, &p->minute))
        return false;
    return !skip_char(at, ':') || read_two(at, &p->second);
}

static bool read_offset(const char **at, struct partial *p, bool *is_in_range)
{
    int sign = **at == '-' ? -1 : 1, hours, minutes;
    if (!skip_char(at, '-') && !skip_char(at, '+'))
        return true;
    if (!read_two(at, &hours) || !skip_char(at, ':') || !read_two(at, &minutes))
        return false;
    p->has_offset = true;
    p->offset_minutes = sign * (hours * MINUTES + minutes);
    *is_in_range = hours < OFFSET_HOURS_MOST && minutes < MINUTES;
    return true;
}

static bool read_form(const char *text, struct partial *p, bool *is_in_range)
{
    const char *at = text;
    skip_blanks(&at);
    if (!read_date(&at, p))
        return false;
    skip_blanks(&at);
    if (!read_time(&at, p))
        return false;
    skip_blanks(&at);
    if (!read_offset(&at, p, is_in_range))
        return false;
    skip_blanks(&at);
    return *at == '\0';
}

/* ---- what is missing ---- */

static int full_year(const struct partial *p, const struct tm *now)
{
    if (p->year == MISSING)
        return now->tm_year;
    int century = p->century != MISSING ? p->century * CENTURY
                                        : (now->tm_year + TM_YEAR_BASE) / CENTURY * CENTURY;
    return century + p->year - TM_YEAR_BASE;
}

static time_t seconds_of(struct tm *t, const struct partial *p)
{
    t->tm_isdst = -1;
    return p->has_offset ? timegm(t) - (time_t)p->offset_minutes * MINUTES : mktime(t);
}

/* the largest part that is missing moves on by one when the time has passed */
static void move_on(struct tm *t, const struct partial *p)
{
    if (p->day == MISSING)
        t->tm_mday++;
    else if (p->month == MISSING)
        t->tm_mon++;
    else if (p->year == MISSING)
        t->tm_year++;
    else if (p->century == MISSING)
        t->tm_year += CENTURY;
}

/* the parts of now on the clock that TEXT speaks of */
static void parts_of_now(const struct partial *p, uint64_t now_s, struct tm *out)
{
    time_t now = (time_t)now_s + (p->has_offset ? (time_t)p->offset_minutes * MINUTES : 0);
    if (p->has_offset)
        gmtime_r(&now, out);
    else
        localtime_r(&now, out);
}

enum start_time_end start_time_parse(const char *text, uint64_t now_s, uint64_t *out)
{
    struct partial p = { MISSING, MISSING, MISSING, MISSING, 0, 0, 0, false, 0 };
    bool is_in_range = true;
    struct tm now, t;
    if (!read_form(text, &p, &is_in_range))
        return START_TIME_NO_FORM;
    if (!is_in_range || p.hour > 23 || p.minute > 59 || p.second > 60)
        return START_TIME_NO_TIME;
    parts_of_now(&p, now_s, &now);
    t = (struct tm){ .tm_year = full_year(&p, &now),
                     .tm_mon = p.month == MISSING ? now.tm_mon : p.month - 1,
                     .tm_mday = p.day == MISSING ? now.tm_mday : p.day,
                     .tm_hour = p.hour,
                     .tm_min = p.minute,
                     .tm_sec = p.second };
    struct tm wanted = t;
    time_t at = seconds_of(&t, &p);
    if (wanted.tm_mon < 0 || wanted.tm_mon != t.tm_mon || wanted.tm_mday != t.tm_mday)
        return START_TIME_NO_TIME; /* no such day: another came of it */
    if (at >= 0 && (uint64_t)at < now_s) {
        move_on(&wanted, &p);
        at = seconds_of(&wanted, &p);
    }
    if (at < 0)
        return START_TIME_NO_TIME;
    *out = (uint64_t)at;
    return START_TIME_GOOD;
}
