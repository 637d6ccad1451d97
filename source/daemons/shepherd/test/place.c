/* The directory of a test, and the real sge_shepherd in it. */
#include "daemons/shepherd/test/place.h"

#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/process.h"

const char *place_shepherd;

int place_setup(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    char dir[] = "/tmp/shepherd-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chmod(dir, 0777), 0);
    p->dir = strdup(dir);
    p->task_dir = path_join(dir, "task");
    assert_int_equal(mkdir(p->task_dir, 0755), 0);
    p->uid = geteuid();
    p->gid = getegid();
    if (p->uid == 0) { /* any other user will do */
        p->uid = 65534;
        p->gid = 65534;
    }
    (void)os_become_subreaper();
    *state = p;
    return 0;
}

int place_teardown(void **state)
{
    struct place *p = *state;
    struct answer ans = ANSWER_INIT;
    struct process_list left = { 0 };
    process_descendants(getpid(), &left);
    assert_int_equal(left.n, 0); /* no test leaves a process behind */
    process_list_free(&left);
    assert_int_equal(file_rmtree(p->dir, &ans), 0);
    ans_free(&ans);
    free(p->dir);
    free(p->task_dir);
    free(p);
    return 0;
}

void place_write(const struct place *p, const char *name, const struct dstr *text)
{
    char *path = path_join(p->task_dir, name);
    assert_int_equal(file_write(path, dstr_get(text), text->len, 0644, NULL), 0);
    free(path);
}

char *place_read(const char *dir, const char *name)
{
    struct dstr text = DSTR_INIT;
    char *path = path_join(dir, name);
    (void)file_read(path, 1 << 20, &text, NULL);
    free(path);
    return dstr_take(&text);
}

/* a binary COMMAND with output to dir/out and the lines MORE; lines that come later lose */
void place_config(const struct place *p, const char *command, const char *more)
{
    struct dstr config = DSTR_INIT, environment = DSTR_INIT;
    dstr_add(&config, more);
    task_text_add(&config, "script_file", command);
    dstr_addf(&config, "stdout_path=%s/out\ncwd=%s\njob_uid=%u\njob_gid=%u\njob_groups=%u\n",
              p->dir, p->dir, (unsigned)p->uid, (unsigned)p->gid, (unsigned)p->gid);
    dstr_add(&config,
             "handle_as_binary=1\nshell_path=/bin/sh\nuse_login_shell=1\njob_id=12\njob_name=name\n"
             "merge_stderr=1\nscript_timeout=10\n");
    dstr_addf(&environment, "PATH=/usr/bin:/bin\nDIR=%s\n", p->dir);
    place_write(p, TASK_FILE_CONFIG, &config);
    place_write(p, TASK_FILE_ENVIRONMENT, &environment);
    dstr_free(&config);
    dstr_free(&environment);
}

void place_script(const struct place *p, const char *text)
{
    char *path = path_join(p->dir, "script");
    assert_int_equal(file_write(path, text, strlen(text), 0755, NULL), 0);
    free(path);
}

pid_t place_start(const struct place *p)
{
    posix_spawn_file_actions_t actions;
    char *argv[] = { (char *)(uintptr_t)place_shepherd, NULL }, *envp[] = { NULL };
    pid_t pid;
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addchdir_np(&actions, p->task_dir), 0);
    assert_int_equal(posix_spawn(&pid, place_shepherd, &actions, NULL, argv, envp), 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    return pid;
}

int place_finish(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int place_run(const struct place *p, const char *command, const char *more)
{
    place_config(p, command, more);
    return place_finish(place_start(p));
}

long place_usage(const struct place *p, const char *name)
{
    char *text = place_read(p->task_dir, TASK_FILE_USAGE);
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%s=", name);
    const char *at = strstr(text, dstr_get(&key));
    assert_non_null(at);
    long value = strtol(at + key.len, NULL, 10);
    free(text);
    dstr_free(&key);
    return value;
}

void place_expect_text(const char *dir, const char *name, const char *wanted)
{
    char *text = place_read(dir, name);
    assert_string_equal(text, wanted);
    free(text);
}

/* the line in "error" after its date and [uid:pid] */
void place_expect_error(const struct place *p, const char *wanted)
{
    char *text = place_read(p->task_dir, TASK_FILE_ERROR);
    char *at = strstr(text, "]: ");
    assert_non_null(at);
    at += 3;
    at[strcspn(at, "\n")] = '\0';
    at[strnlen(at, strlen(wanted))] = '\0';
    assert_string_equal(at, wanted);
    free(text);
}

/* wait until dir/NAME holds a number */
pid_t place_wait_pid(const struct place *p, const char *name)
{
    for (int i = 0; i < PLACE_WAIT_MS / PLACE_POLL_MS; i++) {
        int32_t pid;
        char *text = place_read(p->dir, name);
        size_t len = strcspn(text, "\n");
        bool is_whole = text[len] == '\n';
        text[len] = '\0';
        bool is_pid = is_whole && parse_i32(text, &pid);
        free(text);
        if (is_pid)
            return pid;
        (void)poll(NULL, 0, PLACE_POLL_MS);
    }
    fail();
    return -1;
}

int place_main(int argc, char **argv, const struct CMUnitTest *tests, size_t n)
{
    if (argc < 2)
        return 2;
    place_shepherd = argv[1];
    if (argc > 2)
        cmocka_set_test_filter(argv[2]); /* one of them, by hand */
    return _cmocka_run_group_tests("shepherd", tests, n, NULL, NULL);
}
