/* limits - what this machine can do at best, without a Grid Engine: the baselines that bench.py
 * measures against.
 *
 * Each mode repeats one thing COUNT times and prints the seconds that it took altogether. Nothing
 * of the product is used here, and nothing is kept from one repetition to the next.
 *   limits spawn COUNT PROGRAM [ARG...]   posix_spawn and wait, one by one, output to /dev/null
 *   limits spawn64 COUNT                  `sh -c /bin/true`, 64 at a time
 *   limits login64 COUNT                  `sh -l -c /bin/true`, 64 at a time
 *   limits spawn_at_once COUNT N PROGRAM [ARG...]
 *                                         posix_spawn of PROGRAM, N at a time
 *   limits chain64 COUNT DIR PARENT       per task a directory in DIR with spool files, the static
 *                                         PARENT which starts `sh -c /bin/true` and notes how it
 *                                         ended, reading that, removing all; 64 at a time
 *   limits handover COUNT FILE            COUNT times: `sh -c` of a program that sleeps 30 ms and
 *                                         stamps "end"; when it has ended two more at once, the
 *                                         next of these and one that stamps "start"
 *   limits sync COUNT DIR                 write and fdatasync of 512 bytes
 *   limits peak PROGRAM [ARG...]          prints instead how many KiB of memory PROGRAM had at most
 *   limits stamp FILE WORD MS             sleep, append WORD, $SGE_TASK_ID and the time in ns to
 *                                         FILE */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 64 };
extern char **environ;

static const char *const spool_files[] = { "config", "environment", "pe_hostfile",
                                           "trace",  "pid",         "job_pid" };
enum { SPOOL_FILES = sizeof(spool_files) / sizeof(spool_files[0]), CONFIG_BYTES = 1800 };

struct task {
    pid_t pid;
    long number;
};

static void die(const char *what)
{
    fprintf(stderr, "limits: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static pid_t start(char *const *argv, bool is_quiet)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    if (is_quiet)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    errno = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    if (errno != 0)
        die(argv[0]);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static void must_succeed(int status, const char *what)
{
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "limits: %s failed\n", what);
        exit(1);
    }
}

static void run_spawn(long count, char *const *argv)
{
    for (long i = 0; i < count; i++) {
        int status;

        waitpid(start(argv, true), &status, 0);
        must_succeed(status, argv[0]);
    }
}

static void print_peak(char *const *argv)
{
    struct rusage usage;

    run_spawn(1, argv);
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("%ld\n", usage.ru_maxrss);
}

static void run_at_once(long count, long at_once, char *const *argv)
{
    long running = 0, started = 0;
    int status;

    while (started < count || running > 0) {
        if (started < count && running < at_once) {
            start(argv, true);
            started++, running++;
        } else if (wait(&status) > 0) {
            must_succeed(status, argv[0]);
            running--;
        }
    }
}

static void run_shells(long count, bool is_login)
{
    char *plain[] = { "sh", "-c", "/bin/true", NULL };
    char *login[] = { "sh", "-l", "-c", "/bin/true", NULL };

    run_at_once(count, AT_ONCE, is_login ? login : plain);
}

static void write_file(int dir, const char *name, const char *data, size_t len)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    if (fd < 0 || write(fd, data, len) != (ssize_t)len || close(fd) < 0)
        die(name);
}

static pid_t chain_start(const char *place, char *parent, long number)
{
    static const char config[CONFIG_BYTES];
    char path[4096];
    char *argv[] = { parent, path, NULL };
    int dir;

    snprintf(path, sizeof(path), "%s/%ld.1", place, number);
    if (mkdir(path, 0755) < 0 || (dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        die(path);
    for (int i = 0; i < SPOOL_FILES; i++)
        write_file(dir, spool_files[i], config, i < 2 ? CONFIG_BYTES : 24);
    close(dir);
    return start(argv, false);
}

static void chain_end(const char *place, long number)
{
    char path[4096], text[256];
    int dir, fd;

    snprintf(path, sizeof(path), "%s/%ld.1", place, number);
    if ((dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        die(path);
    fd = openat(dir, "usage", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, text, sizeof(text)) <= 0)
        die("usage");
    close(fd);
    for (int i = 0; i < SPOOL_FILES; i++)
        unlinkat(dir, spool_files[i], 0);
    unlinkat(dir, "usage", 0);
    unlinkat(dir, "exit_status", 0);
    close(dir);
    if (rmdir(path) < 0)
        die(path);
}

static struct task *find(struct task *tasks, pid_t pid)
{
    for (int i = 0; i < AT_ONCE; i++) {
        if (tasks[i].pid == pid)
            return &tasks[i];
    }
    die("wait");
    return NULL;
}

static void run_chain64(long count, const char *place, char *parent)
{
    struct task tasks[AT_ONCE] = { { 0, 0 } };
    long running = 0, started = 0;

    while (started < count || running > 0) {
        if (started < count && running < AT_ONCE) {
            struct task *t = find(tasks, 0);

            t->number = started++;
            t->pid = chain_start(place, parent, t->number);
            running++;
        } else {
            int status;
            struct task *t = find(tasks, wait(&status));

            must_succeed(status, parent);
            chain_end(place, t->number);
            t->pid = 0;
            running--;
        }
    }
}

static pid_t start_stamp(const char *self, const char *file, const char *word_and_ms, long number)
{
    char command[4096], task[24];
    char *argv[] = { "sh", "-c", command, NULL };

    snprintf(task, sizeof(task), "%ld", number);
    snprintf(command, sizeof(command), "%s stamp %s %s", self, file, word_and_ms);
    setenv("SGE_TASK_ID", task, 1);
    return start(argv, true);
}

static void wait_for(pid_t pid)
{
    int status;

    waitpid(pid, &status, 0);
    must_succeed(status, "a stamp");
}

static void run_handover(long count, const char *self, const char *file)
{
    pid_t ending = start_stamp(self, file, "end 30", 1);

    for (long i = 1; i <= count; i++) {
        wait_for(ending);
        if (i < count)
            ending = start_stamp(self, file, "end 30", i + 1);
        wait_for(start_stamp(self, file, "start 0", i));
    }
}

static void run_sync(long count, const char *place)
{
    char path[4096], block[512];
    int fd;

    snprintf(path, sizeof(path), "%s/sync", place);
    memset(block, 'x', sizeof(block));
    if ((fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) < 0)
        die(path);
    for (long i = 0; i < count; i++) {
        if (pwrite(fd, block, sizeof(block), i * (long)sizeof(block)) != (ssize_t)sizeof(block) ||
            fdatasync(fd) < 0)
            die(path);
    }
    close(fd);
    unlink(path);
}

static void stamp(const char *file, const char *word, long pause_ms)
{
    struct timespec pause = { pause_ms / 1000, pause_ms % 1000 * 1000000 }, t;
    const char *task = getenv("SGE_TASK_ID");
    char line[256];
    int fd = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), len;

    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_REALTIME, &t);
    len = snprintf(line, sizeof(line), "%s %s %lld%09ld\n", word, task ? task : "0",
                   (long long)t.tv_sec, t.tv_nsec);
    if (fd < 0 || write(fd, line, (size_t)len) != len)
        die(file);
}

int main(int argc, char **argv)
{
    long count = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    double begin = now_s();

    if (argc >= 4 && strcmp(argv[1], "spawn") == 0)
        run_spawn(count, argv + 3);
    else if (argc == 3 && strcmp(argv[1], "spawn64") == 0)
        run_shells(count, false);
    else if (argc == 3 && strcmp(argv[1], "login64") == 0)
        run_shells(count, true);
    else if (argc >= 5 && strcmp(argv[1], "spawn_at_once") == 0)
        run_at_once(count, strtol(argv[3], NULL, 10), argv + 4);
    else if (argc == 5 && strcmp(argv[1], "chain64") == 0)
        run_chain64(count, argv[3], argv[4]);
    else if (argc == 4 && strcmp(argv[1], "handover") == 0)
        run_handover(count, argv[0], argv[3]);
    else if (argc == 4 && strcmp(argv[1], "sync") == 0)
        run_sync(count, argv[3]);
    else if (argc >= 3 && strcmp(argv[1], "peak") == 0)
        return print_peak(argv + 2), 0;
    else if (argc == 5 && strcmp(argv[1], "stamp") == 0)
        return stamp(argv[2], argv[3], strtol(argv[4], NULL, 10)), 0;
    else
        return fprintf(stderr, "usage: see the head of limits.c\n"), 1;
    printf("%.6f\n", now_s() - begin);
    return 0;
}
