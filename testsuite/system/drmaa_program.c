/* Claims, templates and threads of programs that use DRMAA. */
#include "drmaa_program.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libs/uti/parse.h"

/* other threads may be at work in the library: nothing is run at the exit */
void complain(const char *form, ...)
{
    va_list args;
    va_start(args, form);
    vfprintf(stderr, form, args);
    va_end(args);
    fputc('\n', stderr);
    fflush(NULL);
    _exit(1);
}

void check_number(const char *function, int number, int wanted, const char *diag)
{
    if (number != wanted)
        complain("%s: %s instead of %s: %s", function, drmaa_strerror(number),
                 drmaa_strerror(wanted), diag);
}

drmaa_job_template_t *make_template(const char *command, const char *state)
{
    drmaa_job_template_t *jt;
    CHECK(drmaa_allocate_job_template, &jt);
    CHECK(drmaa_set_attribute, jt, DRMAA_REMOTE_COMMAND, command);
    CHECK(drmaa_set_attribute, jt, DRMAA_OUTPUT_PATH, ":/dev/null");
    CHECK(drmaa_set_attribute, jt, DRMAA_JOIN_FILES, "y");
    CHECK(drmaa_set_attribute, jt, DRMAA_JS_STATE, state);
    return jt;
}

drmaa_job_template_t *make_shell_template(const char *text, const char *state)
{
    drmaa_job_template_t *jt = make_template("/bin/sh", state);
    CHECK(drmaa_set_vector_attribute, jt, DRMAA_V_ARGV, (const char *[]){ "-c", text, NULL });
    return jt;
}

void end_session(void)
{
    char diag[DRMAA_ERROR_STRING_BUFFER] = "";
    check_number("drmaa_exit", drmaa_exit(diag, sizeof diag), DRMAA_ERRNO_SUCCESS, diag);
}

void run_threads(uint32_t threads, void *(*fn)(void *arg), void *arg)
{
    pthread_t v[THREADS_MOST];
    for (uint32_t i = 0; i < threads; i++)
        if (pthread_create(&v[i], NULL, fn, arg) != 0)
            complain("no thread %u", i);
    for (uint32_t i = 0; i < threads; i++)
        pthread_join(v[i], NULL);
}

uint32_t read_count(const char *text, uint32_t most)
{
    uint32_t n;
    if (!parse_u32(text, &n) || n == 0 || n > most)
        complain("\"%s\" is not a number from 1 to %u", text, most);
    return n;
}
