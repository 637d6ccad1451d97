/* sge_sched_runner: the process of a scheduler plug-in, started by sge_schedd, which it ends with.
 *
 * It gives itself limits before it loads the shared object, checks where that comes from, and then
 * serves requests, each answered before the next. What the plug-in does wrong ends this process
 * alone: sge_schedd sees the end of the connection, or its own timer.
 *
 * Source: sge_scheduler(3), doc/administering/schedulers.md */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/sched_runner/msg_runner.h"
#include "daemons/sched_runner/view.h"
#include "libs/plugin/wire.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"

/* ---- answers ---- */
static void send_answer(const struct packer *body)
{
    struct packer frame = { 0 };
    pack_u32be(&frame, (uint32_t)body->len);
    pack_bytes(&frame, body->data, body->len);
    if (file_write_all(PLUGIN_FD, frame.data, frame.len) != 0)
        _exit(1);
    packer_free(&frame);
}

static int refuse_plugin(const char *text)
{
    struct packer body = { 0 };
    pack_u8(&body, PLUGIN_REFUSED);
    pack_string(&body, text);
    send_answer(&body);
    packer_free(&body);
    return -1;
}

static int refuse_system(const char *what, const char *path, int err)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s %s: %s", what, path, strerror(err));
    int rc = refuse_plugin(dstr_get(&text));
    dstr_free(&text);
    return rc;
}

static int refuse_path(const char *path, const char *why)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s %s", path, why);
    int rc = refuse_plugin(dstr_get(&text));
    dstr_free(&text);
    return rc;
}

/* ---- loading ---- */
/* may others than root and this process's user change what ST is of? */
static bool is_of_others(const struct stat *st)
{
    return (st->st_uid != 0 && st->st_uid != geteuid()) || (st->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

static int check_directory(const char *path)
{
    struct stat st;
    char *dir = uti_strndup(path, (size_t)(strrchr(path, '/') - path));
    int rc = 0;
    if (stat(dir, &st) != 0)
        rc = refuse_system(MSG_RUNNER_OPEN, dir, errno);
    else if (is_of_others(&st))
        rc = refuse_path(dir, MSG_RUNNER_OTHERS);
    free(dir);
    return rc;
}

/* the file, open and checked; -1: refused */
static int open_plugin(const char *path)
{
    struct stat st;
    if (check_directory(path) < 0)
        return -1;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        return refuse_system(MSG_RUNNER_OPEN, path, errno);
    if (!S_ISREG(st.st_mode))
        return refuse_path(path, MSG_RUNNER_NO_FILE);
    if (is_of_others(&st))
        return refuse_path(path, MSG_RUNNER_OTHERS);
    return fd;
}

static int check_plugin(const char *path, const struct sge_scheduler *plugin)
{
    struct dstr text = DSTR_INIT;
    const uint32_t all = SGE_SCHEDULER_RANKS | SGE_SCHEDULER_PLACES;
    if (plugin->version != SGE_SCHEDULER_VERSION)
        dstr_addf(&text, MSG_RUNNER_VERSION_SUU, path, plugin->version, SGE_SCHEDULER_VERSION);
    else if (plugin->size < sizeof *plugin || plugin->run == NULL || plugin->does == 0 ||
             (plugin->does & ~all) != 0)
        dstr_addf(&text, MSG_RUNNER_TABLE_S, path);
    int rc = text.len > 0 ? refuse_plugin(dstr_get(&text)) : 0;
    dstr_free(&text);
    return rc;
}

static const struct sge_scheduler *load_plugin(const char *path)
{
    struct dstr opened = DSTR_INIT;
    int fd = open_plugin(path);
    if (fd < 0)
        return NULL;
    dstr_addf(&opened, "/proc/self/fd/%d", fd);
    void *object = dlopen(dstr_get(&opened), RTLD_NOW | RTLD_LOCAL);
    dstr_free(&opened);
    if (object == NULL) {
        const char *why = dlerror();
        (void)refuse_path(path, why != NULL ? why : MSG_RUNNER_NO_FILE);
        return NULL;
    }
    close(fd);
    const struct sge_scheduler *plugin = dlsym(object, "sge_scheduler");
    if (plugin == NULL) {
        (void)refuse_path(path, MSG_RUNNER_SYMBOL);
        return NULL;
    }
    return check_plugin(path, plugin) < 0 ? NULL : plugin;
}

/* ---- limits ---- */
static void limit_one(int resource, rlim_t most)
{
    const struct rlimit both = { most, most };
    (void)setrlimit((__rlimit_resource_t)resource, &both);
}

static void limit_all(void)
{
    limit_one(RLIMIT_CORE, 0);
    limit_one(RLIMIT_FSIZE, 0);
    limit_one(RLIMIT_NPROC, 0);
    limit_one(RLIMIT_NOFILE, 64);
#ifndef __SANITIZE_ADDRESS__ /* its shadow memory is larger */
    limit_one(RLIMIT_AS, (rlim_t)RUNNER_MEMORY_MIB << 20);
#endif
    (void)os_no_new_privileges();
    (void)os_oom_adjust(RUNNER_OOM);
}

/* ---- serving ---- */
/* false: sge_schedd has gone */
static bool next_request(uint64_t *bytes)
{
    size_t have = 0;
    while (have < sizeof *bytes) {
        ssize_t n = read(PLUGIN_FD, (char *)bytes + have, sizeof *bytes - have);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        have += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool read_request(uint8_t *data, size_t bytes)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t n = pread(PLUGIN_STATE_FD, data + have, bytes - have, (off_t)have);
        if (n <= 0)
            return false;
        have += (size_t)n;
    }
    return true;
}

static void answer_request(struct sge_scheduler_run *view, const struct sge_scheduler *plugin,
                           void *own, struct unpacker *request)
{
    struct packer body = { 0 };
    int is_to_decide = view_take(view, request, plugin, own);
    if (is_to_decide < 0)
        _exit(1);
    if (is_to_decide) {
        plugin->run(own, view);
        view_answer(view, &body);
    } else {
        pack_u8(&body, PLUGIN_READ);
    }
    send_answer(&body);
    packer_free(&body);
}

static void serve_schedd(const struct sge_scheduler *plugin)
{
    struct packer loaded = { 0 };
    struct sge_scheduler_run *view = view_new();
    uint64_t bytes;
    void *own = plugin->begin != NULL ? plugin->begin(view_api()) : NULL;
    pack_u8(&loaded, PLUGIN_LOADED);
    pack_varint(&loaded, plugin->does);
    send_answer(&loaded);
    packer_free(&loaded);
    while (next_request(&bytes)) {
        uint8_t *data = uti_alloc(bytes + 1);
        struct unpacker request = unpacker_over_own(data, bytes);
        if (!read_request(data, bytes))
            return;
        answer_request(view, plugin, own, &request);
        free(data);
    }
}

int main(int argc, char **argv)
{
    pid_t parent = getppid();
    if (argc != 2 || argv[1][0] != '/' || fcntl(PLUGIN_FD, F_GETFD) < 0 ||
        fcntl(PLUGIN_STATE_FD, F_GETFD) < 0) {
        fputs(MSG_RUNNER_NO_SCHEDD "\n", stderr);
        return 1;
    }
    if (os_die_with_parent(SIGKILL) < 0 || getppid() != parent)
        return 1;
    (void)os_close_from(PLUGIN_STATE_FD + 1);
    limit_all();
    const struct sge_scheduler *plugin = load_plugin(argv[1]);
    if (plugin == NULL)
        return 1;
    serve_schedd(plugin);
    return 0;
}
