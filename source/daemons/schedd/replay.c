/* Replays of records, and questions about their last moment. */
#include "daemons/schedd/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/schedd/msg_schedd.h"
#include "libs/resource/timeline.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/services.h"
#include "libs/sched/record.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"
#include "libs/uti/usage.h"

struct question {
    const char *file, *without;
    uint32_t job; /* 0: none */
};

/* ---- arguments ---- */
const char replay_options[] =
    "   [-replay file]                           repeat what a record of the scheduler says\n"
    "   [-start job_id]                          when the job could start then\n"
    "   [-without host]                          if that host were gone\n";

bool replay_is_asked(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "-replay") == 0;
}

static const char *read_arguments(int argc, char **argv, struct question *q)
{
    *q = (struct question){ .file = argc > 2 ? argv[2] : NULL };
    if (q->file == NULL)
        return argv[1];
    for (int i = 3; i < argc; i += 2) {
        bool has_value = i + 1 < argc;
        if (has_value && strcmp(argv[i], "-without") == 0)
            q->without = argv[i + 1];
        else if (!has_value || strcmp(argv[i], "-start") != 0 || !parse_u32(argv[i + 1], &q->job) ||
                 q->job == 0)
            return argv[i];
    }
    return q->without != NULL && q->job == 0 ? "-without" : NULL;
}

/* ---- questions ---- */
static bool is_on(const struct sched_queue *q, const char *host)
{
    const char *at = strchr(q->name, '@');
    return at != NULL && host_name_equal(at + 1, host);
}

/* its queue instances go, whatever runs there goes on; returns how many they were */
static uint32_t remove_host(struct sched *s, const char *host)
{
    struct sched_queue *q, *next;
    uint32_t n = 0;
    HASH_ITER(hh, s->cell.queues, q, next)
        if (is_on(q, host)) {
            struct EV_Type gone = { 0 };
            cull_set(&gone, EV_kind, (uint32_t)EV_QUEUE_DEL);
            cull_set(&gone, EV_queue, q->name);
            (void)sched_apply(s, &gone, NULL);
            cull_clear(&cull_EV_Type, &gone);
            n++;
        }
    return n;
}

static int answer_question(const struct question *q, struct sched *s, struct answer *ans)
{
    uint64_t at_s = TIME_FOREVER;
    if (s == NULL || job_find(&s->jobs, q->job) == NULL)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_REPLAY_JOB_U, q->job);
    if (q->without != NULL && remove_host(s, q->without) == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_REPLAY_HOST_S, q->without);
    (void)sched_earliest_start(s, q->job, 0, &at_s);
    struct dstr when = DSTR_INIT;
    if (at_s < TIME_FOREVER)
        uti_time_us_date(at_s, &when);
    printf("job %u: %s%s\n", q->job,
           at_s < TIME_FOREVER ? "could start at " : "no start is foreseen", dstr_get(&when));
    dstr_free(&when);
    return 0;
}

/* ---- the replay ---- */
static int replay_bytes(const struct question *q, const void *data, size_t bytes,
                        struct answer *ans)
{
    struct record_replay r;
    uint64_t began_us = uti_mono_us();
    int rc = record_replay(data, bytes, &r, ans);
    uint64_t took_ms = (uti_mono_us() - began_us) / 1000;
    printf("%llu schedulers, %llu events, %llu decisions, %llu orders in %llu ms%s\n",
           (unsigned long long)r.n_schedulers, (unsigned long long)r.n_events,
           (unsigned long long)r.n_decisions, (unsigned long long)r.n_orders,
           (unsigned long long)took_ms, rc == 0 ? ": all as recorded" : "");
    if (rc == 0 && r.left_bytes > 0)
        printf("the last %zu bytes of the record are not whole\n", r.left_bytes);
    if (rc == 0 && q->job != 0)
        rc = answer_question(q, r.sched, ans);
    record_replay_free(&r);
    return rc;
}

static int replay_file(const struct question *q, struct answer *ans)
{
    struct stat st;
    int fd = open(q->file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        return ans_sys(ans, errno, MSG_REPLAY_READ);
    size_t bytes = (size_t)st.st_size;
    void *data = bytes > 0 ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    int err = errno;
    close(fd);
    if (data == MAP_FAILED)
        return ans_sys(ans, err, MSG_REPLAY_READ);
    int rc = replay_bytes(q, data, bytes, ans);
    if (data != NULL)
        munmap(data, bytes);
    return rc;
}

int replay_main(int argc, char **argv)
{
    struct question q;
    struct answer ans = ANSWER_INIT;
    const char *bad = read_arguments(argc, argv, &q);
    if (bad != NULL)
        return usage_of_daemon("sge_schedd", replay_options, bad);
    int rc = replay_file(&q, &ans);
    fflush(stdout);
    if (rc < 0)
        fprintf(stderr, "sge_schedd: %s: %s\n", q.file, ans_first_error(&ans));
    ans_free(&ans);
    return rc < 0 ? 1 : 0;
}
