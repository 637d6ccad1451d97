/* sge_qmaster: sets up state and threads, waits for a signal, tears down. Source:
 * sge_qmaster(8). */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/version.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/account_reader.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/mail_process.h"
#include "daemons/qmaster/io/mailer.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/privilege.h"
#include "daemons/qmaster/sched/msg_sched.h"
#include "daemons/qmaster/sched/schedd.h"
#include "daemons/qmaster/state.h"
#include "libs/comm/server.h"
#include "libs/gdi/cell.h"
#include "libs/spool/spool.h"
#include "libs/uti/alloc.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/usage.h"

enum { STOP_MS = 1800 };
enum thread { NETWORK, COMMITTER, CHECKPOINT, CORE, FETCHER, ACCOUNTS, THREADS };

static void *core_thread(void *ctx)
{
    core_run(ctx);
    kill(getpid(), SIGUSR1); /* the main thread waits for this one, whoever ended the core */
    return NULL;
}

static void *network_thread(void *ctx)
{
    net_run(((struct qmaster *)ctx)->net);
    return NULL;
}

static void *committer_thread(void *ctx)
{
    committer_run(((struct qmaster *)ctx)->committer);
    return NULL;
}

static void *fetcher_thread(void *ctx)
{
    fetcher_run(((struct qmaster *)ctx)->fetcher);
    return NULL;
}

static void *account_thread(void *ctx)
{
    account_reader_run(((struct qmaster *)ctx)->account_reader);
    return NULL;
}

static void *checkpoint_thread(void *ctx)
{
    log_thread("checkpoint");
    spool_checkpoint_loop(((struct qmaster *)ctx)->spool);
    return NULL;
}

static struct spool *open_spool(const struct cell *cell, struct answer *ans)
{
    const char *dir = cell->database_dir;
    char *marker = cell_path(cell, "spool_made");
    struct spool_options options = { .is_new = access(dir, F_OK) != 0,
                                     .keeps_newer = cell->keeps_newer_spool };
    struct spool *s = NULL;
    /* a spool that is gone (a file system not mounted) must not look like a new cell: all jobs would be lost unseen */
    if (options.is_new && access(marker, F_OK) == 0)
        ans_fail(ans, STATUS_ESYSTEM, MSG_SPOOL_LOST_SS, marker, dir);
    else
        s = spool_open(dir, &options, ans);
    if (s != NULL && access(marker, F_OK) != 0 &&
        file_replace(marker, dir, strlen(dir), 0644, ans) != 0) {
        spool_close(s);
        s = NULL;
    }
    free(marker);
    return s;
}

/* at the cell's port, if it has one */
static int listen_to_hosts(struct qmaster *q, struct answer *ans)
{
    if (q->cell->port == 0)
        return 0;
    char *own = path_join(q->cell->qmaster_spool_dir, "tls");
    char *authority = path_join(q->cell->qmaster_spool_dir, "authority");
    int rc =
        net_listen_to_hosts(q->net, q->cell->port, &(struct net_papers){ own, authority }, ans);
    free(own);
    free(authority);
    return rc;
}

static int read_state(struct qmaster *q, struct answer *ans)
{
    char *accounting = cell_path(q->cell, "accounting"), *setup = cell_path(q->cell, "cell_setup");
    int rc = -1;
    q->spool = open_spool(q->cell,
                          ans); /* and lock it: from here on we are the one qmaster of this cell */
    if (q->spool != NULL)
        q->net = net_new(q->cell->socket, q->host, q->inbox, ans);
    if (q->net != NULL && listen_to_hosts(q, ans) == 0)
        rc = state_load(q, accounting, setup, net_server(q->net), ans);
    free(accounting);
    free(setup);
    return rc;
}

static int write_pid(const struct cell *cell, struct answer *ans)
{
    char *path = path_join(cell->qmaster_spool_dir, "qmaster.pid");
    char text[32];
    int n = snprintf(text, sizeof text, "%d\n", (int)getpid());
    int rc = file_write(path, text, (size_t)n, 0644, ans);
    free(path);
    return rc;
}

static void more_descriptors(void)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most) == 0) {
        most.rlim_cur = most.rlim_max;
        setrlimit(RLIMIT_NOFILE, &most);
    }
}

/* those that ask for the end */
static sigset_t end_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    return ends;
}

/* SIGUSR1 is the core thread's word to the main thread */
static void block_signals(void)
{
    sigset_t all = end_signals();
    sigaddset(&all, SIGUSR1);
    sigaddset(&all, SIGHUP);
    sigaddset(&all, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void adopt_schedd(void *ctx, int fd)
{
    struct comm_peer peer = { .uid = geteuid(), .gid = getegid() };
    comm_server_adopt(net_server(ctx), fd, &peer);
}

/* The end takes no longer than this, and a second signal does not wait for it: ending here is no
 * more than what kill -9 does, after which nothing acknowledged is missing. */
static void *hurry_thread(void *status)
{
    static const struct timespec patience = { .tv_sec = STOP_MS / 1000,
                                              .tv_nsec = STOP_MS % 1000 * 1000000 };
    sigset_t ends = end_signals();
    int sig;
    do
        sig = sigtimedwait(&ends, NULL, &patience);
    while (sig < 0 && errno == EINTR);
    log_msg(LOG_LEVEL_CRITICAL, MSG_STOPPED_HARD_S, sig > 0 ? MSG_STOP_AGAIN : MSG_STOP_LATE);
    _exit((int)(intptr_t)status);
}

/* Until a signal asks for the end, or the core has ended by itself. SIGHUP means that the messages
 * file was moved. */
static void wait_for_end(struct qmaster *q)
{
    pthread_t hurry;
    sigset_t ends = end_signals();
    int sig;
    sigaddset(&ends, SIGUSR1);
    sigaddset(&ends, SIGHUP);
    while (sigwait(&ends, &sig) != 0 || sig == SIGHUP)
        log_reopen();
    /* read here: the thread may begin when the committer is gone */
    intptr_t status = committer_has_failed(q->committer) ? 1 : 0;
    if (pthread_create(&hurry, NULL, hurry_thread, (void *)status) == 0)
        pthread_detach(hurry);
    inbox_put(q->inbox, note_new(NOTE_STOP, 0));
}

static void run_qmaster(struct qmaster *q)
{
    static void *(*const bodies[THREADS])(void *) = {
        [NETWORK] = network_thread,       [COMMITTER] = committer_thread,
        [CHECKPOINT] = checkpoint_thread, [CORE] = core_thread,
        [FETCHER] = fetcher_thread,       [ACCOUNTS] = account_thread,
    };
    static const char *const names[THREADS] = { "network", "committer", "checkpoint",
                                                "core",    "fetcher",   "accounts" };
    pthread_t threads[THREADS];
    char *schedd = path_join(q->cell->bin_dir, "sge_schedd");
    q->schedd = schedd_keep(schedd, adopt_schedd, q->net);
    free(schedd);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, bodies[i], q) != 0) {
            log_msg(LOG_LEVEL_CRITICAL, MSG_THREAD_S, names[i]);
            _exit(1);
        }
    wait_for_end(q);
    pthread_join(threads[CORE], NULL);
    inbox_close(q->inbox);
    committer_stop(q->committer);
    mailer_stop(q->mailer);
    fetcher_stop(q->fetcher);
    account_reader_stop(q->account_reader);
    spool_stop_checkpoints(q->spool);
    schedd_stop(q->schedd);
    pthread_join(threads[FETCHER], NULL);
    pthread_join(threads[ACCOUNTS], NULL);
    pthread_join(threads[COMMITTER], NULL);
    pthread_join(threads[CHECKPOINT], NULL);
    net_stop(q->net);
    pthread_join(threads[NETWORK], NULL);
}

static int start_qmaster(struct qmaster *q, struct cell *cell, struct answer *ans)
{
    char *messages;
    umask(022);
    if (cell_bootstrap_read(cell, ans) != 0 || cell_aliases_read(cell, ans) != 0)
        return -1;
    more_descriptors();
    uint32_t n_before = ans->n;
    int mail_fd = privilege_start_mail(cell, ans);
    if (ans->n > n_before || privilege_drop(cell, ans) != 0)
        return -1;
    q->cell = cell;
    q->only_uid = cell->admin_user != NULL ? 0 : geteuid();
    /* whoever that is (rights.h) always is a manager of the cell; new: free() */
    const struct passwd *pw = getpwuid(geteuid());
    q->runs_as = pw != NULL ? uti_strdup(pw->pw_name) : NULL;
    q->refuses_root = cell->refuses_root;
    q->keeps_newer = cell->keeps_newer_spool;
    block_signals();
    if (file_mkdirs(cell->qmaster_spool_dir, 0755, ans) != 0)
        return -1;
    messages = path_join(cell->qmaster_spool_dir, "messages");
    int rc = log_open(messages, q->host, LOG_LEVEL_INFO, ans);
    free(messages);
    if (rc != 0 || log_start(ans) != 0 || read_state(q, ans) != 0 || write_pid(cell, ans) != 0)
        return -1;
    if (geteuid() == 0) {
        log_msg(LOG_LEVEL_WARNING, MSG_RUNS_AS_ROOT);
        log_msg(LOG_LEVEL_INFO, MSG_NO_MAIL_OF_ROOT);
    } else {
        q->mailer = mailer_new(mail_fd, MAIL_DEADLINE_MS, MAIL_REST_MS);
        committer_send_mails(q->committer, q->mailer);
    }
    log_msg(LOG_LEVEL_INFO, MSG_STARTED_SU, SGE_VERSION_LINE, q->jobs.n);
    run_qmaster(q);
    if (committer_has_failed(q->committer))
        return -1; /* the reason is in the log */
    log_msg(LOG_LEVEL_INFO, MSG_STOPPED);
    return 0;
}

int main(int argc, char **argv)
{
    char host[HOST_NAME_BYTES] = "localhost";
    struct answer ans = ANSWER_INIT;
    struct qmaster q = { .host = host };
    if (argc > 1)
        return usage_of_daemon("sge_qmaster", "", argv[1]);
    os_fill_standard_streams();
    os_return_large_blocks();
    os_hostname(host, sizeof host);
    struct cell *cell = cell_open(&ans);
    state_init(&q);
    int rc = cell != NULL ? start_qmaster(&q, cell, &ans) : -1;
    for (uint32_t i = 0; i < ans.n; i++)
        fprintf(stderr, "sge_qmaster: %s\n", ans.v[i].text);
    log_answer(&ans);
    log_stop();
    state_free(&q);
    free(q.runs_as);
    cell_free(cell);
    ans_free(&ans);
    return rc == 0 ? 0 : 1;
}
