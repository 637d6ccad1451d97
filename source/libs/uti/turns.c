/* Measures the turns of a thread: a histogram, the longest one, and a line in the log for one that
 * keeps others waiting. */
#include "libs/uti/turns.h"

#include <stdio.h>

#include "libs/uti/log.h"
#include "libs/uti/msg_uti.h"

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

/* a line a second at most: whoever makes a thread slow must not make it slower by the log */
static void warn_long(struct turn_counts *c, uint64_t us, const struct turn_part *p,
                      uint64_t now_us)
{
    if (c->warned_us != 0 && now_us - c->warned_us < TURN_WARN_PAUSE_US)
        return;
    c->warned_us = now_us;
    unsigned ms = (unsigned)(us / US_PER_MS), part_ms = (unsigned)(p->us / US_PER_MS);
    if (*p->who != '\0')
        log_msg(LOG_LEVEL_WARNING, MSG_TURN_LONG_SUSUS, c->thread, ms, p->what, part_ms, p->who);
    else
        log_msg(LOG_LEVEL_WARNING, MSG_TURN_LONG_SUSU, c->thread, ms, p->what, part_ms);
}

void turn_count(struct turn_counts *c, uint64_t us, const struct turn_part *longest,
                uint64_t now_us)
{
    c->n++;
    c->bucket[turns_bucket(us)]++;
    if (us > c->longest_us)
        c->longest_us = us;
    if (us > TURN_WARN_US && c->thread != NULL && longest != NULL)
        warn_long(c, us, longest, now_us);
}

void turns_end(struct turns *t, uint64_t now_us)
{
    turn_count(&t->counts, now_us - t->began_us, &t->longest_part, now_us);
}
