/* qsub(1) -b, -shell, -S and queue_conf(5) shell_start_mode: what is executed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/task_config.h"
#include "libs/uti/dstr.h"

/* as root, which needs to know as whom to run it */
#define OWNER "job_uid=1\njob_gid=1\n"

static struct task_config conf_from(char *text)
{
    struct config lines;
    struct task_config c;
    assert_int_equal(config_parse(&lines, text, "test", NULL), 0);
    assert_int_equal(task_config_from(&c, &lines, NULL), 0);
    return c;
}

static struct task_config conf_of(const char *text)
{
    struct dstr whole = DSTR_INIT;
    dstr_addf(&whole, OWNER "%s", text);
    return conf_from(dstr_take(&whole));
}

/* the arguments of CONFIG's command, each in < > */
static char *argv_of(const char *config, bool want_fallback)
{
    struct task_config conf = conf_of(config);
    struct exec_command c;
    struct dstr out = DSTR_INIT;
    command_of_job(&c, &conf, "/a:/b");
    const struct strings *argv = want_fallback ? &c.fallback : &c.argv;
    for (uint32_t i = 0; i < argv->n; i++)
        dstr_addf(&out, "<%s>", argv->v[i]);
    if (argv->n > 0)
        assert_null(argv->v[argv->n]);
    command_free(&c);
    task_config_free(&conf);
    return dstr_take(&out);
}

static void check_command(const char *config, const char *wanted)
{
    char *got = argv_of(config, false);
    assert_string_equal(got, wanted);
    free(got);
}

#define BINARY "handle_as_binary=1\nshell_path=/bin/sh\nuse_login_shell=1\n"

static void test_binary(void **state)
{
    (void)state;
    check_command(BINARY "script_file=sleep 2; exit 3",
                  "<-sh><-c><sleep 2; exit 3>"); /* alone: as it is */
    check_command(BINARY "script_file=sleep\nnjob_args=1\njob_arg1=3", "<-sh><-c><sleep 3>");
    check_command(BINARY "script_file=echo\nnjob_args=2\njob_arg1=a b\njob_arg2=$HOME",
                  "<-sh><-c><echo \"a b\" \"$HOME\">");
    check_command(BINARY "script_file=echo\nnjob_args=1\njob_arg1=", "<-sh><-c><echo \"\">");
    check_command("handle_as_binary=1\nshell_path=/bin/sh\nscript_file=x",
                  "</bin/sh><-c><x>"); /* no login shell */
    check_command(BINARY "no_shell=1\nscript_file=sleep\nnjob_args=1\njob_arg1=a b",
                  "<sleep><a b>");
    check_command(BINARY "script_file=x\nnjob_args=5\njob_arg1=y",
                  "<-sh><-c><x y>"); /* fewer than promised */
}

static void a_login_is_the_shell_alone(void **state)
{
    (void)state;
    check_command(BINARY "login_session=1\nscript_file=QLOGIN", "<-sh>");
    check_command(BINARY "login_session=1\nscript_file=QLOGIN\nstarter_method=/x", "<-sh>");
    check_command("login_session=1\nshell_path=/bin/bash\nuse_login_shell=0", "</bin/bash>");
}

static void test_script(void **state)
{
    (void)state;
#define SCRIPT                                                                                     \
    "script_file=/s/12\nshell_path=/bin/bash\nuse_login_shell=1\nnjob_args=1\njob_arg1=a b\n"
    check_command(SCRIPT "shell_start_mode=posix_compliant", "<-bash></s/12><a b>");
    check_command(SCRIPT "shell_start_mode=unix_behavior", "</s/12><a b>");
    check_command(SCRIPT "shell_start_mode=script_from_stdin", "<-bash><-s><a b>");
    check_command("script_file=/s/12\nshell_path=/bin/bash\nshell_start_mode=script_from_stdin",
                  "</bin/bash>");
    check_command(SCRIPT "starter_method=/usr/bin/starter", "</usr/bin/starter></s/12><a b>");
    check_command(SCRIPT "starter_method=NONE\nshell_start_mode=posix_compliant",
                  "<-bash></s/12><a b>");
    char *fallback = argv_of(SCRIPT "shell_start_mode=unix_behavior", true); /* path first */
    assert_string_equal(fallback, "</bin/bash><-bash></s/12><a b>");
    free(fallback);
}

static void test_stdin_of_script_mode(void **state)
{
    (void)state;
    struct task_config conf = conf_of("script_file=/s/12\nshell_start_mode=script_from_stdin");
    struct exec_command c;
    command_of_job(&c, &conf, NULL);
    assert_string_equal(c.stdin_path, "/s/12");
    command_free(&c);
    task_config_free(&conf);
}

static void test_search(void **state)
{
    (void)state;
    struct task_config conf = conf_of("script_file=tool\nhandle_as_binary=1\nno_shell=1");
    struct exec_command c;
    command_of_job(&c, &conf, "/a::/b");
    assert_int_equal(c.paths.n, 3);
    assert_string_equal(c.paths.v[0], "/a/tool");
    assert_string_equal(c.paths.v[1], "./tool");
    assert_string_equal(c.paths.v[2], "/b/tool");
    command_free(&c);
    task_config_free(&conf);
    conf = conf_of("script_file=dir/tool\nhandle_as_binary=1\nno_shell=1");
    command_of_job(&c, &conf, "/a");
    assert_int_equal(c.paths.n, 1);
    assert_string_equal(c.paths.v[0], "dir/tool");
    command_free(&c);
    task_config_free(&conf);
}

static void check_quote(const char *word, const char *wanted)
{
    struct dstr out = DSTR_INIT;
    command_quote(&out, word);
    assert_string_equal(dstr_get(&out), wanted);
    dstr_free(&out);
}

static void test_quote(void **state)
{
    (void)state;
    check_quote("plain-1.2/x", "plain-1.2/x");
    check_quote("a b", "\"a b\"");
    check_quote("*", "\"*\"");
    check_quote("A=1", "\"A=1\"");
    check_quote("$SGE_TASK_ID", "\"$SGE_TASK_ID\"");
    check_quote("say \"hi\"", "\"say \"\\\"\"hi\"\\\"\"\"");
    check_quote("`id`", "\"\"\\`\"id\"\\`\"\"");
    check_quote("a\\b", "\"a\"\\\\\"b\"");
    check_quote("it's", "\"it's\"");
    check_quote("go!x", "\"go\"\\!\"x\""); /* a csh looks for its history within quotes, too */
}

static const char *look_up(void *ctx, const char *name)
{
    (void)ctx;
    return strcmp(name, "job_id") == 0 ? "12" : NULL;
}

static void test_words(void **state)
{
    (void)state;
    struct exec_command c;
    command_of_words(&c, "  /bin/x  $job_id a$job_id.b\t$other $ ", look_up, NULL, NULL);
    assert_int_equal(c.argv.n, 5);
    assert_string_equal(c.argv.v[0], "/bin/x");
    assert_string_equal(c.argv.v[1], "12");
    assert_string_equal(c.argv.v[2], "a12.b");
    assert_string_equal(c.argv.v[3], "$other");
    assert_string_equal(c.argv.v[4], "$");
    command_free(&c);
    command_of_words(&c, "   ", look_up, NULL, NULL);
    assert_int_equal(c.argv.n, 0);
    assert_int_equal(c.paths.n, 0);
    command_free(&c);
}

/* quadratic, this would take minutes */
static void many_arguments_are_read_in_one_go(void **state SGE_UNUSED)
{
    enum { MANY = 300000 };
    struct dstr text = DSTR_INIT;
    struct exec_command c;
    dstr_addf(&text, OWNER "handle_as_binary=1\nno_shell=1\nscript_file=/bin/x\nnjob_args=%d\n",
              MANY);
    for (int i = 1; i <= MANY; i++)
        dstr_addf(&text, "job_arg%d=%d\n", i, i);
    dstr_add(&text, "tmpdir=/tmp\n");
    struct task_config conf = conf_from(dstr_take(&text));
    command_of_job(&c, &conf, NULL);
    assert_int_equal(c.argv.n, MANY + 1);
    assert_string_equal(c.argv.v[MANY], "300000");
    command_free(&c);
    task_config_free(&conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary),
        cmocka_unit_test(a_login_is_the_shell_alone),
        cmocka_unit_test(test_script),
        cmocka_unit_test(test_stdin_of_script_mode),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_quote),
        cmocka_unit_test(many_arguments_are_read_in_one_go),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
