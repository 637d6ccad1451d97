#ifndef CLIENTS_COMMON_OUTPUT_H
#define CLIENTS_COMMON_OUTPUT_H

/* output_finish - before main returns: has all that was printed on stdout been written?
 *
 *   status  the exit status so far
 *
 * Returns STATUS, or EXIT_FAILURE in place of EXIT_SUCCESS after saying on stderr what is wrong: a
 * full disk, not a command that did nothing. Source: EXIT STATUS of each command's page. */
int output_finish(int status);

#endif
