/* Users in front of hooks: queue_conf(5) prolog, bootstrap(5) hook_users. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "daemons/execd/files/task_hooks.h"
#include "daemons/execd/host/user.h"
#include "daemons/execd/test/text_input.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static int set_up(void **state)
{
    *state = input_new();
    return 0;
}

static void without_a_user_in_front_of_them_there_is_nothing_to_look_up(void **state)
{
    struct input *i = *state;
    assert_null(task_hooks_users(&i->in));
    set_queue(i, "prolog", "/site/prolog root@host");
    set_queue(i, "suspend_method", "SIGTSTP");
    set_queue(i, "terminate_method", "NONE");
    assert_null(task_hooks_users(&i->in));
}

static void each_user_is_looked_up_once_wherever_the_hook_comes_from(void **state)
{
    struct input *i = *state;
    set_conf(i, "epilog", "stage@/site/epilog");
    set_queue(i, "epilog", "NONE");
    set_queue(i, "prolog", "root@/site/prolog");
    set_queue(i, "resume_method", "root@/site/resume");
    struct JG_Type *jg = cull_append(&i->task, JAT_granted_destin_identifier_list);
    cull_set(jg, JG_pe_start, "mpi@/site/start");
    struct hook_users *users = task_hooks_users(&i->in);
    assert_int_equal(users->n, 3);
    assert_string_equal(users->v[0].name, "root");
    assert_string_equal(users->v[1].name, "stage");
    assert_string_equal(users->v[2].name, "mpi");
    cull_set(&i->task, JAT_pe_task_id, "1.h"); /* a part of the task on a host has no procedures */
    struct hook_users *fewer = task_hooks_users(&i->in);
    assert_int_equal(fewer->n, 2);
    assert_true(hook_users_have(users, fewer));
    assert_false(hook_users_have(fewer, users)); /* a change has named another: look it up */
    assert_false(hook_users_have(NULL, fewer));
    assert_true(hook_users_have(NULL, NULL));
    hook_users_free(fewer);
    hook_users_free(users);
}

static const struct user stage = { .name = "stage", .uid = 700, .gid = 701, .groups = "701,27" };
static const struct user missing = { .name = "stage", .error = "user \"stage\" is not known" };

static void only_the_owner_and_users_that_the_file_names_are_permitted(void **state SGE_UNUSED)
{
    static const char denied[] =
        "\"hook_users\" in bootstrap(5) of this host does not name user \"stage\"";
    static const struct {
        const struct user *user;
        const char *owner, *list;
        uid_t euid;
        const char *ids, *error;
    } cases[] = {
        { &stage, "alice", "stage", 0, "700:701:701,27", NULL },
        { &stage, "alice", "root, stage", 0, "700:701:701,27", NULL },
        { &stage, "alice", "root\tstage,x", 0, "700:701:701,27", NULL },
        { &stage, "stage", NULL, 0, "700:701:701,27", NULL },
        { &stage, "alice", NULL, 0, NULL, denied },
        { &stage, "alice", "stages,stag", 0, NULL, denied },
        { &missing, "alice", NULL, 0, NULL, denied }, /* no word about which users there are */
        { &missing, "alice", "stage", 0, NULL, "user \"stage\" is not known" },
        { &stage, "stage", NULL, 700, "700:701:701,27", NULL },
        { &stage, "alice", "stage", 1001, NULL,
          "this cell runs as user id 1001 and cannot run commands of other users" },
    };
    for (size_t n = 0; n < ARRAY_LEN(cases); n++) {
        struct hook_user hook = { .name = "stage" };
        hook_user_resolved(&hook, cases[n].user, cases[n].owner, cases[n].list, cases[n].euid);
        if (cases[n].ids != NULL)
            assert_string_equal(hook.ids, cases[n].ids);
        else
            assert_null(hook.ids);
        if (cases[n].error != NULL)
            assert_string_equal(hook.error, cases[n].error);
        else
            assert_null(hook.error);
        free(hook.ids);
        free(hook.error);
    }
}

static void the_shepherd_gets_ids_and_the_queue_a_reason(void **state)
{
    struct input *i = *state;
    struct dstr out = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(task_hooks_as(&i->in, &out, NULL), 0);
    assert_string_equal(dstr_get(&out), "");
    set_queue(i, "prolog", "stage@/p $job_id");
    struct hook_users *users = task_hooks_users(&i->in);
    i->in.hook_users = users;
    hook_user_resolved(&users->v[0], &stage, "alice", "stage", 0);
    assert_int_equal(task_hooks_as(&i->in, &out, NULL), 0);
    assert_string_equal(dstr_get(&out), "prolog_as=700:701:701,27\n");
    free(users->v[0].ids);
    users->v[0].ids = NULL;
    hook_user_resolved(&users->v[0], &stage, "alice", NULL, 0);
    assert_int_equal(task_hooks_as(&i->in, &out, &ans), -1);
    assert_string_equal(ans_first_error(&ans),
                        "prolog \"stage@/p $job_id\" cannot be used: \"hook_users\" in "
                        "bootstrap(5) of this host does not name user \"stage\"");
    hook_users_free(users);
    ans_free(&ans);
    dstr_free(&out);
}

static void a_token_is_set_as_root_and_by_the_user_of_an_own_cell(void **state)
{
    static const struct user root = { .name = "root", .groups = "0" };
    struct input *i = *state;
    struct dstr out = DSTR_INIT;
    cull_set(&i->job, JB_owner, "alice");
    set_conf(i, "set_token_cmd", "/afs/set");
    struct hook_users *users = task_hooks_users(&i->in);
    assert_string_equal(users->v[0].name, "alice");
    hook_users_free(users);
    i->place.is_root = true;
    users = task_hooks_users(&i->in);
    assert_int_equal(users->n, 1);
    assert_string_equal(users->v[0].name, "root");
    i->in.hook_users = users;
    hook_user_resolved(&users->v[0], &root, "alice", "root", 0);
    assert_int_equal(task_hooks_as(&i->in, &out, NULL), 0);
    assert_string_equal(dstr_get(&out), "set_token_cmd_as=0:0:0\n"
                                        "set_token_cmd=root@/afs/set $job_owner 0\n");
    set_conf(i, "token_extend_time", "1:0:0");
    dstr_clear(&out);
    assert_int_equal(task_hooks_as(&i->in, &out, NULL), 0);
    assert_non_null(strstr(dstr_get(&out), "$job_owner 3600\ntoken_extend_time=3600\n"));
    hook_users_free(users);
    dstr_free(&out);
}

static void what_is_started_as_root_in_place_of_shepherds_has_to_be_permitted(void **state)
{
    struct input *i = *state;
    struct dstr out = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    set_conf(i, "pag_cmd", "/afs/pagsh");
    i->place.has_starters = true;
    assert_int_equal(task_hooks_as(&i->in, &out, NULL), 0); /* in the cell of a user */
    i->place.is_root = true;
    assert_int_equal(task_hooks_as(&i->in, &out, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "pag_cmd \"/afs/pagsh\" cannot be used: "));
    i->place.hook_users = "root";
    assert_int_equal(task_hooks_as(&i->in, &out, NULL), 0);
    ans_free(&ans);
    dstr_free(&out);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, input_tear_down)
    const struct CMUnitTest tests[] = {
        T(without_a_user_in_front_of_them_there_is_nothing_to_look_up),
        T(each_user_is_looked_up_once_wherever_the_hook_comes_from),
        T(only_the_owner_and_users_that_the_file_names_are_permitted),
        T(a_token_is_set_as_root_and_by_the_user_of_an_own_cell),
        T(what_is_started_as_root_in_place_of_shepherds_has_to_be_permitted),
        T(the_shepherd_gets_ids_and_the_queue_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
