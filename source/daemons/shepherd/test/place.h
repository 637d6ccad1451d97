#ifndef SHEPHERD_TEST_PLACE_H
#define SHEPHERD_TEST_PLACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/types.h>

/* The real sge_shepherd in a directory of its own, as whoever runs the tests; as root its jobs are
 * another user's. Every wait ends after some seconds with a failed test. */
struct dstr;
struct place {
    char *dir, *task_dir;
    uid_t uid;
    gid_t gid;
};
enum { PLACE_WAIT_MS = 20000, PLACE_POLL_MS = 2 };
extern const char *place_shepherd; /* path of the program; place_main sets it */

int place_setup(void **state);
int place_teardown(void **state); /* fails if a process is left */
/* place_main - run the N tests; arguments: the shepherd, and the name of a single test */
int place_main(int argc, char **argv, const struct CMUnitTest *tests, size_t n);
#define PLACE_TEST(name) cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

/* place_write - a file of the task; place_read - contents of dir/NAME, "" if it is missing; new */
void place_write(const struct place *p, const char *name, const struct dstr *text);
char *place_read(const char *dir, const char *name);
/* place_config - config and environment: a binary COMMAND with output to dir/out and the lines
 * MORE; lines that come later lose
 * place_script - dir/script, executable */
void place_config(const struct place *p, const char *command, const char *more);
void place_script(const struct place *p, const char *text);
/* place_start - start the shepherd; place_finish - wait for it, returns its exit status; place_run
 * - config, start and finish */
pid_t place_start(const struct place *p);
int place_finish(pid_t pid);
int place_run(const struct place *p, const char *command, const char *more);

long place_usage(const struct place *p, const char *name); /* from the file "usage", which has it */
void place_expect_text(const char *dir, const char *name, const char *wanted);
void place_expect_error(
    const struct place *p,
    const char *wanted); /* how the first line of "error" begins, without date and [uid:pid] */
pid_t place_wait_pid(const struct place *p, const char *name); /* until dir/NAME holds a number */

#endif
