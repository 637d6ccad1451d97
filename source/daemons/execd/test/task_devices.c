/* The devices of a task as its environment says them. */
#include "daemons/execd/files/task_allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"

struct input {
    struct CONF_Type global;
    struct task_place place;
    struct JB_Type job;
    struct JAT_Type task;
    struct task_text_input in;
    struct dstr said;
};

static int set_up(void **state)
{
    static struct input i;
    i = (struct input){ .said = DSTR_INIT, .place = { .host = "a", .global_conf = &i.global } };
    i.in = (struct task_text_input){ .place = &i.place, .job = &i.job, .task = &i.task };
    *state = &i;
    return 0;
}

static int tear_down(void **state)
{
    struct input *i = *state;
    cull_clear(&cull_CONF_Type, &i->global);
    cull_clear(&cull_JAT_Type, &i->task);
    dstr_free(&i->said);
    return 0;
}

static struct JG_Type *add_entry(struct input *i, const char *host)
{
    struct JG_Type *entry = cull_append(&i->task, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qhostname, host);
    return entry;
}

/* NAMES have blanks between; NULL: an amount, and no devices */
static void add_taken(struct JG_Type *entry, const char *resource, const char *names)
{
    struct TK_Type *taken = cull_append(entry, JG_taken);
    cull_set(taken, TK_name, resource);
    cull_set(taken, TK_amount, 1);
    for (const char *at = names; at != NULL && *at != '\0';) {
        size_t len = strcspn(at, " ");
        struct dstr name = DSTR_INIT;
        dstr_addn(&name, at, len);
        struct ST_Type *device = cull_append(taken, TK_devices);
        cull_set(device, ST_name, dstr_get(&name));
        dstr_free(&name);
        at += len + (at[len] == ' ');
    }
}

static void set_params(struct input *i, const char *params)
{
    struct VA_Type *va = cull_append(&i->global, CONF_entries);
    cull_set(va, VA_variable, "execd_params");
    cull_set(va, VA_value, params);
}

static void expect_environment(struct input *i, const char *text)
{
    dstr_clear(&i->said);
    task_devices_environment(&i->in, &i->said);
    assert_string_equal(dstr_get(&i->said), text);
}

static void each_resource_with_devices_is_a_variable(void **state)
{
    struct input *i = *state;
    expect_environment(i, "");
    struct JG_Type *entry = add_entry(i, "a");
    add_taken(entry, "fpga", "left");
    add_taken(entry, "gpu", "0 2");
    add_taken(entry, "mem", NULL);
    expect_environment(i, "SGE_HGR_fpga=left\nSGE_HGR_gpu=0 2\n");
}

static void devices_of_other_hosts_are_not_said_here(void **state)
{
    struct input *i = *state;
    add_taken(add_entry(i, "b"), "gpu", "0 1");
    add_taken(add_entry(i, "a"), "gpu", "2");
    add_taken(add_entry(i, "a"), "gpu", "3 4");
    expect_environment(i, "SGE_HGR_gpu=2 3 4\n");
    i->place.host = "b";
    expect_environment(i, "SGE_HGR_gpu=0 1\n");
    i->place.host = "c";
    expect_environment(i, "");
}

static void the_variables_that_are_configured_have_commas(void **state)
{
    struct input *i = *state;
    set_params(i, "DEVICE_VARIABLES=gpu:CUDA_VISIBLE_DEVICES;amd:ROCR_VISIBLE_DEVICES");
    add_taken(add_entry(i, "a"), "gpu", "0 2");
    expect_environment(i, "SGE_HGR_gpu=0 2\nCUDA_VISIBLE_DEVICES=0,2\nROCR_VISIBLE_DEVICES=\n");
    assert_true(task_devices_set(&i->place, "CUDA_VISIBLE_DEVICES"));
    assert_true(task_devices_set(&i->place, "ROCR_VISIBLE_DEVICES"));
    assert_false(task_devices_set(&i->place, "gpu"));
    assert_false(task_devices_set(&i->place, "CUDA"));
}

static void what_is_no_pair_or_no_variable_is_passed_by(void **state)
{
    struct input *i = *state;
    set_params(i, "DEVICE_VARIABLES=gpu;:;gpu:;gpu:1X;gpu:A-B;gpu:HOME;gpu:SGE_HGR_gpu;;gpu:GPUS");
    add_taken(add_entry(i, "a"), "gpu", "7");
    expect_environment(i, "SGE_HGR_gpu=7\nGPUS=7\n");
    assert_false(task_devices_set(&i->place, "HOME"));
    assert_true(task_devices_set(&i->place, "GPUS"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(each_resource_with_devices_is_a_variable),
        TEST(devices_of_other_hosts_are_not_said_here),
        TEST(the_variables_that_are_configured_have_commas),
        TEST(what_is_no_pair_or_no_variable_is_passed_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
