/* Files for a process of the task. What is built before the start owns all its texts; the child
 * only opens, moves descriptors, and says through a shared page what went wrong (launch.c). Source:
 * qsub(1) -o -e -i -j; captured error files. */
#include "daemons/shepherd/launch_io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemons/shepherd/config.h"
#include "daemons/shepherd/session.h"
#include "daemons/shepherd/task_config.h"
#include "libs/uti/alloc.h"
#include "libs/uti/apart.h"
#include "libs/uti/dstr.h"
#include "libs/uti/fd_pass.h"

/* ---- in the child: system calls alone, as the memory may be the parent's (apart.h) ---- */

static int open_file(const char *path, int flags)
{
    return (int)apart_call(SYS_openat, AT_FDCWD, (long)path, flags | O_NOCTTY | O_CLOEXEC, 0666, 0);
}

static void move_fd(int fd, int to)
{
    if (fd == to) /* cannot be: 0 to 2 are open in a shepherd; but then it must not close at exec */
        (void)apart_call(SYS_fcntl, fd, F_SETFD, 0, 0, 0);
    else
        (void)apart_call(SYS_dup3, fd, to, 0, 0, 0);
}

static enum launch_stage fail_at(enum launch_stage stage, const char *path, int fd,
                                 struct launch_result *r)
{
    r->err = -fd;
    r->what = path;
    return stage;
}

enum {
    OUTPUT_FLAGS = O_WRONLY | O_CREAT | O_APPEND,
    HOOK_OUTPUT_FLAGS = OUTPUT_FLAGS | O_NONBLOCK
};

/* IS_IN_DIR: the file went into a directory */
static enum launch_stage open_output(const struct output *o, int to, enum launch_stage stage,
                                     bool *is_in_dir, struct launch_result *r)
{
    const char *path = o->path;
    int fd = open_file(path, OUTPUT_FLAGS);
    *is_in_dir = fd == -EISDIR;
    if (*is_in_dir) {
        path = o->in_dir;
        fd = open_file(path, OUTPUT_FLAGS);
    }
    if (fd < 0)
        return fail_at(stage, path, fd, r);
    move_fd(fd, to);
    r->log = path;
    if (*is_in_dir && o->env_slot != NULL)
        *o->env_slot = o->env_in_dir;
    return LAUNCH_DONE;
}

static bool is_regular(int fd)
{
    struct statx st;
    return apart_call(SYS_statx, fd, (long)"", AT_EMPTY_PATH, STATX_TYPE, (long)&st) == 0 &&
           S_ISREG(st.stx_mode);
}

/* a hook writes into the job's file if that is one, and cannot be kept waiting there; else into
 * nothing */
static void open_hook_output(const struct output *o, int to, struct launch_result *r)
{
    int fd = open_file(o->path, HOOK_OUTPUT_FLAGS);
    r->log = o->path;
    if (fd == -EISDIR) {
        r->log = o->in_dir;
        fd = open_file(o->in_dir, HOOK_OUTPUT_FLAGS);
        if (fd >= 0 && o->env_slot != NULL)
            *o->env_slot = o->env_in_dir;
    }
    if (fd < 0 || !is_regular(fd)) {
        fd = open_file("/dev/null", O_WRONLY);
        r->log = NULL;
    }
    move_fd(fd, to);
}

static enum launch_stage open_input(const char *path, struct launch_result *r)
{
    int fd = open_file(path, O_RDONLY);
    if (fd < 0)
        return fail_at(LAUNCH_STDIN, path, fd, r);
    move_fd(fd, STDIN_FILENO);
    return LAUNCH_DONE;
}

static enum launch_stage open_stdin(const struct launch_io *io, const char *otherwise,
                                    struct launch_result *r)
{
    if (io->script == NULL)
        return open_input(otherwise, r);
    return io->is_script_open ? LAUNCH_DONE : open_input(io->script, r);
}

static enum launch_stage open_hook_files(const struct launch_io *io, struct launch_result *r)
{
    enum launch_stage stage = open_stdin(io, "/dev/null", r);
    if (stage != LAUNCH_DONE)
        return stage;
    open_hook_output(&io->out, STDOUT_FILENO, r);
    if (io->err.path != NULL)
        open_hook_output(&io->err, STDERR_FILENO, r);
    else
        move_fd(STDOUT_FILENO, STDERR_FILENO);
    return LAUNCH_DONE;
}

static enum launch_stage open_job_files(const struct launch_io *io, struct launch_result *r)
{
    bool is_in_dir, is_err_in_dir;
    enum launch_stage stage = open_stdin(io, io->stdin_path, r);
    if (stage != LAUNCH_DONE)
        return stage;
    stage = open_output(&io->out, STDOUT_FILENO, LAUNCH_STDOUT, &is_in_dir, r);
    if (stage != LAUNCH_DONE)
        return stage;
    if (io->err.path != NULL)
        return open_output(&io->err, STDERR_FILENO, LAUNCH_STDERR, &is_err_in_dir, r);
    move_fd(STDOUT_FILENO, STDERR_FILENO);
    if (is_in_dir && io->err.env_slot != NULL)
        *io->err.env_slot = io->err.env_in_dir;
    return LAUNCH_DONE;
}

/* ---- the ends of a session, in the child ---- */

/* the command does not begin before its client is there */
static enum launch_stage wait_for_client(const struct session *s, struct launch_result *r)
{
    char byte;
    long n = apart_call(SYS_read, s->go, (long)&byte, 1, 0, 0);
    return n == 1 ? LAUNCH_DONE : fail_at(LAUNCH_CLIENT, NULL, n < 0 ? (int)n : -EPIPE, r);
}

static enum launch_stage open_pipes(const struct launch_io *io, struct launch_result *r)
{
    enum launch_stage stage = wait_for_client(io->session, r);
    for (int i = 0; stage == LAUNCH_DONE && i < 3; i++)
        move_fd(io->session->of_job[i], i);
    return stage;
}

/* the process leads a session of its own already */
static enum launch_stage open_terminal(const struct launch_io *io, struct launch_result *r)
{
    enum launch_stage stage = open_pipes(io, r);
    if (stage == LAUNCH_DONE)
        (void)apart_call(SYS_ioctl, STDIN_FILENO, TIOCSCTTY, 0, 0, 0);
    return stage;
}

/* of a configured daemon: the connection of the client's command, which is all three; this process
 * is a copy of the shepherd (launch.c) */
static enum launch_stage open_connection(const struct launch_io *io, struct launch_result *r)
{
    int fd;
    if (fd_receive(io->session->go, &fd, 1) != 0)
        return fail_at(LAUNCH_CLIENT, NULL, -EPIPE, r);
    for (int i = 0; i < 3; i++)
        move_fd(fd, i);
    return LAUNCH_DONE;
}

static launch_io_open_fn *const open_of_job[] = { [LAUNCH_IO_FILES] = open_job_files,
                                                  [LAUNCH_IO_TERMINAL] = open_terminal,
                                                  [LAUNCH_IO_PIPES] = open_pipes,
                                                  [LAUNCH_IO_DAEMON] = open_connection };

/* ---- before the start ---- */

/* "name.o12.3": STREAM o, e, po or pe, the task id only for arrays */
static void add_default_name(struct dstr *out, const struct task_config *conf, const char *stream)
{
    dstr_addf(out, "/%s.%s%s", conf->job_name, stream, conf->job_id);
    if (strcmp(conf->task_id, "0") != 0)
        dstr_addf(out, ".%s", conf->task_id);
}

static void output_init(struct output *o, const struct task_config *conf, const char *path,
                        const char *stream, const char *variable)
{
    struct dstr in_dir = DSTR_INIT, env = DSTR_INIT;
    dstr_add(&in_dir, path);
    add_default_name(&in_dir, conf, stream);
    dstr_addf(&env, "%s=%s", variable, dstr_get(&in_dir));
    o->path = uti_strdup(path);
    o->in_dir = dstr_take(&in_dir);
    o->env_in_dir = dstr_take(&env);
}

static void output_find_slot(struct output *o, const struct environment *env, const char *variable)
{
    o->env_slot = environment_find(env, variable);
    o->env_before = o->env_slot != NULL ? *o->env_slot : NULL;
}

void launch_io_files(struct launch_io *io, enum launch_kind kind, const struct task_config *conf,
                     struct environment *env)
{
    const char *out_stream = kind == LAUNCH_PE_HOOK ? "po" : "o";
    const char *err_stream = kind == LAUNCH_PE_HOOK ? "pe" : "e";
    const char *out = conf->stdout_path, *err = conf->is_merged ? out : conf->stderr_path;
    io->open = kind == LAUNCH_JOB ? open_of_job[conf->io] : open_hook_files;
    io->stdin_path = conf->stdin_path;
    output_init(&io->out, conf, out, out_stream, "SGE_STDOUT_PATH");
    output_init(&io->err, conf, err, conf->is_merged ? out_stream : err_stream, "SGE_STDERR_PATH");
    environment_set(env, "SGE_STDIN_PATH", io->stdin_path);
    environment_set(env, "SGE_STDOUT_PATH", out);
    environment_set(env, "SGE_STDERR_PATH", err);
    if (conf->is_merged) {
        free(io->err.path);
        io->err.path = NULL;
    }
}

void launch_io_bind(struct launch_io *io, const struct environment *env)
{
    output_find_slot(&io->out, env, "SGE_STDOUT_PATH");
    output_find_slot(&io->err, env, "SGE_STDERR_PATH");
}

static void output_clear(struct output *o)
{
    if (o->env_slot != NULL)
        *o->env_slot = o->env_before;
    free(o->path);
    free(o->in_dir);
    free(o->env_in_dir);
}

void launch_io_clear(struct launch_io *io)
{
    output_clear(&io->out);
    output_clear(&io->err);
    *io = (struct launch_io){ 0 };
}
