#ifndef SCHEDD_REPLAY_H
#define SCHEDD_REPLAY_H

#include <stdbool.h>

/* sge_schedd -replay: repeat what a record (libs/sched/record.h) says, and answer questions about
 * its end. */
/* replay_options - its lines for usage_of_daemon
 * replay_is_asked - are the arguments of the program about a replay? */
extern const char replay_options[];
bool replay_is_asked(int argc, char **argv);
/* replay_main - do what they say: FILE [-start JOB [-without HOST]]; prints to stdout. Returns the
 * exit status: 0, or 1
 * with a line on stderr */
int replay_main(int argc, char **argv);

#endif
