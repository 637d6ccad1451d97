/* Clocks, and the date formats that users and scripts know. The zone is the process's TZ;
 * months and days are English whatever the locale, since scripts parse them. */
#include "libs/uti/time.h"

#include <time.h>

#include "libs/uti/dstr.h"

static const char month_names[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
static const char day_names[7][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };

static uint64_t clock_us(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

uint64_t uti_now_s(void)
{
    return clock_us(CLOCK_REALTIME) / 1000000;
}

uint64_t uti_now_ms(void)
{
    return clock_us(CLOCK_REALTIME) / 1000;
}

uint64_t uti_mono_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

void uti_sleep_ms(unsigned ms)
{
    struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };
    nanosleep(&t, NULL);
}

/* a time no calendar has (far beyond any clock) reads as the epoch */
static struct tm local_of(uint64_t at_s)
{
    struct tm tm = { .tm_year = 70, .tm_mday = 1, .tm_wday = 4 };
    struct tm out;
    time_t t = (time_t)at_s;
    if (t >= 0 && localtime_r(&t, &out) != NULL)
        tm = out;
    return tm;
}

/* N, which is from 0 to 99, as two digits at AT, and behind them END; returns what follows */
static char *put_pair(char *at, int n, char end)
{
    *at++ = (char)('0' + n / 10);
    *at++ = (char)('0' + n % 10);
    *at++ = end;
    return at;
}

/* A page of a million lines has a million dates, and printf would take most of its time. */
void uti_time_us_date(uint64_t at_s, struct dstr *out)
{
    struct tm tm = local_of(at_s);
    char text[sizeof "MM/DD/YYYY HH:MM:SS"], *at = put_pair(text, tm.tm_mon + 1, '/');
    int year = tm.tm_year + 1900;
    if (year > 9999) {
        dstr_addf(out, "%02d/%02d/%d %02d:%02d:%02d", tm.tm_mon + 1, tm.tm_mday, year, tm.tm_hour,
                  tm.tm_min, tm.tm_sec);
        return;
    }
    at = put_pair(at, tm.tm_mday, '/');
    at = put_pair(at, year / 100, ' ') - 1;
    at = put_pair(at, year % 100, ' ');
    at = put_pair(at, tm.tm_hour, ':');
    at = put_pair(at, tm.tm_min, ':');
    at = put_pair(at, tm.tm_sec, '\0');
    dstr_addn(out, text, (size_t)(at - text) - 1);
}

void uti_time_ctime(uint64_t at_s, struct dstr *out)
{
    struct tm tm = local_of(at_s);
    dstr_addf(out, "%s %s %2d %02d:%02d:%02d %d", day_names[tm.tm_wday], month_names[tm.tm_mon],
              tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_year + 1900);
}

void uti_time_iso(uint64_t at_s, struct dstr *out)
{
    struct tm tm = local_of(at_s);
    dstr_addf(out, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
              tm.tm_hour, tm.tm_min, tm.tm_sec);
}
