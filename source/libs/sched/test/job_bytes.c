/* How much memory jobs take here, against what is said of it when they are submitted. */
#include <malloc.h>

#include "libs/sched/job_bytes.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"

enum { QUEUES = 2000, JOBS = 1000, NAMES = 50, TEXT = 2, TIME = 3 };

/* what job NUMBER asks for, with words of its own, which no other job has */
typedef void shape_fn(struct dstr *line, int number);

static void asks_nothing(struct dstr *line SGE_UNUSED, int number SGE_UNUSED) {}

static void has_a_deadline(struct dstr *line, int number)
{
    dstr_addf(line, " dl %d", 5000 + number);
}

static void asks_for_a_time(struct dstr *line, int number)
{
    dstr_addf(line, " l h_rt:%d=0:%d:%d", TIME, number / 60, number % 60);
}

static void asks_for_a_site(struct dstr *line, int number)
{
    dstr_addf(line, " l site:%d=%d", TEXT, number);
}

static void asks_for_memory(struct dstr *line, int number)
{
    dstr_addf(line, " l mem=%dM l h_rt:%d=1:0:0", number, TIME);
}

static void asks_for_hosts(struct dstr *line, int number)
{
    for (int i = 0; i < NAMES; i++)
        dstr_addf(line, " q all.q@h%d", (number + i * 37) % QUEUES);
}

static void asks_for_one_host(struct dstr *line, int number)
{
    dstr_addf(line, " q all.q@h%d", number);
}

static void asks_for_what_is_nowhere(struct dstr *line, int number)
{
    dstr_addf(line, " q no.q@a-host-of-%d.example.org", number);
}

static void would_rather_have_hosts(struct dstr *line, int number)
{
    for (int i = 0; i < NAMES; i++)
        dstr_addf(line, " softq all.q@h%d", (number + i * 37) % QUEUES);
}

static void would_rather_have_memory(struct dstr *line, int number)
{
    dstr_addf(line, " softl mem=%dM", number);
}

static void asks_for_slots(struct dstr *line, int number)
{
    dstr_addf(line, " pe smp %d-%d", number + 1, number + 7);
    for (int i = 0; i < NAMES; i++)
        dstr_addf(line, " masterq all.q@h%d", (number + i * 37) % QUEUES);
}

static const struct {
    const char *name;
    shape_fn *ask;
    bool has_places; /* in sets that other shapes do not have */
} shapes[] = {
    { "nothing", asks_nothing, false },
    { "deadline", has_a_deadline, false },
    { "h_rt", asks_for_a_time, false },
    { "site", asks_for_a_site, false },
    { "mem, h_rt", asks_for_memory, false },
    { "50 hosts", asks_for_hosts, true },
    { "one host", asks_for_one_host, true },
    { "no queue", asks_for_what_is_nowhere, false },
    { "50 hosts, soft", would_rather_have_hosts, false },
    { "mem, soft", would_rather_have_memory, false },
    { "pe, 50 masterq", asks_for_slots, false },
};

static size_t heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static struct sched *new_cell(void)
{
    struct sched *s = sched_new();
    feed(s, "object 11 mem shortcut mem type MEMORY relop <= requestable YES consumable YES "
            "default 0 urgency 5"); /* each amount is a class of urgency */
    feed(s, "object 11 h_rt shortcut h_rt type TIME relop <= requestable YES consumable NO default "
            "0:0:0 urgency 0");
    feed(s, "object 11 site shortcut site type STRING relop == requestable YES consumable NO "
            "default NONE urgency 0");
    feed(s, "object 12 smp slots 999 allocation_rule $pe_slots");
    for (int i = 0; i < QUEUES; i++) {
        feedf(s, "queue all.q@h%d 0 pes smp", i);
    }
    return s;
}

/* what sched_job_bytes says of all jobs of that shape */
static size_t feed_jobs(struct sched *s, shape_fn *ask)
{
    size_t said = 0;
    struct dstr line = DSTR_INIT;
    for (int i = 0; i < JOBS; i++) {
        dstr_clear(&line);
        dstr_addf(&line, "job %d 0 owner anna", i + 1);
        ask(&line, i);
        struct EV_Type *e = feed_event(dstr_get(&line));
        said += sched_job_bytes(&e->EV_jobs.v[0], QUEUES);
        assert_int_equal(sched_apply(s, e, NULL), 0);
        cull_delete(&cull_EV_Type, e);
    }
    dstr_free(&line);
    return said;
}

/* all of them have had their turn */
static void run_through(struct sched *s)
{
    struct OR_Type_list orders = { 0 };
    (void)sched_run(s, 1000, 1000, &orders);
    orders_clear(&orders);
}

/* of the places in ordinary sets, which an owner has so many of (supply/queue_set.h) */
static size_t place_bytes(void)
{
    return (size_t)QUEUES * SETS_OF_OWNER * (sizeof(struct queue_place) + sizeof(size_t));
}

static void what_is_said_of_a_job_is_what_it_takes_at_least(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        struct sched *s = new_cell();
        size_t before = heap_bytes();
        size_t said = feed_jobs(s, shapes[i].ask);
        run_through(s);
        size_t took = heap_bytes() - before;
        print_message("%-16s said %zu, took %zu for each\n", shapes[i].name, said / JOBS,
                      took / JOBS);
        sched_free(s);
        if (took == 0) {
            print_message("impossible here: a sanitizer has memory of its own\n");
            skip();
        }
        assert_true(took <= said + place_bytes());
        assert_true(shapes[i].has_places || took <= said);
        assert_true(said < 3 * took);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_of_a_job_is_what_it_takes_at_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
