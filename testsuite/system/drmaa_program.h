#ifndef SYSTEM_DRMAA_PROGRAM_H
#define SYSTEM_DRMAA_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libs/drmaa/drmaa.h"

/* What programs of the tests and of the benchmark share that use DRMAA as anybody's would. A claim
 * that fails ends the program. */

/* complain - say what is wrong, and end the program with exit status 1 */
void complain(const char *form, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* check_number - complain if NUMBER, what FUNCTION returned with DIAG, is not WANTED */
void check_number(const char *function, int number, int wanted, const char *diag);
/* CHECK - call a function of DRMAA that must succeed; REFUSED - or must return WANTED. Both add the
 * diagnosis to the arguments. */
#define REFUSED(wanted, function, ...)                                                             \
    do {                                                                                           \
        char diag[DRMAA_ERROR_STRING_BUFFER] = "";                                                 \
        int number = function(__VA_ARGS__, diag, sizeof diag);                                     \
        check_number(#function, number, wanted, diag);                                             \
    } while (0)
#define CHECK(function, ...) REFUSED(DRMAA_ERRNO_SUCCESS, function, __VA_ARGS__)

/* make_template - a template of COMMAND, whose output goes nowhere; drmaa_delete_job_template
 *   state  DRMAA_SUBMISSION_STATE_... */
drmaa_job_template_t *make_template(const char *command, const char *state);
/* make_shell_template - the same of `/bin/sh -c TEXT` */
drmaa_job_template_t *make_shell_template(const char *text, const char *state);
/* end_session - drmaa_exit, which must succeed */
void end_session(void);

/* run_threads - run FN(ARG) in THREADS threads, and wait for them */
enum { THREADS_MOST = 256 };
void run_threads(uint32_t threads, void *(*fn)(void *arg), void *arg);

/* read_count - an argument that must be a number from 1 to MOST; complains if it is none */
uint32_t read_count(const char *text, uint32_t most);

#endif
