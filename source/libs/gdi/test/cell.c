/* Where a cell is, and what its bootstrap file says. */
#include "libs/gdi/cell.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct fixture {
    char dir[40];
    struct answer ans;
    struct dstr expected;
};

static int set_up(void **state)
{
    static struct fixture t;
    t = (struct fixture){ .dir = "/tmp/cell-test-XXXXXX" };
    assert_non_null(mkdtemp(t.dir));
    char *common = path_join(t.dir, "blue/common");
    assert_int_equal(file_mkdirs(common, 0755, NULL), 0);
    free(common);
    unsetenv("SGE_CELL");
    *state = &t;
    return setenv("SGE_ROOT", t.dir, 1);
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    ans_free(&t->ans);
    dstr_free(&t->expected);
    return file_rmtree(t->dir, NULL);
}

static void paths_follow_root_and_name(void **state)
{
    struct fixture *t = *state;
    assert_int_equal(setenv("SGE_CELL", "blue", 1), 0);
    struct cell *c = cell_open(&t->ans);
    assert_non_null(c);
    dstr_addf(&t->expected, "%s/blue/spool/qmaster/gdi.sock", t->dir);
    assert_string_equal(c->socket, t->expected.s);
    char *path = cell_path(c, "act_qmaster");
    dstr_clear(&t->expected);
    dstr_addf(&t->expected, "%s/blue/common/act_qmaster", t->dir);
    assert_string_equal(path, t->expected.s);
    free(path);
    cell_free(c);
    cell_free(NULL);
}

static void what_is_missing_is_said_as_captured(void **state)
{
    struct fixture *t = *state;
    assert_null(cell_open(&t->ans));
    dstr_addf(&t->expected, "cell directory \"%s/default\" doesn't exist", t->dir);
    assert_string_equal(t->ans.v[0].text, t->expected.s);
    assert_int_equal(t->ans.n, 1);
    assert_int_equal(setenv("SGE_ROOT", "/nonexistent", 1), 0);
    assert_null(cell_open(&t->ans));
    assert_string_equal(t->ans.v[1].text, "SGE_ROOT directory \"/nonexistent\" doesn't exist");
    assert_int_equal(unsetenv("SGE_ROOT"), 0); /* and this test does not stand in bin/ARCH */
    assert_null(cell_open(&t->ans));
    assert_string_equal(t->ans.v[2].text, "Please set the environment variable SGE_ROOT.");
    assert_int_equal(t->ans.v[2].quality, ANSWER_QUALITY_CRITICAL);
}

/* a variable that chooses another cell is not passed over */
/* execution daemons have a port where the qmaster has one, and a gateway if the file names it */
static void ports_of_execution_daemons_follow_that_of_the_qmaster(void **state)
{
    static const struct {
        const char *text;
        int port; /* -1: refused */
        const char *gateway;
    } cases[] = {
        { "", 0, NULL },
        { "execd_port 7001\n", 0, NULL },
        { "qmaster_port 6444\n", 6445, NULL },
        { "qmaster_port 65535\nsession_gateway none\n", 65534, NULL },
        { "qmaster_port 6444\nexecd_port 7001\nsession_gateway front\n", 7001, "front" },
        { "qmaster_port 6444\nexecd_port 6444\n", -1, NULL },
        { "qmaster_port 6444\nexecd_port 0\n", -1, NULL },
        { "qmaster_port 6444\nexecd_port 65536\n", -1, NULL },
        { "qmaster_port 6444\nexecd_port x\n", -1, NULL },
    };
    struct fixture *t = *state;
    char *bootstrap = path_join(t->dir, "blue/common/bootstrap");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cell *c = cell_open_at(t->dir, "blue", NULL);
        dstr_clear(&t->expected);
        dstr_addf(&t->expected, "binary_path %s/bin\nqmaster_spool_dir %s/q\n%s", t->dir, t->dir,
                  cases[i].text);
        assert_int_equal(file_write(bootstrap, t->expected.s, t->expected.len, 0644, NULL), 0);
        assert_int_equal(cell_bootstrap_read(c, &t->ans), cases[i].port < 0 ? -1 : 0);
        if (cases[i].port < 0)
            assert_non_null(strstr(t->ans.v[t->ans.n - 1].text, "execd_port: \""));
        else
            assert_int_equal(c->execd_port, cases[i].port);
        assert_int_equal(c->session_gateway != NULL, cases[i].gateway != NULL);
        if (cases[i].gateway != NULL)
            assert_string_equal(c->session_gateway, cases[i].gateway);
        cell_free(c);
    }
    free(bootstrap);
}

static void a_port_of_another_cell_is_refused(void **state)
{
    struct fixture *t = *state;
    char *bootstrap = path_join(t->dir, "blue/common/bootstrap");
    assert_int_equal(setenv("SGE_CELL", "blue", 1), 0);
    assert_int_equal(setenv("SGE_QMASTER_PORT", "6444", 1), 0);
    static const struct {
        const char *text, *says;
    } cases[] = {
        { "qmaster_port 6444\n", NULL },
        { "qmaster_port 7777\n", "listens on port 7777" },
        { "", "does not listen on a port" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        dstr_clear(&t->expected);
        dstr_addf(&t->expected, "binary_path %s/bin\nqmaster_spool_dir %s/q\n%s", t->dir, t->dir,
                  cases[i].text);
        assert_int_equal(file_write(bootstrap, t->expected.s, t->expected.len, 0644, NULL), 0);
        struct cell *c = cell_open(&t->ans);
        assert_int_equal(c != NULL, cases[i].says == NULL);
        if (c == NULL)
            assert_non_null(strstr(t->ans.v[t->ans.n - 1].text, cases[i].says));
        cell_free(c);
    }
    assert_int_equal(t->ans.n, 2);
    assert_int_equal(setenv("SGE_QMASTER_PORT", "", 1), 0); /* is not set */
    struct cell *c = cell_open(&t->ans);
    assert_non_null(c);
    cell_free(c);
    free(bootstrap);
    assert_int_equal(unsetenv("SGE_QMASTER_PORT"), 0);
}

static void a_cell_name_leads_nowhere_else(void **state)
{
    struct fixture *t = *state;
    static const char *const names[] = { "../blue", "a/b", ".", ".." };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_null(cell_open_at(t->dir, names[i], &t->ans));
        assert_non_null(strstr(t->ans.v[i].text, names[i]));
    }
}

static const char sample[] = "# how the programs of this cell find each other\n"
                             "\n"
                             "admin_user             none\n"
                             "ignore_fqdn\tTRUE  \r\n"
                             "spooling_params        /a dir/with blanks\n"
                             "binary_path            /r/bin\n"
                             "qmaster_spool_dir      /r/c/spool/qmaster\n"
                             "of_next_year           42";

static void bootstrap_lines_are_key_and_value(void **state)
{
    (void)state;
    struct bootstrap b = BOOTSTRAP_INIT;
    assert_int_equal(bootstrap_parse(sample, "f", &b, NULL), 0);
    assert_string_equal(b.spooling_params, "/a dir/with blanks");
    assert_string_equal(b.binary_path, "/r/bin");
    assert_string_equal(b.qmaster_spool_dir, "/r/c/spool/qmaster");
    bootstrap_free(&b);
    bootstrap_free(&b);
}

static void bootstrap_errors_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "\nadmin_user\n", "f, line 2: a key and a value expected" },
        { "#\nsecurity_mode csp\n",
          "f, line 2: security_mode: \"csp\" is not supported yet, only \"none\"" },
        { "spooling_method classic",
          "f, line 1: spooling_method: \"classic\" is not supported yet, only \"berkeleydb\"" },
        { "ignore_fqdn false",
          "f, line 1: ignore_fqdn: \"false\" is not supported yet, only \"true\"" },
        { "root_jobs maybe", "f, line 1: root_jobs: \"maybe\" is neither \"true\" nor \"false\"" },
        { "newer_spool maybe",
          "f, line 1: newer_spool: \"maybe\" is neither \"keep\" nor \"refuse\"" },
        { "default_domain example.org",
          "f, line 1: default_domain: \"example.org\" is not supported yet, only \"none\"" },
        { "binary_path /b\n", "f: no value for qmaster_spool_dir" },
        { "", "f: no value for binary_path" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct bootstrap b = BOOTSTRAP_INIT;
        struct answer ans = ANSWER_INIT;
        assert_int_equal(bootstrap_parse(cases[i].text, "f", &b, &ans), -1);
        assert_string_equal(ans_first_error(&ans), cases[i].message);
        assert_null(b.qmaster_spool_dir);
        assert_null(b.binary_path);
        ans_free(&ans);
    }
}

static void write_bootstrap(const struct cell *c, const char *text)
{
    char *path = cell_path(c, "bootstrap");
    assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
    free(path);
}

static void the_paths_of_a_cell_follow_its_file(void **state)
{
    struct fixture *t = *state;
    struct cell *c = cell_open_at(t->dir, "blue", NULL);
    assert_non_null(c);
    assert_int_equal(cell_bootstrap_read(c, &t->ans), -1);
    write_bootstrap(c, sample);
    assert_int_equal(cell_bootstrap_read(c, NULL), 0);
    assert_string_equal(c->qmaster_spool_dir, "/r/c/spool/qmaster");
    assert_string_equal(c->database_dir, "/a dir/with blanks");
    assert_memory_equal(c->bin_dir, "/r/bin/", strlen("/r/bin/"));
    write_bootstrap(c, "binary_path /b\nqmaster_spool_dir /q\n");
    assert_int_equal(cell_bootstrap_read(c, NULL), 0);
    assert_string_equal(c->database_dir, "/q/spooldb");
    write_bootstrap(c, "binary_path /c\nqmaster_spool_dir /r\nsecurity_mode csp\n");
    assert_int_equal(cell_bootstrap_read(c, NULL), -1);
    assert_string_equal(c->qmaster_spool_dir, "/q"); /* as it was */
    cell_free(c);
}

static void the_name_of_the_cluster_is_in_its_file(void **state)
{
    struct fixture *t = *state;
    struct cell *c = cell_open_at(t->dir, "blue", NULL);
    char *path = cell_path(c, "cluster_name"), longest[257];
    memset(longest, 'x', 256);
    longest[256] = '\0';
    const char *const files[][2] = { { NULL, "blue" },       { "p6444\n", "p6444" },
                                     { "p1\nmore\n", "p1" }, { "", "blue" },
                                     { "\n", "blue" },       { "a\tb\n", "blue" },
                                     { longest, "blue" },    { longest + 1, longest + 1 } };
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        if (files[i][0] != NULL)
            assert_int_equal(file_write(path, files[i][0], strlen(files[i][0]), 0644, NULL), 0);
        char *name = cell_cluster_name(c);
        assert_string_equal(name, files[i][1]);
        free(name);
    }
    assert_int_equal(unlink(path), 0);
    free(path);
    cell_free(c);
}

static void a_newer_spool_is_refused_unless_the_file_says_keep(void **state)
{
    struct fixture *t = *state;
    struct cell *c = cell_open_at(t->dir, "blue", NULL);
    static const char *const lines[] = { "", "newer_spool refuse\n", "newer_spool KEEP\n" };
    assert_non_null(c);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "binary_path /b\nqmaster_spool_dir /q\n%s", lines[i]);
        write_bootstrap(c, dstr_get(&text));
        assert_int_equal(cell_bootstrap_read(c, NULL), 0);
        assert_int_equal(c->keeps_newer_spool, i == 2);
        dstr_free(&text);
    }
    cell_free(c);
}

static void an_admin_user_is_anybody_but_root(void **state)
{
    struct fixture *t = *state;
    struct cell *c = cell_open_at(t->dir, "blue", NULL);
    static const struct {
        const char *lines, *admin;
        bool refuses_root;
    } cases[] = {
        { "", NULL, false },
        { "admin_user none\n", NULL, false },
        { "admin_user NONE\nroot_jobs false\n", NULL, true },
        { "admin_user root\n", NULL, false },
        { "admin_user sgeadmin\n", "sgeadmin", true }, /* unless the file says otherwise */
        { "admin_user sgeadmin\nroot_jobs true\n", "sgeadmin", false },
        { "root_jobs false\nadmin_user sgeadmin\n", "sgeadmin", true },
    };
    assert_non_null(c);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "binary_path /b\nqmaster_spool_dir /q\n%s", cases[i].lines);
        write_bootstrap(c, dstr_get(&text));
        assert_int_equal(cell_bootstrap_read(c, NULL), 0);
        if (cases[i].admin == NULL)
            assert_null(c->admin_user);
        else
            assert_string_equal(c->admin_user, cases[i].admin);
        assert_int_equal(c->refuses_root, cases[i].refuses_root);
        dstr_free(&text);
    }
    cell_free(c);
}

static void hooks_run_as_nobody_else_unless_the_file_names_users(void **state)
{
    struct fixture *t = *state;
    struct cell *c = cell_open_at(t->dir, "blue", NULL);
    static const struct {
        const char *line, *users;
    } cases[] = {
        { "", NULL },
        { "hook_users none\n", NULL },
        { "hook_users NONE\n", NULL },
        { "hook_users root, staging \n", "root, staging" },
    };
    assert_non_null(c);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "binary_path /b\nqmaster_spool_dir /q\n%s", cases[i].line);
        write_bootstrap(c, dstr_get(&text));
        assert_int_equal(cell_bootstrap_read(c, NULL), 0);
        if (cases[i].users == NULL)
            assert_null(c->hook_users);
        else
            assert_string_equal(c->hook_users, cases[i].users);
        dstr_free(&text);
    }
    cell_free(c);
}

static void mail_alone_gains_privileges_unless_the_file_names_other_mailers(void **state)
{
    struct fixture *t = *state;
    struct cell *c = cell_open_at(t->dir, "blue", NULL);
    static const struct {
        const char *line, *mailers;
    } cases[] = {
        { "", "/usr/bin/mail" },
        { "mailers none\n", NULL },
        { "mailers /a/b, /c \n", "/a/b, /c" },
    };
    assert_non_null(c);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "binary_path /b\nqmaster_spool_dir /q\n%s", cases[i].line);
        write_bootstrap(c, dstr_get(&text));
        assert_int_equal(cell_bootstrap_read(c, NULL), 0);
        if (cases[i].mailers == NULL)
            assert_null(c->mailers);
        else
            assert_string_equal(c->mailers, cases[i].mailers);
        dstr_free(&text);
    }
    cell_free(c);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR(paths_follow_root_and_name),
        IN_DIR(what_is_missing_is_said_as_captured),
        IN_DIR(a_port_of_another_cell_is_refused),
        IN_DIR(ports_of_execution_daemons_follow_that_of_the_qmaster),
        IN_DIR(a_cell_name_leads_nowhere_else),
        cmocka_unit_test(bootstrap_lines_are_key_and_value),
        cmocka_unit_test(bootstrap_errors_name_their_line),
        IN_DIR(the_name_of_the_cluster_is_in_its_file),
        IN_DIR(the_paths_of_a_cell_follow_its_file),
        IN_DIR(a_newer_spool_is_refused_unless_the_file_says_keep),
        IN_DIR(an_admin_user_is_anybody_but_root),
        IN_DIR(hooks_run_as_nobody_else_unless_the_file_names_users),
        IN_DIR(mail_alone_gains_privileges_unless_the_file_names_other_mailers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
