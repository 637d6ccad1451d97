#ifndef UTI_SIGNALS_H
#define UTI_SIGNALS_H

/* signal_of_name - the number of "SIGTERM" or "TERM"; 0 if no signal has that name. Real-time
 * signals have none. Pure.
 * Source: queue_conf(5) suspend_method */
int signal_of_name(const char *name);
/* signal_of_text - the same, and numbers: "10"; 0 if TEXT is neither. Pure. */
int signal_of_text(const char *text);
/* signal_name - "TERM" for SIGTERM; static; NULL if SIG has no name. Pure. */
const char *signal_name(int sig);

/* signal_default_all - every signal does what it does by default: handlers are forgotten, and what
 * the starting process ignored is not ignored any more */
void signal_default_all(void);
/* signal_unblock_all - no signal is blocked in this thread */
void signal_unblock_all(void);

#endif
