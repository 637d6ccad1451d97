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
 * Claims of ASSERT that fail are written there too. Returns 0, or -1 with ans filled; logging then
 * goes on where it went before. */
int log_open(const char *path, const char *host, enum log_level most, struct answer *ans);
/* log_start - lines are written by a thread of their own from now on, so that no thread waits for
 * the disk
 * At most LOG_QUEUE_BYTES wait for it; what does not fit is dropped, and the next line says how
 * many. Lines of level C are written at once, after those that wait. Once a second the thread looks
 * whether the file was renamed or removed, and opens the path anew. Not for programs that fork
 * without exec. Returns 0, or -1 with ans: lines are written by the calling threads. */
int log_start(struct answer *ans);
/* log_stop - write what waits and end the thread; nothing if there is none */
void log_stop(void);
enum { LOG_QUEUE_BYTES = 1 << 20 };
/* log_reopen - open the messages file anew (SIGHUP); with log_start the thread does that. Any
 * thread, no signal handler. */
void log_reopen(void);
/* log_set_level - write lines up to MOST; all threads */
void log_set_level(enum log_level most);
/* log_thread - the name that lines of the calling thread carry, and ps -L shows; borrowed for ever
 * (a literal) */
void log_thread(const char *name);
/* log_msg - write one line with one write(2), or give it to the thread of log_start; any thread,
 * never fails */
void log_msg(enum log_level level, const char *format, ...) SGE_PRINTF(2, 3);
/* log_msg_of - the same for what user WHO can cause at will: of lines with the same FORMAT (a
 * literal) that name the same user, one a second is written, and then how many there were */
void log_msg_of(uint32_t who, enum log_level level, const char *format, ...) SGE_PRINTF(3, 4);
/* log_answer - one line for each entry of ANS at the level of its quality */
void log_answer(const struct answer *ans);

#endif
