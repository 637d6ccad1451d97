/* sge_schedd: the scheduling daemon, started by the qmaster with a connection at GDI_SCHEDD_FD, and
 * ending with it. Sets up, runs the loop, tears down. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/version.h"
#include "daemons/schedd/msg_schedd.h"
#include "daemons/schedd/output_file.h"
#include "daemons/schedd/protocol.h"
#include "daemons/schedd/recorder.h"
#include "daemons/schedd/replay.h"
#include "libs/comm/loop.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/message.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/usage.h"

/* <qmaster_spool_dir>/schedd/messages */
static int open_log(struct cell *cell, struct answer *ans)
{
    char host[HOST_NAME_BYTES];

    if (cell_bootstrap_read(cell, ans) < 0 || cell_aliases_read(cell, ans) < 0)
        return -1;
    if (os_hostname(host, sizeof host) < 0)
        host[0] = '\0';
    char *dir = path_join(cell->qmaster_spool_dir, "schedd"), *path = path_join(dir, "messages");
    int rc = file_mkdirs(dir, 0755, ans) < 0 ? -1 : log_open(path, host, LOG_LEVEL_INFO, ans);
    free(path);
    free(dir);
    return rc;
}

/* the file "schedule". Source: sched_conf(5) */
static const struct output_file_kind schedule_file = {
    .thread = "schedule",
    .mode = 0644,
    .bytes_most = 10 << 20,
    .waiting_most = 4 << 20,
    .when_late = MSG_SCHEDULE_LATE,
};

static struct schedd_files open_files(struct cell *cell)
{
    char *schedule = cell_path(cell, "schedule");
    char *record = path_join(cell->qmaster_spool_dir, "schedd/record");
    struct schedd_files files = { output_file_new(schedule, &schedule_file), recorder_new(record) };
    free(schedule);
    free(record);
    return files;
}

static void on_stop(void *ctx)
{
    loop_stop(ctx);
}

/* the messages file was moved */
static void on_hangup(void *ctx)
{
    (void)ctx;
    log_reopen();
}

static int check_inherited(struct answer *ans)
{
    int type = 0;
    socklen_t len = sizeof type;

    if (getsockopt(GDI_SCHEDD_FD, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_STREAM)
        return 0;
    return ans_fail(ans, STATUS_ESYSTEM, MSG_SCHEDD_NO_QMASTER);
}

/* where the qmaster reads which job is being looked at; NULL: it does not */
static _Atomic uint32_t *map_shown_job(void)
{
    void *shown =
        mmap(NULL, sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED, GDI_SCHEDD_JOB_FD, 0);
    if (shown == MAP_FAILED)
        return NULL;
    close(GDI_SCHEDD_JOB_FD);
    return shown;
}

static void allow_plugins(struct schedd *schedd, const struct cell *cell)
{
    char *runner = path_join(cell->bin_dir, "sge_sched_runner");
    char *lib = path_join(cell->root, "lib"), *dir = path_join(lib, "schedulers");
    schedd_allow_plugins(schedd, runner, dir);
    free(dir);
    free(lib);
    free(runner);
}

static int serve_qmaster(const struct cell *cell, _Atomic uint32_t *shown_job,
                         const struct schedd_files *files, struct answer *ans)
{
    struct loop *loop = loop_new(ans);

    if (loop == NULL)
        return -1;
    struct loop_watch *term = loop_watch_signal(loop, SIGTERM, on_stop, loop);
    struct loop_watch *intr = loop_watch_signal(loop, SIGINT, on_stop, loop);
    struct loop_watch *hangup = loop_watch_signal(loop, SIGHUP, on_hangup, loop);
    struct schedd *schedd = schedd_new(loop, GDI_SCHEDD_FD, shown_job, files);
    allow_plugins(schedd, cell);
    log_msg(LOG_LEVEL_INFO, MSG_SCHEDD_STARTING);
    int rc = loop_run(loop);
    log_msg(LOG_LEVEL_INFO, MSG_SCHEDD_STOPPING);
    schedd_free(schedd);
    loop_watch_free(hangup);
    loop_watch_free(intr);
    loop_watch_free(term);
    loop_free(loop);
    return rc;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    pid_t parent = getppid();

    if (replay_is_asked(argc, argv))
        return replay_main(argc, argv);
    if (argc > 1)
        return usage_of_daemon("sge_schedd", replay_options, argv[1]);
    os_fill_standard_streams();
    /* whatever it is doing: what it knows is the qmaster's */
    if (os_die_with_parent(SIGKILL) < 0 || getppid() != parent)
        return 1;
    log_thread("schedd");
    bool is_child = check_inherited(&ans) == 0;
    /* before anything else can be at that descriptor */
    _Atomic uint32_t *shown_job = is_child ? map_shown_job() : NULL;
    struct cell *cell = is_child ? cell_open(&ans) : NULL;
    int rc = cell != NULL ? open_log(cell, &ans) : -1;
    if (rc == 0)
        rc = log_start(&ans);
    if (rc == 0) {
        struct schedd_files files = open_files(cell);
        rc = serve_qmaster(cell, shown_job, &files, &ans);
        output_file_free(files.schedule);
        recorder_free(files.record);
    }
    log_answer(&ans);
    log_stop();
    ans_free(&ans);
    cell_free(cell);
    return rc < 0 ? 1 : 0;
}
