/* What a task's files say of its slots. */
#include "daemons/execd/files/task_allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "libs/uti/dstr.h"

struct input {
    struct JB_Type job;
    struct JAT_Type task;
    struct task_text_input in;
    struct dstr said;
};

static int set_up(void **state)
{
    static struct input i;
    /* no configuration: the defaults count */
    static const struct task_place place = { .host = "elsewhere" };
    i = (struct input){ .said = DSTR_INIT };
    i.in = (struct task_text_input){
        .place = &place, .job = &i.job, .task = &i.task, .task_dir = "/spool/active_jobs/12.4"
    };
    *state = &i;
    return 0;
}

static int tear_down(void **state)
{
    struct input *i = *state;
    cull_clear(&cull_JB_Type, &i->job);
    cull_clear(&cull_JAT_Type, &i->task);
    dstr_free(&i->said);
    return 0;
}

static void grant_slots(struct input *i, const char *queue, const char *host, uint32_t slots)
{
    struct JG_Type *entry = cull_append(&i->task, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, queue);
    cull_set(entry, JG_qhostname, host);
    cull_set(entry, JG_slots, slots);
}

static const char *text_said(struct input *i,
                             void (*add)(const struct task_text_input *, struct dstr *))
{
    dstr_clear(&i->said);
    add(&i->in, &i->said);
    return dstr_get(&i->said);
}

static void a_plain_task_has_one_slot_and_no_file(void **state)
{
    struct input *i = *state;
    grant_slots(i, "all.q@a", "a", 1);
    assert_string_equal(text_said(i, task_allocation_environment),
                        "NSLOTS=1\nNQUEUES=1\nNHOSTS=1\n");
    assert_string_equal(text_said(i, task_allocation_config), "pe=none\npe_slots=1\n");
}

static void a_task_that_nothing_is_said_of_has_one_slot(void **state)
{
    struct input *i = *state;
    assert_string_equal(text_said(i, task_allocation_environment),
                        "NSLOTS=1\nNQUEUES=1\nNHOSTS=1\n");
    assert_string_equal(text_said(i, task_allocation_config), "pe=none\npe_slots=1\n");
}

/* as captured of `qsub -pe smp 2` */
static void a_parallel_task_on_one_host(void **state)
{
    struct input *i = *state;
    cull_set(&i->job, JB_pe, "smp");
    grant_slots(i, "all.q@HOST", "HOST", 2);
    assert_string_equal(text_said(i, task_hostfile), "HOST 2 all.q@HOST UNDEFINED\n");
    assert_string_equal(text_said(i, task_allocation_environment),
                        "NSLOTS=2\nNQUEUES=1\nNHOSTS=1\nPE=smp\n"
                        "PE_HOSTFILE=/spool/active_jobs/12.4/pe_hostfile\n"
                        "SGE_RSH_COMMAND=builtin\n");
    assert_string_equal(text_said(i, task_allocation_config),
                        "pe=smp\npe_slots=2\nhost_slots=2\n"
                        "pe_hostfile=/spool/active_jobs/12.4/pe_hostfile\n");
}

static void each_entry_is_a_line_of_the_hostfile(void **state)
{
    struct input *i = *state;
    cull_set(&i->job, JB_pe, "mpi");
    grant_slots(i, "all.q@a", "a", 2);
    grant_slots(i, "big.q@a", "a", 3);
    grant_slots(i, "all.q@b", "b", 4);
    assert_string_equal(text_said(i, task_hostfile),
                        "a 2 all.q@a UNDEFINED\na 3 big.q@a UNDEFINED\nb 4 all.q@b UNDEFINED\n");
    assert_string_equal(text_said(i, task_allocation_environment),
                        "NSLOTS=9\nNQUEUES=3\nNHOSTS=2\nPE=mpi\n"
                        "PE_HOSTFILE=/spool/active_jobs/12.4/pe_hostfile\n"
                        "SGE_RSH_COMMAND=builtin\n");
    assert_string_equal(text_said(i, task_allocation_config),
                        "pe=mpi\npe_slots=9\nhost_slots=5\n"
                        "pe_hostfile=/spool/active_jobs/12.4/pe_hostfile\n");
}

/* of an entry: TIMES what a slot asks for */
static void take_memory(struct input *i, uint32_t entry, uint64_t times)
{
    struct TK_Type *taken =
        cull_append(&i->task.JAT_granted_destin_identifier_list.v[entry], JG_taken);
    cull_set(taken, TK_name, "h_vmem");
    cull_set(taken, TK_amount, times * (UINT64_C(300) << 20));
}

static void a_limit_that_the_job_is_charged_for_once_is_marked(void **state)
{
    struct input *i = *state;
    static const struct {
        uint64_t master, other; /* times 300M: the slots are 3 and 1 */
        bool is_marked;
    } cases[] = { { 3, 1, false }, { 1, 0, true }, { 1, 1, true }, { 0, 0, false } };
    struct CE_Type *request = cull_append(&i->job, JB_hard_resource_list);
    cull_set(request, CE_name, "h_vmem");
    cull_set(request, CE_stringval, "300M");
    cull_set(&i->job, JB_pe, "mpi");
    for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
        grant_slots(i, "all.q@a", "a", 3);
        grant_slots(i, "all.q@b", "b", 1);
        if (cases[k].master > 0)
            take_memory(i, 0, cases[k].master);
        if (cases[k].other > 0)
            take_memory(i, 1, cases[k].other);
        const char *config = text_said(i, task_allocation_config);
        assert_int_equal(strstr(config, "\nh_vmem_is_consumable_job=1\n") != NULL,
                         cases[k].is_marked);
        cull_clear(&cull_JAT_Type, &i->task);
    }
}

static void a_task_runs_the_procedures_that_its_environment_had(void **state)
{
    struct input *i = *state;
    cull_set(&i->job, JB_pe, "m*");
    grant_slots(i, "all.q@a", "a", 1);
    struct JG_Type *master = &i->task.JAT_granted_destin_identifier_list.v[0];
    cull_set(master, JG_pe, "mpi");
    cull_set(master, JG_pe_start, "/pe/start $pe_hostfile");
    cull_set(master, JG_pe_stop, "/pe/stop");
    assert_string_equal(text_said(i, task_allocation_config),
                        "pe=mpi\npe_slots=1\nhost_slots=1\n"
                        "pe_hostfile=/spool/active_jobs/12.4/pe_hostfile\n"
                        "pe_start=/pe/start $pe_hostfile\npe_stop=/pe/stop\n");
    cull_set(&i->task, JAT_pe_task_id, "1.a");
    assert_null(strstr(text_said(i, task_allocation_config), "pe_st"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(a_plain_task_has_one_slot_and_no_file),
        TEST(a_task_that_nothing_is_said_of_has_one_slot),
        TEST(a_parallel_task_on_one_host),
        TEST(a_task_runs_the_procedures_that_its_environment_had),
        TEST(a_limit_that_the_job_is_charged_for_once_is_marked),
        TEST(each_entry_is_a_line_of_the_hostfile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
