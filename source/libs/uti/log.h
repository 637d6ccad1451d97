#ifndef UTI_LOG_H
#define UTI_LOG_H

#include "common/basis.h"

/* The messages file of a daemon: one line per event an administrator can act on,
 * `11/20/2026 08:34:08|thread|host|L|text`. Before log_open lines go to stderr. */
enum log_level {
    LOG_LEVEL_CRITICAL, /* C: we stop */
    LOG_LEVEL_ERROR,    /* E: someone must act */
    LOG_LEVEL_WARNING,  /* W: odd but handled */
    LOG_LEVEL_INFO,     /* I: state changes */
    LOG_LEVEL_DEBUG     /* D: off by default */
};

struct answer;
/* log_open - append to the messages file PATH from now on, naming HOST in each line
 * Returns 0, or -1 with ans filled; logging then goes on where it went before. */
int log_open(const char *path, const char *host, enum log_level most, struct answer *ans);
/* log_set_level - write lines up to MOST; all threads */
void log_set_level(enum log_level most);
/* log_thread - the name that lines of the calling thread carry, and ps -L shows; borrowed for ever (a literal) */
void log_thread(const char *name);
/* log_msg - write one line with one write(2); thread safe, never fails, never blocks on a lock */
void log_msg(enum log_level level, const char *format, ...) SGE_PRINTF(2, 3);
/* log_answer - one line for each entry of ANS at the level of its quality */
void log_answer(const struct answer *ans);

#endif
