/* Points in time as users write them: [[CC]YY]MMDDhhmm[.SS]. Pure but for the time zone of the
 * process. */
#include "libs/cli/date.h"

#include <string.h>
#include <time.h>

static int two_digits(const char *digits)
{
    return (digits[0] - '0') * 10 + (digits[1] - '0');
}

/* the digits of the year, 0, 2 or 4 of them; years are counted from 1900 as in struct tm */
static int year_of(const char *digits, size_t n, int this_year)
{
    if (n == 0)
        return this_year;
    if (n == 4)
        return two_digits(digits) * 100 + two_digits(digits + 2) - 1900;
    return two_digits(digits) < 69 ? two_digits(digits) + 100 : two_digits(digits);
}

static bool is_same_time(const struct tm *a, const struct tm *b)
{
    return a->tm_mon == b->tm_mon && a->tm_mday == b->tm_mday && a->tm_hour == b->tm_hour &&
           a->tm_min == b->tm_min;
}

bool date_parse(const char *text, uint64_t now_s, uint64_t *out)
{
    size_t n = strspn(text, "0123456789");
    const char *rest = text + n, *at = text + (n > 8 ? n - 8 : 0);
    bool has_seconds = *rest == '.' && strlen(rest) == 3 && strspn(rest + 1, "0123456789") == 2;
    if ((n != 8 && n != 10 && n != 12) || (*rest != '\0' && !has_seconds))
        return false;
    struct tm now;
    time_t now_t = (time_t)now_s;
    if (localtime_r(&now_t, &now) == NULL)
        return false;
    struct tm tm = { .tm_year = year_of(text, n - 8, now.tm_year),
                     .tm_mon = two_digits(at) - 1,
                     .tm_mday = two_digits(at + 2),
                     .tm_hour = two_digits(at + 4),
                     .tm_min = two_digits(at + 6),
                     .tm_sec = has_seconds ? two_digits(rest + 1) : 0,
                     .tm_isdst = -1 };
    if (tm.tm_sec > 60)
        return false;
    struct tm asked = tm;
    time_t at_s = mktime(&tm); /* makes 32nd of May a day of June: then it was no day */
    if (at_s < 0 || (!is_same_time(&tm, &asked) && tm.tm_isdst <= 0))
        return false;
    *out = (uint64_t)at_s;
    return true;
}
