/* Measures the core's turns: a histogram, the longest one, and a line in the log for one that keeps
 * everybody waiting. */
#include "daemons/qmaster/tables/turns.h"

#include <stdio.h>

#include "daemons/qmaster/tables/msg_tables.h"
#include "libs/uti/log.h"

enum { US_PER_MS = 1000 };

unsigned turns_bucket(uint64_t us)
{
    unsigned i = 0;
    while (i < TURN_BUCKETS - 1 && us >> i != 0)
        i++;
    return i;
}

void turns_begin(struct turns *t, uint64_t now_us)
{
    t->began_us = t->part_began_us = now_us;
    t->longest_part = (struct turn_part){ .what = "" };
}

void turns_part(struct turns *t, const char *what, const char *who, uint64_t now_us)
{
    uint64_t us = now_us - t->part_began_us;
    t->part_began_us = now_us;
    if (us < t->longest_part.us)
        return;
    t->longest_part.what = what;
    t->longest_part.us = us;
    snprintf(t->longest_part.who, sizeof t->longest_part.who, "%s", who != NULL ? who : "");
}

/* a line a second at most: whoever makes the core slow must not make it slower by the log */
static void warn_long(struct turns *t, uint64_t us, uint64_t now_us)
{
    const struct turn_part *p = &t->longest_part;
    if (t->warned_us != 0 && now_us - t->warned_us < TURN_WARN_PAUSE_US)
        return;
    t->warned_us = now_us;
    unsigned ms = (unsigned)(us / US_PER_MS), part_ms = (unsigned)(p->us / US_PER_MS);
    if (*p->who != '\0')
        log_msg(LOG_LEVEL_WARNING, MSG_TURN_LONG_USUS, ms, p->what, part_ms, p->who);
    else
        log_msg(LOG_LEVEL_WARNING, MSG_TURN_LONG_USU, ms, p->what, part_ms);
}

void turns_end(struct turns *t, uint64_t now_us)
{
    uint64_t us = now_us - t->began_us;
    t->n++;
    t->bucket[turns_bucket(us)]++;
    if (us > t->longest_us)
        t->longest_us = us;
    if (us > TURN_WARN_US)
        warn_long(t, us, now_us);
}
