/* What a task's files say of its cores, on a machine of two sockets with two cores of two threads
 * each. */
#include "daemons/execd/files/task_binding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemons/execd/host/cores.h"
#include "daemons/execd/test/text_input.h"
#include "libs/sgeobj/binding.h"

struct bound {
    struct input *i;
    struct topology t;
    struct core_set cores;
};

static int set_up(void **state)
{
    static struct bound b;
    b = (struct bound){ .i = input_new() };
    topology_read(&b.t, "pack:2 core:2 pu:2");
    b.i->place.host = "node1";
    b.i->in.topology = &b.t;
    b.i->in.cores = &b.cores;
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct bound *b = *state;
    void *input = b->i;
    core_set_free(&b->cores);
    topology_free(&b->t);
    return input_tear_down(&input);
}

/* the job asks for TEXT and, if that can be, gets it */
static bool job_asks(struct bound *b, enum binding_type type, const char *text)
{
    cull_clear_field(&cull_JB_Type, &b->i->job, JB_binding);
    struct BN_Type *bn = cull_append(&b->i->job, JB_binding);
    assert_null(binding_read(bn, text));
    cull_set(bn, BN_type, (uint32_t)type);
    const struct BN_Type *wish = task_binding_wish(&b->i->in);
    core_set_free(&b->cores);
    return wish != NULL && task_binding_choose(&b->i->in, wish, &b->t, &b->cores);
}

static void expect_text(struct bound *b, void (*add)(const struct task_text_input *, struct dstr *),
                        const char *wanted)
{
    dstr_clear(&b->i->text);
    add(&b->i->in, &b->i->text);
    assert_string_equal(dstr_get(&b->i->text), wanted);
}

static void a_job_that_does_not_ask_costs_no_line(void **state)
{
    struct bound *b = *state;
    assert_null(task_binding_wish(&b->i->in));
    expect_text(b, task_binding_config, "");
    expect_text(b, task_binding_environment, "");
}

static void a_bound_job_has_its_cores_and_their_processors(void **state)
{
    struct bound *b = *state;
    assert_true(job_asks(b, BINDING_SET, "explicit:1,1:0,0"));
    expect_text(b, task_binding_config,
                "binding=explicit:1,1:0,0:ScttCTTSCTTctt\nbinding_processors=6,7,0,1\n");
    expect_text(b, task_binding_environment, "SGE_BINDING=6 7 0 1\n");
}

static void one_that_binds_itself_is_told_the_processors(void **state)
{
    struct bound *b = *state;
    assert_true(job_asks(b, BINDING_ENV, "linear:1"));
    expect_text(b, task_binding_config, "binding=env_explicit:0,0:ScttCTTSCTTCTT\n");
    expect_text(b, task_binding_environment, "SGE_BINDING=0 1\n");
}

static const char *column_with(struct bound *b, const char *host, const char *letters)
{
    struct JG_Type entry = { 0 };
    cull_set(&entry, JG_qhostname, host);
    if (letters != NULL)
        cull_set(&entry, JG_binding, letters);
    dstr_clear(&b->i->text);
    task_binding_column(&b->i->in, &entry, &b->i->text);
    cull_clear(&cull_JG_Type, &entry);
    return dstr_get(&b->i->text);
}

static const char *column_of(struct bound *b, const char *host)
{
    return column_with(b, host, NULL);
}

static void the_file_of_hosts_has_the_cores_of_other_hosts(void **state)
{
    struct bound *b = *state;
    assert_true(job_asks(b, BINDING_PE, "linear:2"));
    assert_string_equal(column_with(b, "node2", "SCcScC"), "0,1:1,0");
    assert_string_equal(column_with(b, "node2", "SCC"), "UNDEFINED"); /* bound to none */
    assert_string_equal(column_with(b, "node1", "SCcScC"), "0,0:0,1");
    assert_false(job_asks(b, BINDING_PE, "linear:5")); /* not here, but there */
    assert_string_equal(column_with(b, "node1", NULL), "UNDEFINED");
    assert_string_equal(column_with(b, "node2", "Scc"), "0,0:0,1");
    assert_true(job_asks(b, BINDING_SET, "linear:2"));
    assert_string_equal(column_with(b, "node2", "SCcScC"), "UNDEFINED");
}

static void the_file_of_hosts_has_the_cores_of_this_host(void **state)
{
    struct bound *b = *state;
    assert_true(job_asks(b, BINDING_PE, "linear:2"));
    expect_text(b, task_binding_config, "binding=pe_explicit:0,0:0,1:ScttcttSCTTCTT\n");
    expect_text(b, task_binding_environment, "");
    assert_string_equal(column_of(b, "node1"), "0,0:0,1");
    assert_string_equal(column_of(b, "node2"), "UNDEFINED");
    assert_true(job_asks(b, BINDING_SET, "linear:2"));
    assert_string_equal(column_of(b, "node1"), "UNDEFINED");
}

static void one_that_cannot_be_bound_has_neither(void **state)
{
    struct bound *b = *state;
    assert_false(job_asks(b, BINDING_SET, "linear:5"));
    expect_text(b, task_binding_config, "binding=NULL\n");
    expect_text(b, task_binding_environment, "");
    assert_string_equal(column_of(b, "node1"), "UNDEFINED");
}

static void an_amount_that_is_not_there_is_the_slots_here(void **state)
{
    struct bound *b = *state;
    static const struct {
        const char *queue, *host;
        uint32_t slots;
    } granted[] = { { "a@node2", "node2", 4 },
                    { "a@node1", "node1", 2 },
                    { "b@node1", "node1", 1 } };
    for (size_t i = 0; i < ARRAY_LEN(granted); i++) {
        struct JG_Type *entry = cull_append(&b->i->task, JAT_granted_destin_identifier_list);
        cull_set(entry, JG_qname, granted[i].queue);
        cull_set(entry, JG_qhostname, granted[i].host);
        cull_set(entry, JG_slots, granted[i].slots);
    }
    assert_true(job_asks(b, BINDING_SET, "linear"));
    assert_int_equal(b->cores.n, 3);
}

static void processors_of_the_queue_bound_the_choice(void **state)
{
    struct bound *b = *state;
    set_queue(b->i, "processors", "3-5");
    assert_true(job_asks(b, BINDING_SET, "linear:1"));
    expect_text(b, task_binding_config,
                "binding=explicit:0,1:SCTTcttSCTTCTT\nbinding_processors=3\n");
    assert_false(job_asks(b, BINDING_SET, "explicit:0,0"));
}

static void a_site_may_switch_it_off(void **state)
{
    struct bound *b = *state;
    set_conf(b->i, "execd_params", "ENABLE_BINDING=false");
    assert_false(job_asks(b, BINDING_SET, "linear:1"));
    expect_text(b, task_binding_config, "binding=NULL\n");
}

static void what_was_written_is_read(void **state)
{
    struct bound *b = *state;
    static const char *const none[] = { "NULL", "", "explicit:", "explicit:7,7:SCC", "linear:1" };
    struct core_set cores = { 0 };
    assert_true(task_binding_read("pe_explicit:0,1:1,0:SCTTcttScttCTT", &b->t, &cores));
    assert_int_equal(cores.n, 2);
    assert_int_equal(cores.v[0], 1);
    assert_int_equal(cores.v[1], 2);
    for (size_t i = 0; i < ARRAY_LEN(none); i++) {
        assert_false(task_binding_read(none[i], &b->t, &cores));
        assert_int_equal(cores.n, 0);
    }
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_job_that_does_not_ask_costs_no_line),
        T(a_bound_job_has_its_cores_and_their_processors),
        T(one_that_binds_itself_is_told_the_processors),
        T(the_file_of_hosts_has_the_cores_of_this_host),
        T(the_file_of_hosts_has_the_cores_of_other_hosts),
        T(one_that_cannot_be_bound_has_neither),
        T(an_amount_that_is_not_there_is_the_slots_here),
        T(processors_of_the_queue_bound_the_choice),
        T(a_site_may_switch_it_off),
        T(what_was_written_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
