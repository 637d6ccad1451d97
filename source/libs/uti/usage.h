#ifndef UTI_USAGE_H
#define UTI_USAGE_H

/* What the daemons say of their options; they have hardly any. */

/* usage_of_daemon - print the options, to stdout if OPTION is -help; else to stderr, below what is
 * wrong with it
 *
 *   program  its name
 *   rows     the lines of the options that it has besides -help
 *   option   the word that is -help or that it does not know
 *
 * Returns the exit status. */
int usage_of_daemon(const char *program, const char *rows, const char *option);

#endif
