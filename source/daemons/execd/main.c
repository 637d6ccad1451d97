/* sge_execd - starts and watches the tasks of one host. See sge_execd(8). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/run.h"
#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/signals.h"
#include "libs/uti/usage.h"

/* signals that our parent ignored, jobs would inherit; SIGPIPE alone is ours to ignore, and
 * privilege_spawn takes that back */
static void settle_signals(void)
{
    struct sigaction sa = { .sa_handler = SIG_IGN };
    signal_default_all();
    (void)sigaction(SIGPIPE, &sa, NULL);
}

static int run_execd(struct cell *cell, struct answer *ans)
{
    char host[HOST_NAME_BYTES];
    if (cell_bootstrap_read(cell, ans) != 0 || cell_aliases_read(cell, ans) != 0)
        return -1;
    if (os_hostname(host, sizeof host) != 0)
        return ans_fail(ans, STATUS_ESYSTEM, "gethostname");
    char *master = NULL;
    if (cell->port != 0 && (master = cell_qmaster_host(cell, ans)) == NULL)
        return -1;
    bool is_elsewhere = master != NULL && !host_name_equal(master, host);
    char *spool_dir = path_join(cell->spool_dir, host);
    char *relay_socket = cell_relay_socket(cell, host);
    char *session_socket = cell_session_socket(cell, host);
    char *cluster_name = cell_cluster_name(cell);
    char *papers = path_join(is_elsewhere ? spool_dir : cell->qmaster_spool_dir, "tls");
    char *authority = path_join(cell->qmaster_spool_dir, "authority");
    struct execd_options options = { .host = host,
                                     .sge_root = cell->root,
                                     .sge_cell = cell->name,
                                     .cluster_name = cluster_name,
                                     .bin_dir = cell->bin_dir,
                                     .socket = cell->socket,
                                     .spool_dir = spool_dir,
                                     .admin_user = cell->admin_user,
                                     .qmaster_host = is_elsewhere ? master : NULL,
                                     .port = cell->port,
                                     .relay_socket = relay_socket,
                                     .hook_users = cell->hook_users,
                                     .session_socket = session_socket,
                                     .session_port = cell->execd_port,
                                     .session_papers = papers,
                                     .session_gateway = cell->session_gateway,
                                     .session_ledger = is_elsewhere ? papers : authority,
                                     .refuses_root = cell->refuses_root };
    struct execd *x = execd_new(&options, ans);
    int rc = x != NULL && log_start(ans) == 0 ? execd_run(x) : -1;
    execd_free(x);
    free(spool_dir);
    free(relay_socket);
    free(session_socket);
    free(cluster_name);
    free(papers);
    free(authority);
    free(master);
    return rc;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    if (argc > 1)
        return usage_of_daemon("sge_execd", "", argv[1]);
    os_fill_standard_streams();
    settle_signals();
    umask(022);
    if (geteuid() ==
        0) /* and our shepherds: what eats the memory goes before those who look after it */
        (void)os_oom_adjust(OS_OOM_DAEMON);
    log_thread("main");
    struct cell *cell = cell_open(&ans);
    int rc = cell != NULL ? run_execd(cell, &ans) : -1;
    for (uint32_t i = 0; i < ans.n; i++)
        (void)fprintf(stderr, "sge_execd: %s\n", ans.v[i].text);
    log_stop();
    ans_free(&ans);
    cell_free(cell);
    return rc == 0 ? 0 : 1;
}
