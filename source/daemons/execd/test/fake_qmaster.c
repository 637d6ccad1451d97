/* See fake_qmaster.h. Blocking descriptors with poll: the test is one thread. */
#include "daemons/execd/test/fake_qmaster.h"

#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemons/execd/run.h"
#include "libs/comm/frame.h"
#include "libs/sgeobj/task_key.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/process.h"
#include "libs/uti/signals.h"

enum { WAIT_MS = 20000, POLL_MS = 5 };

char *fake_path(const struct fake *f, const char *name)
{
    return path_join(f->root, name);
}

char *fake_text(const struct fake *f, const char *name)
{
    struct dstr text = DSTR_INIT;
    char *path = fake_path(f, name);
    (void)file_read(path, 1 << 20, &text, NULL);
    free(path);
    return dstr_take(&text);
}

bool fake_wait_file(const struct fake *f, const char *name)
{
    for (int i = 0; i < WAIT_MS / POLL_MS; i++) {
        char *text = fake_text(f, name);
        bool is_there = *text != '\0';
        free(text);
        if (is_there)
            return true;
        (void)poll(NULL, 0, POLL_MS);
    }
    return false;
}

void fake_open(struct fake *f, const char *bin_dir)
{
    char root[] = "/tmp/execd-test-XXXXXX";
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    *f = (struct fake){ .bin_dir = bin_dir, .listener = -1, .conn = -1 };
    assert_non_null(mkdtemp(root));
    assert_int_equal(chmod(root, 0777), 0);
    f->root = strdup(root);
    f->socket = fake_path(f, "s");
    f->spool = fake_path(f, "spool");
    struct passwd *pw = getpwuid(getuid());
    assert_non_null(pw);
    f->user = strdup(pw->pw_name);
    (void)snprintf(at.sun_path, sizeof at.sun_path, "%s", f->socket);
    f->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(f->listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(f->listener, 5), 0);
    (void)os_become_subreaper(); /* what an execd leaves comes to us */
}

static void run_execd(const struct fake *f)
{
    struct answer ans = ANSWER_INIT;
    char *sessions = fake_path(f, "sessions");
    struct execd_options o = { .host = "testhost",
                               .sge_root = f->root,
                               .sge_cell = "default",
                               .cluster_name = "default",
                               .bin_dir = f->bin_dir,
                               .socket = f->socket,
                               .session_socket = sessions,
                               .spool_dir = f->spool };
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    signal_default_all(); /* as its main: nohup and a shell's `&` have some ignored */
    (void)sigaction(SIGPIPE, &ignore, NULL);
    struct execd *x = execd_new(&o, &ans);
    if (x == NULL)
        _exit(ans.n > 0 && ans.v[0].status == STATUS_EEXIST ? 17 : 1);
    int rc = execd_run(x);
    execd_free(x);
    free(sessions);
    _exit(rc == 0 ? 0 : 1);
}

void fake_start_execd(struct fake *f)
{
    f->execd = fork();
    assert_true(f->execd >= 0);
    if (f->execd == 0) {
        (void)os_close_from(3);
        run_execd(f);
    }
}

void fake_kill_execd(struct fake *f, int sig)
{
    int status;
    assert_int_equal(kill(f->execd, sig), 0);
    assert_int_equal(waitpid(f->execd, &status, 0), f->execd);
    if (sig == SIGTERM)
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    f->execd = 0;
    fake_hang_up(f);
}

void fake_hang_up(struct fake *f)
{
    if (f->conn >= 0)
        close(f->conn);
    f->conn = -1;
    cull_clear(&cull_XM_Type, &f->pending);
}

static void wait_readable(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    assert_int_equal(poll(&p, 1, WAIT_MS), 1);
}

void fake_wait_lost(struct fake *f)
{
    char rest[256];
    do
        wait_readable(f->conn);
    while (read(f->conn, rest, sizeof rest) > 0);
    fake_hang_up(f);
}

static void read_all(int fd, void *data, size_t len)
{
    char *at = data;
    while (len > 0) {
        wait_readable(fd);
        ssize_t n = read(fd, at, len);
        assert_true(n > 0);
        at += n;
        len -= (size_t)n;
    }
}

/* the next message of the execd */
static void read_message(struct fake *f, struct XM_Type *out)
{
    uint8_t raw[COMM_HEADER_BYTES];
    struct frame_header h;
    do {
        read_all(f->conn, raw, sizeof raw);
        assert_int_equal(frame_header_unpack(raw, &h), 0);
        uint8_t *body = malloc(h.len + 1);
        read_all(f->conn, body, h.len);
        if (h.kind == GDI_FRAME_EXEC) {
            struct unpacker u = unpacker_over(body, h.len);
            assert_int_equal(cull_unpack(&u, &cull_XM_Type, NULL, NULL, out, NULL), 0);
        }
        free(body);
    } while (h.kind != GDI_FRAME_EXEC);
}

void fake_accept(struct fake *f, struct XM_Type *out)
{
    assert_int_equal(f->conn, -1);
    wait_readable(f->listener);
    f->conn = accept4(f->listener, NULL, NULL, SOCK_CLOEXEC);
    assert_true(f->conn >= 0);
    *out = (struct XM_Type){ 0 };
    read_message(f, out);
    assert_int_equal(out->XM_kind, EXEC_REGISTER);
}

void fake_bring_up(struct fake *f)
{
    struct XM_Type m;
    fake_start_execd(f);
    fake_accept(f, &m);
    cull_clear(&cull_XM_Type, &m);
}

void fake_send(struct fake *f, struct XM_Type *m)
{
    struct packer p = { 0 };
    uint8_t raw[COMM_HEADER_BYTES];
    cull_pack(&p, &cull_XM_Type, m, NULL);
    struct frame_header h = { .len = (uint32_t)p.len, .kind = GDI_FRAME_EXEC };
    frame_header_pack(&h, raw);
    assert_int_equal(file_write_all(f->conn, raw, sizeof raw), 0);
    assert_int_equal(file_write_all(f->conn, p.data, p.len), 0);
    packer_free(&p);
    cull_clear(&cull_XM_Type, m);
}

/* take the report out of what is pending; drops those of other states of the task */
static bool take_pending(struct fake *f, uint32_t job, uint32_t task, enum report_state state,
                         struct JR_Type *out)
{
    for (uint32_t i = 0; i < f->pending.XM_reports.n; i++) {
        struct JR_Type *r = &f->pending.XM_reports.v[i];
        struct task_key wanted = { job, task, f->petask }, said = task_key_of_report(r);
        if (task_key_compare(&wanted, &said) != 0 || r->JR_state != (uint32_t)state)
            continue;
        *out = (struct JR_Type){ 0 };
        cull_copy(&cull_JR_Type, out, r);
        cull_remove_at(&cull_JR_Type, (struct cull_list *)&f->pending.XM_reports, i);
        return true;
    }
    return false;
}

void fake_wait_report(struct fake *f, uint32_t job, uint32_t task, enum report_state state,
                      struct JR_Type *out)
{
    while (!take_pending(f, job, task, state, out)) {
        struct XM_Type m = { 0 };
        read_message(f, &m);
        for (uint32_t i = 0; i < m.XM_reports.n; i++)
            cull_copy(&cull_JR_Type, cull_append(&f->pending, XM_reports), &m.XM_reports.v[i]);
        cull_clear(&cull_XM_Type, &m);
    }
}

void fake_job(const struct fake *f, struct JB_Type *job, uint32_t number, const char *command)
{
    *job = (struct JB_Type){ 0 };
    cull_set(job, JB_job_number, number);
    cull_set(job, JB_job_name, "test");
    cull_set(job, JB_owner, f->user);
    cull_set(job, JB_script_file, command);
    cull_set(job, JB_type, 0x40 | 0x80);
    cull_set(job, JB_cwd, f->root);
    cull_set(job, JB_ja_first, 1);
    cull_set(job, JB_ja_last, 100000);
    cull_set(job, JB_ja_step, 1);
    cull_set(job, JB_merge_stderr, true);
    cull_set((struct PN_Type *)cull_append(job, JB_stdout_path_list), PN_path, "out");
}

static void add_elsewhere(struct JAT_Type *jat)
{
    struct JG_Type *entry = cull_append(jat, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, "all.q@elsewhere");
    cull_set(entry, JG_qhostname, "elsewhere");
    cull_set(entry, JG_slots, 3);
}

void fake_order(struct fake *f, const struct JB_Type *job, uint32_t number, uint32_t task,
                uint32_t attempt)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_START);
    if (job != NULL)
        cull_copy(&cull_JB_Type, cull_append(&m, XM_jobs), job);
    struct QU_Type *q = cull_append(&m, XM_queues);
    cull_set(q, QU_full_name, "all.q@testhost");
    cull_set(q, QU_qname, "all.q");
    struct VA_Type *tmpdir = cull_append(q, QU_settings);
    cull_set(tmpdir, VA_variable, "tmpdir");
    cull_set(tmpdir, VA_value, f->root);
    struct JAT_Type *jat = cull_append(&m, XM_tasks);
    cull_set(jat, JAT_job_number, number);
    cull_set(jat, JAT_task_number, task);
    cull_set(jat, JAT_attempt, attempt);
    cull_set(jat, JAT_pe_task_id, f->petask);
    if (f->is_slave)
        add_elsewhere(jat);
    struct JG_Type *entry = cull_append(jat, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, "all.q@testhost");
    cull_set(entry, JG_qhostname, "testhost");
    cull_set(entry, JG_slots, f->is_tight ? 2 : 1);
    if (f->is_slave)
        cull_set(jat, JAT_is_slave, true);
    if (f->is_tight)
        cull_set(&jat->JAT_granted_destin_identifier_list.v[0], JG_control_slaves, true);
    if (job != NULL && job->JB_pe != NULL && !f->is_slave)
        add_elsewhere(jat);
    fake_send(f, &m);
}

void fake_about(struct fake *f, enum exec_message kind, uint32_t sig, uint32_t job, uint32_t task,
                uint32_t attempt)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)kind);
    cull_set(&m, XM_signal, sig);
    struct JR_Type *r = cull_append(&m, XM_reports);
    struct task_key key = { job, task, f->petask };
    task_key_report(&key, attempt, r);
    fake_send(f, &m);
}

void fake_close(struct fake *f)
{
    struct process_list left = { 0 };
    struct answer ans = ANSWER_INIT;
    if (f->execd > 0)
        fake_kill_execd(f, SIGTERM);
    for (int i = 0; i < WAIT_MS / POLL_MS; i++) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        left.n = 0;
        process_descendants(getpid(), &left);
        if (left.n == 0)
            break;
        (void)poll(NULL, 0, POLL_MS);
    }
    assert_int_equal(left.n, 0);
    process_list_free(&left);
    fake_hang_up(f);
    close(f->listener);
    assert_int_equal(file_rmtree(f->root, &ans), 0);
    ans_free(&ans);
    free(f->root);
    free(f->socket);
    free(f->spool);
    free(f->user);
}
