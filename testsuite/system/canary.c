/* canary KIND [FILE] - one question of somebody who does no harm, asked every 50 ms until stdin
 * ends; for tests that want to know what others notice of a load. Each answer is a line: when it
 * was due (microseconds of the monotonic clock), how long it took from then on, and what became of
 * it: ok, refused or lost. A question that could not be asked in time counts from when it was due,
 * as somebody would have come then.
 *
 *   read     qstat: the caller's jobs, on a new connection
 *   submit   qsub of a held job and qdel of it, in turn, each on a new connection
 *   start    qsub, until the job has made FILE, which it does first of all
 *   tls      a handshake at the qmaster's port, as somebody who wants to join
 *   report   an execd's report of an end, until the qmaster acknowledges it; in the place of the
 *            host's execd, as root
 *   control  no question: as many hands as a submit goes through, and a sync of FILE. It shows
 *            what the machine does.
 *   cpu      no question: 2 ms of work. It shows how much of a processor one gets. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "handshake.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"
#include "peer.h"

enum {
    EVERY_US = 50000,
    START_EVERY_US = 500000,
    LOOK_US = 2000,
    US_OF_MS = 1000,
    PATIENCE_MS = 30000,
    HOST_BYTES = 256,
    HANDS = 4
};
enum { SPIN_US = 2000, US_OF_S = 1000000, NS_OF_US = 1000 };
enum outcome { OK, REFUSED, LOST };

struct canary {
    const char *file;        /* start: what the job makes */
    struct peer execd;       /* report: its connection */
    uint32_t job;            /* submit: what the next one deletes; 0: it submits */
    int to_first, from_last; /* control: pipes */
};

static enum outcome outcome_of(int rc)
{
    return rc == 0 ? OK : rc > 0 ? REFUSED : LOST;
}

/* ---- read ---- */
static enum outcome ask_read(struct canary *c)
{
    static const char *const fields[] = { "JB_job_number", "JB_job_name", "JB_owner",
                                          "JB_submission_time" };
    struct GR_Type gr = { 0 };
    (void)c;
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_options, (uint32_t)GDI_WITH_TASKS);
    struct ST_Type *user = cull_append(&gr, GR_users);
    cull_set(user, ST_name, getenv("USER"));
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct ST_Type *field = cull_append(&gr, GR_fields);
        cull_set(field, ST_name, fields[i]);
    }
    int rc = peer_ask(&gr, PATIENCE_MS, NULL);
    cull_clear(&cull_GR_Type, &gr);
    return outcome_of(rc);
}

/* ---- submit ---- */
static void put_delete(struct GR_Type *gr, uint32_t job)
{
    char text[16];
    snprintf(text, sizeof text, "%u", job);
    cull_set(gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
    struct ID_Type *id = cull_append(gr, GR_select);
    cull_set(id, ID_str, text);
}

static enum outcome ask_submit(struct canary *c)
{
    struct GR_Type gr = { 0 };
    struct GA_Type ga = { 0 };
    if (c->job != 0)
        put_delete(&gr, c->job);
    else
        peer_held_job(&gr, "canary");
    int rc = peer_ask(&gr, PATIENCE_MS, &ga);
    c->job = c->job == 0 ? ga.GA_job_number : 0;
    cull_clear(&cull_GR_Type, &gr);
    cull_clear(&cull_GA_Type, &ga);
    return outcome_of(rc);
}

/* ---- start ---- */
static enum outcome await_file(const char *path)
{
    for (uint64_t until_us = uti_mono_us() + PATIENCE_MS * US_OF_MS; uti_mono_us() < until_us;) {
        if (access(path, F_OK) == 0)
            return OK;
        usleep(LOOK_US);
    }
    return LOST;
}

static enum outcome ask_start(struct canary *c)
{
    struct GR_Type gr = { 0 };
    (void)unlink(c->file);
    struct JB_Type *job = peer_job(&gr, "canary");
    cull_set(job, JB_script_file, "/usr/bin/touch");
    struct ST_Type *argument = cull_append(job, JB_job_args);
    cull_set(argument, ST_name, c->file);
    int rc = peer_ask(&gr, PATIENCE_MS, NULL);
    cull_clear(&cull_GR_Type, &gr);
    return rc == 0 ? await_file(c->file) : outcome_of(rc);
}

/* ---- tls ---- */
static int connect_port(void)
{
    struct cell *cell = cell_open(NULL);
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct timeval patience = { .tv_sec = PATIENCE_MS / US_OF_MS };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (cell != NULL && cell_bootstrap_read(cell, NULL) == 0)
        a.sin_port = htons(cell->port);
    cell_free(cell);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&a, sizeof a) == 0)
        return fd;
    close(fd);
    return -1;
}

static enum outcome ask_tls(struct canary *c)
{
    int fd = connect_port();
    (void)c;
    if (fd < 0)
        return LOST;
    enum outcome what = handshake(fd) == 0 ? OK : LOST;
    close(fd);
    return what;
}

/* ---- report ---- */
static int send_exec(struct canary *c, struct XM_Type *m)
{
    struct packer body = { 0 };
    cull_pack(&body, &cull_XM_Type, m, NULL);
    int rc = peer_frame(&c->execd, GDI_FRAME_EXEC, body.data, body.len);
    packer_free(&body);
    cull_clear(&cull_XM_Type, m);
    return rc;
}

static int open_execd(struct canary *c)
{
    struct XM_Type m = { 0 };
    char host[HOST_BYTES];
    if (c->execd.fd >= 0)
        return 0;
    os_hostname(host, sizeof host);
    cull_set(&m, XM_kind, (uint32_t)EXEC_REGISTER);
    struct EH_Type *rec = cull_append(&m, XM_hosts);
    cull_set(rec, EH_name, host);
    if (peer_open(&c->execd) == 0 && peer_greet(&c->execd) == 0 && send_exec(c, &m) == 0)
        return 0;
    cull_clear(&cull_XM_Type, &m);
    return -1;
}

static bool is_acknowledgement(const struct frame *f)
{
    struct XM_Type m = { 0 };
    struct unpacker u = unpacker_over_own(f->body, f->len);
    bool is = f->kind == GDI_FRAME_EXEC &&
              cull_unpack(&u, &cull_XM_Type, NULL, NULL, &m, NULL) == 0 &&
              m.XM_kind == EXEC_END_ACK;
    cull_clear(&cull_XM_Type, &m);
    return is;
}

static int await_acknowledgement(struct canary *c)
{
    bool is_it = false;
    while (!is_it) {
        struct frame f;
        if (peer_recv(&c->execd, PATIENCE_MS, &f) != 0)
            return -1;
        is_it = is_acknowledgement(&f);
        free(f.body);
    }
    return 0;
}

static enum outcome ask_report(struct canary *c)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REPORTS);
    struct JR_Type *end = cull_append(&m, XM_reports); /* of a job that nobody knows any more */
    cull_set(end, JR_job_number, 9999999u);
    cull_set(end, JR_task_number, 1u);
    cull_set(end, JR_attempt, 1u);
    cull_set(end, JR_state, (uint32_t)REPORT_ENDED);
    if (open_execd(c) == 0 && send_exec(c, &m) == 0 && await_acknowledgement(c) == 0)
        return OK;
    cull_clear(&cull_XM_Type, &m);
    peer_close(&c->execd);
    return LOST;
}

/* ---- control ---- */
static void hand_on(int from, int to, int synced)
{
    char token;
    while (read(from, &token, 1) == 1)
        if ((synced >= 0 && (pwrite(synced, &token, 1, 0) != 1 || fdatasync(synced) != 0)) ||
            write(to, &token, 1) != 1)
            _exit(1);
    _exit(0);
}

/* a process that hands on what it reads from FROM; the last one syncs the file first. Returns
 * where it hands it to, or -1. */
static int start_hand(struct canary *c, int from, int synced)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid == 0) {
        close(c->to_first);
        close(ends[0]);
        hand_on(from, ends[1], synced);
    }
    close(from);
    close(ends[1]);
    return ends[0];
}

static int open_control(struct canary *c, const char *path)
{
    int ends[2], synced = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (synced < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    c->to_first = ends[1];
    c->from_last = ends[0];
    for (int i = 0; i < HANDS && c->from_last >= 0; i++)
        c->from_last = start_hand(c, c->from_last, i == HANDS - 1 ? synced : -1);
    close(synced);
    return c->from_last >= 0 ? 0 : -1;
}

static enum outcome ask_control(struct canary *c)
{
    char token = 0;
    return write(c->to_first, &token, 1) == 1 && read(c->from_last, &token, 1) == 1 ? OK : LOST;
}

static uint64_t worked_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * US_OF_S + (uint64_t)t.tv_nsec / NS_OF_US;
}

static enum outcome ask_cpu(struct canary *c)
{
    uint64_t begin_us = worked_us();
    (void)c;
    while (worked_us() - begin_us < SPIN_US)
        continue;
    return OK;
}

/* ---- the rhythm ---- */
typedef enum outcome (*ask_fn)(struct canary *c);
static const struct {
    const char *name;
    ask_fn ask;
    uint64_t every_us;
} kinds[] = { { "read", ask_read, EVERY_US },
              { "submit", ask_submit, EVERY_US },
              { "start", ask_start, START_EVERY_US },
              { "tls", ask_tls, EVERY_US },
              { "report", ask_report, EVERY_US },
              { "control", ask_control, EVERY_US },
              { "cpu", ask_cpu, EVERY_US } };

static ask_fn kind_of(const char *name, uint64_t *every_us)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        *every_us = kinds[i].every_us;
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].ask;
    }
    return NULL;
}

/* true when stdin ended before DUE */
static bool ends_before(uint64_t due_us)
{
    struct pollfd in = { STDIN_FILENO, POLLIN, 0 };
    uint64_t now_us = uti_mono_us();
    int ms = due_us > now_us ? (int)((due_us - now_us + US_OF_MS - 1) / US_OF_MS) : 0;
    return poll(&in, 1, ms) != 0;
}

/* all that fell due while one question waited, each with its own time */
static uint64_t note(uint64_t due_us, uint64_t every_us, uint64_t now_us, enum outcome what)
{
    static const char *const names[] = { "ok", "refused", "lost" };
    for (; due_us <= now_us; due_us += every_us)
        printf("%llu %llu %s\n", (unsigned long long)due_us, (unsigned long long)(now_us - due_us),
               names[what]);
    fflush(stdout);
    return due_us;
}

int main(int argc, char **argv)
{
    struct canary c = { .execd = { .fd = -1 }, .to_first = -1, .from_last = -1 };
    uint64_t every_us;
    ask_fn ask = argc > 2 ? kind_of(argv[1], &every_us) : NULL;
    if (ask == NULL || (ask == ask_control && open_control(&c, argv[2]) != 0)) {
        fprintf(stderr, "usage: canary read|submit|start|tls|report|control|cpu FILE\n");
        return 2;
    }
    c.file = argv[2];
    uint64_t due_us = uti_mono_us() + every_us;
    while (!ends_before(due_us)) {
        enum outcome what = ask(&c);
        due_us = note(due_us, every_us, uti_mono_us(), what);
    }
    peer_close(&c.execd);
    return 0;
}
