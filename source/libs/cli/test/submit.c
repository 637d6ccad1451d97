/* qsub's sources and their ranks: request files below the script below the command line; what the
 * job is in the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/cli/job_command.h"
#include "libs/cli/option.h"
#include "libs/cli/submitter.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { ARGS_MAX = 32 };

static char *const environment[] = { (char *)"HOME=/home/alice", (char *)"LOGNAME=alice",
                                     (char *)"PATH=/bin", (char *)"A=1", NULL };
static const struct submitter alice = { environment,     (char *)"/home/sub", (char *)"/home/alice",
                                        (char *)"alice", (char *)"vm",        1795163648 };
static char dir[] = "/tmp/cli_submit.XXXXXX";
static char script_path[sizeof dir + 8], cell_path[sizeof dir + 8], user_path[sizeof dir + 8],
    opts_path[sizeof dir + 8];

static void write_text(const char *path, const char *text)
{
    assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
}

static int make_dir(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL || chdir(dir) < 0)
        return -1;
    snprintf(script_path, sizeof script_path, "%s/job.sh", dir);
    snprintf(cell_path, sizeof cell_path, "%s/cell", dir);
    snprintf(user_path, sizeof user_path, "%s/user", dir);
    snprintf(opts_path, sizeof opts_path, "%s/opts", dir);
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    return file_rmtree(dir, NULL);
}

static int forget_files(void **state)
{
    (void)state;
    unlink(script_path);
    unlink(cell_path);
    unlink(user_path);
    unlink(opts_path);
    return 0;
}

static int read_line(struct job_command *c, const char *line, struct answer *ans)
{
    char copy[1024], *argv[ARGS_MAX], *save = NULL;
    struct submit_files files = { { cell_path, user_path, NULL } };
    int argc = 0;
    assert_true(strlen(line) < sizeof copy);
    memcpy(copy, line, strlen(line) + 1);
    argv[argc++] = (char *)"qsub";
    for (char *word = strtok_r(copy, " ", &save); word != NULL && argc < ARGS_MAX;
         word = strtok_r(NULL, " ", &save))
        argv[argc++] = strcmp(word, "''") == 0 ? (char *)"" : word;
    job_command_init(c, QSUB, &alice);
    return job_command_submit(c, argc, argv, &files, ans);
}

static void expect_good(struct job_command *c, const char *line)
{
    struct answer ans = ANSWER_INIT;
    if (read_line(c, line, &ans) != 0)
        fail_msg("%s: %s", line, ans_first_error(&ans));
    ans_free(&ans);
}

static void expect_refused(const char *line, enum answer_status status, const char *text)
{
    struct job_command c;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(read_line(&c, line, &ans), -1);
    assert_string_equal(ans_first_error(&ans), text);
    assert_int_equal(ans.v[ans.n - 1].status, status);
    job_command_free(&c);
    ans_free(&ans);
}

static const char *env_of(const struct job_command *c, const char *name)
{
    for (uint32_t i = 0; i < c->job.JB_env_list.n; i++)
        if (strcmp(c->job.JB_env_list.v[i].VA_variable, name) == 0)
            return c->job.JB_env_list.v[i].VA_value;
    return NULL;
}

static void a_binary_job_has_command_and_arguments(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, "-b y /bin/sleep 10 -t");
    assert_string_equal(c.job.JB_script_file, "/bin/sleep");
    assert_string_equal(c.job.JB_job_name, "sleep");
    assert_int_equal(c.job.JB_job_args.n, 2);
    assert_string_equal(c.job.JB_job_args.v[1].ST_name, "-t");
    assert_int_equal(c.job.JB_type, JOB_TYPE_BINARY);
    assert_false(cull_has(&c.job, JB_script_ptr));
    assert_int_equal(c.job.JB_ja_first, 1);
    assert_int_equal(c.job.JB_ja_last, 1);
    assert_int_equal(c.job.JB_priority, JOB_PRIORITY_BASE);
    job_command_free(&c);
}

static void a_job_carries_who_submitted_it_from_where(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, "-b y true");
    assert_string_equal(env_of(&c, ENV_SUBMIT_PREFIX "O_HOME"), "/home/alice");
    assert_string_equal(env_of(&c, ENV_SUBMIT_PREFIX "O_LOGNAME"), "alice");
    assert_string_equal(env_of(&c, ENV_SUBMIT_PREFIX "O_PATH"), "/bin");
    assert_string_equal(env_of(&c, ENV_SUBMIT_PREFIX "O_HOST"), "vm");
    assert_string_equal(env_of(&c, ENV_SUBMIT_PREFIX "O_WORKDIR"), "/home/sub");
    assert_null(env_of(&c, ENV_SUBMIT_PREFIX "O_SHELL"));
    assert_null(env_of(&c, "A"));
    assert_string_equal(c.job.JB_mail_list.v[0].MR_user, "alice");
    assert_string_equal(c.job.JB_mail_list.v[0].MR_host, "vm");
    assert_false(cull_has(&c.job, JB_cwd));
    job_command_free(&c);
}

static void expect_args(const struct job_command *c, const char *expected)
{
    struct dstr all = DSTR_INIT;
    for (uint32_t i = 0; i < c->job.JB_job_args.n; i++)
        dstr_addf(&all, "%s;", c->job.JB_job_args.v[i].ST_name);
    assert_string_equal(dstr_get(&all), expected);
    dstr_free(&all);
}

static void two_dashes_end_the_options(void **state)
{
    struct job_command c;
    int keep = dup(STDIN_FILENO);
    (void)state;
    write_text(script_path, "#$ -N piped\necho $1\n");
    assert_non_null(freopen(script_path, "r", stdin));
    expect_good(&c, "-j y -- -a b");
    assert_string_equal(c.job.JB_script_file, "STDIN");
    assert_string_equal(c.job.JB_job_name, "piped");
    assert_string_equal(c.job.JB_script_ptr, "#$ -N piped\necho $1\n");
    expect_args(&c, "-a;b;");
    job_command_free(&c);
    assert_true(dup2(keep, STDIN_FILENO) == STDIN_FILENO && close(keep) == 0);
    expect_good(&c, "-b y -- /bin/sleep -- 10");
    assert_string_equal(c.job.JB_script_file, "/bin/sleep");
    expect_args(&c, "--;10;");
    job_command_free(&c);
    write_text(script_path, "true\n");
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "-j y %s -- x", script_path); /* behind a script it is an argument */
    expect_good(&c, dstr_get(&line));
    expect_args(&c, "--;x;");
    dstr_free(&line);
    job_command_free(&c);
}

static void expect_path(const struct PN_Type_list *l, const char *host, const char *path)
{
    assert_int_equal(l->n, 1);
    assert_true(host == NULL ? l->v[0].PN_host == NULL : strcmp(l->v[0].PN_host, host) == 0);
    assert_string_equal(l->v[0].PN_path, path);
}

static void a_tilde_is_the_shells(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, "-b y -wd ~/w -o ~/out -e h:~root/err -i ~nobody.of.that.name/in true");
    assert_string_equal(c.job.JB_cwd, "/home/alice/w");
    expect_path(&c.job.JB_stdout_path_list, NULL, "~/out"); /* of the host where it starts */
    expect_path(&c.job.JB_stderr_path_list, "h", "/root/err");
    expect_path(&c.job.JB_stdin_path_list, NULL, "~nobody.of.that.name/in");
    job_command_free(&c);
    expect_good(&c, "-b y -wd ~root true");
    assert_string_equal(c.job.JB_cwd, "/root");
    job_command_free(&c);
    expect_good(&c, "-b y -wd a~b true");
    assert_string_equal(c.job.JB_cwd, "/home/sub/a~b");
    job_command_free(&c);
}

static void empty_entries_and_forms_of_numbers_do_not_matter(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, "-b y -q a.q,, -hold_jid 12, -M a,,b -o /x, -v A=1, -pe smp 2,4, -t 1:10:2 "
                    "-l h_vmem=4e+09,,h_rt=+60, -tc +5 true");
    assert_int_equal(c.job.JB_hard_queue_list.n, 1);
    assert_int_equal(c.job.JB_jid_request_list.n, 1);
    assert_int_equal(c.job.JB_mail_list.n, 2);
    expect_path(&c.job.JB_stdout_path_list, NULL, "/x");
    assert_string_equal(env_of(&c, "A"), "1");
    assert_int_equal(range_set_count(&c.job.JB_pe_range), 2);
    assert_int_equal(c.job.JB_ja_last, 10);
    assert_int_equal(c.job.JB_ja_step, 2);
    assert_int_equal(c.job.JB_hard_resource_list.n, 2);
    assert_int_equal(c.job.JB_ja_task_concurrency, 5);
    job_command_free(&c);
    expect_refused("-b y -q , true", STATUS_ESYNTAX,
                   "qsub: Wrong queue list format \",\" specified to -q option");
    expect_refused("-b y -v , true", STATUS_ESYNTAX,
                   "qsub: Wrong variable list format -v \",\" or environment variable not set");
    expect_refused("-b y -hold_jid 12[3] true", STATUS_ESYNTAX,
                   "qsub: -hold_jid: \"12[3]\" is neither a job id nor a job name; to wait for job "
                   "12 write 12");
}

static void the_script_is_read_whole(void **state)
{
    struct job_command c;
    const char *script = "#!/bin/sh\n#$ -N fromscript\n#$ -cwd -j y -o out.txt\necho hello $1\n";
    (void)state;
    write_text(script_path, script);
    expect_good(&c, "job.sh arg1");
    assert_string_equal(c.job.JB_script_ptr, script);
    assert_int_equal(c.job.JB_script_size, strlen(script));
    assert_string_equal(c.job.JB_script_file, "job.sh");
    assert_string_equal(c.job.JB_job_name, "fromscript");
    assert_string_equal(c.job.JB_cwd, "/home/sub");
    assert_true(c.job.JB_merge_stderr);
    assert_string_equal(c.job.JB_stdout_path_list.v[0].PN_path, "out.txt");
    assert_string_equal(c.job.JB_job_args.v[0].ST_name, "arg1");
    job_command_free(&c);
}

static void the_command_line_wins_over_the_script_over_the_files(void **state)
{
    struct job_command c;
    (void)state;
    write_text(cell_path, "-N cell -p -1 -q cell.q -A cell\n");
    write_text(user_path, "# mine\n-N user -p -2\n");
    write_text(script_path, "#$ -N script -q script.q,other.q -l h_rt=10,a=1\n");
    expect_good(&c, "-N line -l h_rt=20 job.sh");
    assert_string_equal(c.job.JB_job_name, "line");
    assert_int_equal(c.job.JB_priority, JOB_PRIORITY_BASE - 2);
    assert_string_equal(c.job.JB_account, "cell");
    assert_int_equal(c.job.JB_hard_resource_list.n, 2);
    assert_string_equal(c.job.JB_hard_resource_list.v[0].CE_stringval, "20");
    job_command_free(&c);
}

/* each entry of a list of texts, followed by ';' */
#define NAMES_OF(list, field, out)                                                                 \
    do {                                                                                           \
        dstr_clear(out);                                                                           \
        for (uint32_t i_ = 0; i_ < (list)->n; i_++)                                                \
            dstr_addf(out, "%s;", (list)->v[i_].field);                                            \
    } while (0)

static void lists_of_all_sources_add_up(void **state)
{
    struct job_command c;
    struct dstr names = DSTR_INIT;
    (void)state;
    write_text(cell_path, "-q cell.q -M cell@x -m b\n");
    write_text(user_path, "-hold_jid U -M mine,cell@x\n");
    write_text(script_path, "#$ -t 1-3 -hold_jid S -hold_jid_ad A,B -q script.q,cell.q -m e\n");
    expect_good(&c, "-hold_jid L,S -hold_jid_ad C -q line.q -M mine@y job.sh");
    NAMES_OF(&c.job.JB_jid_request_list, JRE_job_name, &names);
    assert_string_equal(dstr_get(&names), "U;S;L;");
    NAMES_OF(&c.job.JB_ja_ad_request_list, JRE_job_name, &names);
    assert_string_equal(dstr_get(&names), "A;B;C;");
    NAMES_OF(&c.job.JB_hard_queue_list, QR_name, &names);
    assert_string_equal(dstr_get(&names), "cell.q;script.q;line.q;");
    NAMES_OF(&c.job.JB_mail_list, MR_user, &names);
    assert_string_equal(dstr_get(&names), "cell;mine;mine;");
    assert_int_equal(c.job.JB_mail_options, MAIL_AT_BEGIN | MAIL_AT_EXIT);
    job_command_free(&c);
    expect_good(&c, "-hold_jid '' -hold_jid L -m n job.sh");
    NAMES_OF(&c.job.JB_jid_request_list, JRE_job_name, &names);
    assert_string_equal(dstr_get(&names), "L;");
    assert_int_equal(c.job.JB_mail_options, 0);
    job_command_free(&c);
    dstr_free(&names);
}

static void of_several_paths_for_a_host_the_last_counts(void **state)
{
    struct job_command c;
    struct dstr names = DSTR_INIT;
    (void)state;
    write_text(user_path, "-o user -e n1:user -e user\n");
    write_text(script_path, "#$ -o script,n1:script -S /bin/sh\n");
    write_text(opts_path, "-o opts -i in\n");
    expect_good(&c, "-@ opts -o first -o second -e N1:line -S /bin/dash job.sh");
    NAMES_OF(&c.job.JB_stdout_path_list, PN_path, &names);
    assert_string_equal(dstr_get(&names), "second;script;");
    assert_string_equal(c.job.JB_stdout_path_list.v[1].PN_host, "n1");
    NAMES_OF(&c.job.JB_stderr_path_list, PN_path, &names);
    assert_string_equal(dstr_get(&names), "line;user;");
    NAMES_OF(&c.job.JB_shell_list, PN_path, &names);
    assert_string_equal(dstr_get(&names), "/bin/dash;");
    NAMES_OF(&c.job.JB_stdin_path_list, PN_path, &names);
    assert_string_equal(dstr_get(&names), "in;");
    job_command_free(&c);
    dstr_free(&names);
}

static void array_dependencies_come_from_every_source(void **state)
{
    struct job_command c;
    (void)state;
    write_text(user_path, "-hold_jid_ad U\n");
    write_text(script_path, "#$ -t 1-10:4\n#$ -hold_jid_ad S,T\n");
    write_text(opts_path, "-hold_jid_ad O # comment\n");
    expect_good(&c, "job.sh");
    assert_int_equal(c.job.JB_ja_ad_request_list.n, 3);
    assert_string_equal(c.job.JB_ja_ad_request_list.v[1].JRE_job_name, "S");
    assert_int_equal(c.job.JB_ja_last, 10);
    assert_int_equal(c.job.JB_ja_step, 4);
    assert_true(job_is_array(&c.job));
    job_command_free(&c);
    expect_good(&c, "-@ opts job.sh");
    assert_int_equal(c.job.JB_ja_ad_request_list.n, 4);
    assert_string_equal(c.job.JB_ja_ad_request_list.v[3].JRE_job_name, "O");
    job_command_free(&c);
    expect_good(&c, "-hold_jid_ad '' job.sh");
    assert_true(cull_has(&c.job, JB_ja_ad_request_list));
    assert_int_equal(c.job.JB_ja_ad_request_list.n, 0);
    job_command_free(&c);
}

static void clear_forgets_what_came_before(void **state)
{
    struct job_command c;
    (void)state;
    write_text(user_path, "-N user -p -2\n");
    write_text(script_path, "#$ -N script -cwd\n");
    expect_good(&c, "-clear job.sh");
    assert_string_equal(c.job.JB_job_name, "job.sh");
    assert_int_equal(c.job.JB_priority, JOB_PRIORITY_BASE);
    assert_false(cull_has(&c.job, JB_cwd));
    job_command_free(&c);
}

static void clear_leaves_what_its_source_says_to_the_program(void **state)
{
    struct job_command c;
    (void)state;
    write_text(script_path, "#$ -terse -cwd\n");
    expect_good(&c, "-terse -sync y -N x -clear job.sh");
    assert_true(c.is_terse && c.is_sync);
    assert_string_equal(c.job.JB_job_name, "job.sh");
    assert_false(cull_has(&c.job, JB_cwd));
    job_command_free(&c);
    expect_good(&c, "-clear job.sh");
    assert_false(c.is_terse);
    job_command_free(&c);
}

static void a_command_that_is_no_file_here_gets_a_hint(void **state)
{
    struct job_command c;
    struct answer ans = ANSWER_INIT;
    (void)state;
    assert_int_equal(read_line(&c, "sh", &ans), -1);
    assert_int_equal(ans.n, 2);
    assert_string_equal(ans.v[0].text, "Unable to read script file because of error: error opening "
                                       "sh: No such file or directory");
    assert_string_equal(ans.v[1].text, "\"sh\" is a command: \"qsub -b y sh ...\" runs it");
    assert_int_equal(ans.v[1].status, STATUS_ENOFILE);
    job_command_free(&c);
    ans_free(&ans);
}

static void lines_that_end_as_elsewhere_are_warned_of(void **state)
{
    struct job_command c;
    struct answer ans = ANSWER_INIT;
    (void)state;
    write_text(script_path, "#!/bin/sh\r\n#$ -N x\r\ntrue\r\n");
    assert_int_equal(read_line(&c, "job.sh", &ans), 0);
    assert_string_equal(c.job.JB_job_name, "x");
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_WARNING);
    assert_string_equal(ans.v[0].text, "warning: the lines of job.sh end with a carriage return "
                                       "(CR LF), which the shell treats as part of each line");
    job_command_free(&c);
    ans_free(&ans);
}

static void the_prefix_chooses_the_directives(void **state)
{
    struct job_command c;
    (void)state;
    write_text(script_path, "#$ -N no\n#PBS -N yes\n");
    expect_good(&c, "-C #PBS job.sh");
    assert_string_equal(c.job.JB_job_name, "yes");
    assert_string_equal(c.job.JB_directive_prefix, "#PBS"); /* qstat -j shows it */
    job_command_free(&c);
    expect_good(&c, "-C '' job.sh");
    assert_string_equal(c.job.JB_job_name, "job.sh");
    job_command_free(&c);
}

static void a_held_job_has_a_hold_on_each_task(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, "-h -t 1-10:4 -b y true");
    assert_int_equal(range_set_count(&c.job.JB_ja_u_h_ids), 3);
    job_command_free(&c);
    expect_good(&c, "-b y true");
    assert_true(range_set_is_empty(&c.job.JB_ja_u_h_ids));
    job_command_free(&c);
}

static void a_name_given_twice_in_a_source_is_told(void **state)
{
    struct job_command c;
    struct answer ans = ANSWER_INIT;
    (void)state;
    write_text(script_path, "#$ -N one\n#$ -N two\n");
    assert_int_equal(read_line(&c, "-N line job.sh", &ans), 0);
    assert_int_equal(ans.n, 1);
    assert_string_equal(ans.v[0].text,
                        "warning: \"-N\" option has already been set, overriding previous setting");
    job_command_free(&c);
    ans_free(&ans);
}

static void the_default_name_is_the_first_word_of_the_command(void **state)
{
    struct job_command c;
    char *argv[] = { (char *)"qsub", (char *)"-b", (char *)"y",
                     (char *)"/usr/bin/env sh -c 'a/b'" };
    struct submit_files files = { { NULL } };
    (void)state;
    job_command_init(&c, QSUB, &alice);
    assert_int_equal(job_command_submit(&c, ARRAY_LEN(argv), argv, &files, NULL), 0);
    assert_string_equal(c.job.JB_job_name, "env");
    assert_string_equal(c.job.JB_script_file, argv[3]);
    job_command_free(&c);
}

static void help_ends_the_reading(void **state)
{
    struct job_command c;
    (void)state;
    expect_good(&c, "-help");
    assert_true(c.is_help);
    job_command_free(&c);
}

static void failures_name_their_place(void **state)
{
    char text[256];
    (void)state;
    expect_refused("-b y", STATUS_EUSAGE, "qsub: command required for a binary job");
    expect_refused("-zz -b y true", STATUS_EUSAGE, "qsub: invalid option argument \"-zz\"");
    expect_refused("-", STATUS_EUSAGE, "qsub: invalid option argument \"-\"");
    expect_refused(
        "/nonexistent.sh", STATUS_ENOFILE,
        "Unable to read script file because of error: error opening /nonexistent.sh: No such file "
        "or directory");
    expect_refused(
        ".", STATUS_EINPUT,
        "error: fread(\".\") failed: Is a directory\nUnable to read script file because of error: "
        "error reading from file .");
    expect_refused(
        "-hold_jid -b y true", STATUS_ENOFILE,
        "Unable to read script file because of error: error opening y: No such file or directory");
    expect_refused("-b maybe true", STATUS_ESYNTAX, "qsub: invalid option argument \"-b maybe\"");
    write_text(script_path, "#!/bin/sh\n\n#$ -p abc\n");
    expect_refused(
        "job.sh", STATUS_ESYNTAX,
        "qsub: invalid priority \"abc\".  Must be an integer from -1023 to 1024 (line 3 of "
        "job.sh)");
    write_text(script_path, "#$ -cwd stray\n");
    expect_refused("job.sh", STATUS_EUSAGE,
                   "qsub: invalid option argument \"stray\" (line 1 of job.sh)");
    write_text(script_path, "true\n");
    write_text(user_path, "\n-zz\n");
    snprintf(text, sizeof text, "qsub: invalid option argument \"-zz\" (line 2 of %s)", user_path);
    expect_refused("job.sh", STATUS_EUSAGE, text);
    write_text(user_path, "");
    write_text(opts_path, "-@ opts\n");
    struct job_command c;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(read_line(&c, "-@ opts job.sh", &ans), -1);
    assert_string_equal(ans_first_error(&ans), /* said once, not once for each of the eight */
                        "qsub: option files are nested more than 8 deep (line 1 of opts)");
    job_command_free(&c);
    ans_free(&ans);
}

static void a_program_is_no_script(void **state)
{
    (void)state;
    assert_int_equal(file_write(script_path, "\177ELF\0\0", 6, 0755, NULL), 0);
    expect_refused(
        "job.sh", STATUS_EINPUT,
        "Unable to read script file because of error: job.sh is not text (it contains a zero "
        "byte); "
        "use -b y for programs");
}

#define IN_DIR(test) cmocka_unit_test_setup(test, forget_files)
int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR(a_binary_job_has_command_and_arguments),
        IN_DIR(a_job_carries_who_submitted_it_from_where),
        IN_DIR(two_dashes_end_the_options),
        IN_DIR(a_tilde_is_the_shells),
        IN_DIR(empty_entries_and_forms_of_numbers_do_not_matter),
        IN_DIR(the_script_is_read_whole),
        IN_DIR(the_command_line_wins_over_the_script_over_the_files),
        IN_DIR(lists_of_all_sources_add_up),
        IN_DIR(of_several_paths_for_a_host_the_last_counts),
        IN_DIR(array_dependencies_come_from_every_source),
        IN_DIR(clear_forgets_what_came_before),
        IN_DIR(clear_leaves_what_its_source_says_to_the_program),
        IN_DIR(a_command_that_is_no_file_here_gets_a_hint),
        IN_DIR(lines_that_end_as_elsewhere_are_warned_of),
        IN_DIR(the_prefix_chooses_the_directives),
        IN_DIR(a_held_job_has_a_hold_on_each_task),
        IN_DIR(a_name_given_twice_in_a_source_is_told),
        IN_DIR(the_default_name_is_the_first_word_of_the_command),
        IN_DIR(help_ends_the_reading),
        IN_DIR(failures_name_their_place),
        IN_DIR(a_program_is_no_script),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
