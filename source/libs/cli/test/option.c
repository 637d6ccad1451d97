/* The option tables agree with themselves, with the words they use, and with the -help that users
 * know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/sgeobj/job_attribute.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"

static const unsigned programs[] = { QSUB, QALTER, QRESUB, QHOLD, QRLS, QDEL, QMOD };

static void each_row_is_whole(void **state)
{
    (void)state;
    for (unsigned i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];
        assert_true(row->name[0] == '-' && row->name[1] != '\0');
        assert_int_not_equal(row->where, 0);
        assert_true((row->parse == NULL) == (row->effect == OPTION_WAITS));
        assert_true(row->sets >= OPTION_SETS_NOTHING && row->sets < (int)JB_Type_FIELDS);
        size_t len = strlen(row->documented); /* page(section) */
        assert_true(len > 3 && row->documented[len - 1] == ')' && row->documented[len - 3] == '(');
    }
}

/* they store without a look at the field: another kind of member would be overwritten */
static void a_plain_parser_stands_with_a_field_of_its_kind(void **state)
{
    static const struct {
        option_fn parse;
        enum cull_kind kind;
    } plain[] = {
        { parse_text, CULL_STRING }, { parse_number, CULL_ULONG }, { parse_yes_no, CULL_BOOL },
        { parse_yes, CULL_BOOL },    { parse_date, CULL_ULONG64 },
    };
    (void)state;
    for (unsigned i = 0; i < option_rows_n; i++)
        for (unsigned j = 0; j < ARRAY_LEN(plain); j++)
            if (option_rows[i].parse == plain[j].parse) {
                assert_true(option_rows[i].sets >= 0);
                assert_int_equal(cull_JB_Type.fields[option_rows[i].sets].kind, plain[j].kind);
            }
}

/* without an attribute's row the qmaster drops what the option says */
static void what_an_option_sets_is_an_attribute(void **state)
{
    (void)state;
    for (unsigned i = 0; i < option_rows_n; i++) {
        unsigned j = 0;
        while (j < job_attributes_n && (int)job_attributes[j].field != option_rows[i].sets)
            j++;
        assert_true(option_rows[i].sets == OPTION_SETS_NOTHING || j < job_attributes_n);
    }
}

static void a_name_stands_once_for_each_program(void **state)
{
    (void)state;
    for (unsigned i = 0; i < option_rows_n; i++)
        for (unsigned j = 0; j < i; j++)
            if (strcmp(option_rows[i].name, option_rows[j].name) == 0)
                assert_int_equal(option_rows[i].where & option_rows[j].where & ~(unsigned)SCRIPT,
                                 0);
}

static void each_argument_is_explained(void **state)
{
    (void)state;
    for (unsigned i = 0; i < option_rows_n; i++)
        for (const char *at = option_rows[i].argument; *at != '\0';) {
            size_t len = strcspn(at, " ");
            if (*at != '[' && *at != '.')
                assert_non_null(argument_find(at, len));
            at += at[len] == ' ' ? len + 1 : len;
        }
}

static void an_option_takes_the_words_of_its_row(void **state)
{
    char *const words[] = { (char *)"set", (char *)"linear:1", (char *)"-x", (char *)"y" };
    (void)state;
    assert_int_equal(option_words(option_find("-cwd", QSUB), words, 4), 0);
    assert_int_equal(option_words(option_find("-N", QSUB), words, 4), 1);
    assert_int_equal(option_words(option_find("-N", QSUB), words, 0), -1);
    assert_int_equal(option_words(option_find("-pe", QSUB), words, 1), -1);
    assert_int_equal(option_words(option_find("-pe", QSUB), words, 2), 2);
    assert_int_equal(option_words(option_find("-binding", QSUB), words, 4), 2);
    assert_int_equal(option_words(option_find("-binding", QSUB), words + 1, 3), 1);
    assert_int_equal(option_words(option_find("-binding", QSUB), words, 1), -1);
    assert_int_equal(option_words(option_find("-d", QMOD), words, 4), 2);
    assert_int_equal(option_words(option_find("-d", QMOD), words + 2, 2), 0);
}

static void programs_have_their_own_options(void **state)
{
    (void)state;
    assert_null(option_find("-zz", QSUB));
    assert_null(option_find("-", QSUB));
    /* what an interactive job has no use for */
    assert_null(option_find("-t", QRSH));
    assert_null(option_find("-sync", QLOGIN));
    assert_null(option_find("-b", QLOGIN));
    assert_non_null(option_find("-b", QRSH));
    assert_non_null(option_find("-N", QRSH | SCRIPT));
    assert_non_null(option_find("-noshell", QRSH));
    assert_null(option_find("-noshell", QLOGIN));
    assert_null(option_find("-noshell", QSUB));
    assert_null(option_find("-b", QALTER));
    assert_null(option_find("-cwd", QDEL));
    assert_null(option_find("-help", QSUB | SCRIPT));
    assert_non_null(option_find("-hold_jid_ad", QSUB | SCRIPT));
    assert_non_null(option_find("-hold_jid_ad", QALTER));
    assert_non_null(option_find("-hold_jid_ad", QRESUB));
    assert_ptr_not_equal(option_find("-h", QSUB), option_find("-h", QALTER));
}

static char *help_of(unsigned program)
{
    struct dstr text = DSTR_INIT;
    option_help(program, &text);
    return dstr_take(&text);
}

/* Lines that users know from -help of existing systems; where a program has an option that they
 * list, the line is the same. */
static const struct {
    unsigned programs;
    const char *line;
} known[] = {
    { QSUB | QALTER, "   [-a date_time]                           request a start time\n" },
    { QSUB | QALTER, "   [-ac context_list]                       add context variable(s)\n" },
    { QSUB | QALTER,
      "   [-A account_string]                      account string in accounting record\n" },
    { QSUB, "   [-b y[es]|n[o]]                          handle command as binary\n" },
    { QSUB | QALTER, "   [-binding [env|pe|set] exp|lin|str]      binds job to processor cores\n" },
    { QSUB | QALTER,
      "   [-c ckpt_selector]                       define type of checkpointing for job\n" },
    { QSUB | QALTER,
      "   [-cwd]                                   use current working directory\n" },
    { QSUB, "   [-C directive_prefix]                    define command prefix for job script\n" },
    { QSUB | QALTER, "   [-dc simple_context_list]                delete context variable(s)\n" },
    { QSUB | QALTER,
      "   [-e path_list]                           specify standard error stream path(s)\n" },
    { QSUB, "   [-h]                                     place user hold on job\n" },
    { QALTER | QRESUB | QHOLD | QRLS,
      "   [-h hold_list]                           list of hold types concerned\n" },
    { QSUB | QALTER,
      "   [-hard]                                  consider following requests \"hard\"\n" },
    { QSUB | QALTER,
      "   [-he  y[es]|n[o]]                        enable/disable hard error handling\n" },
    { QSUB | QALTER | QRESUB | QHOLD | QRLS | QDEL,
      "   [-help]                                  print this help\n" },
    { QSUB | QALTER,
      "   [-hold_jid job_identifier_list]          define jobnet interdependencies\n" },
    { QSUB | QALTER,
      "   [-hold_jid_ad job_identifier_list]       define jobnet array interdependencies\n" },
    { QSUB | QALTER,
      "   [-i file_list]                           specify standard input stream file(s)\n" },
    { QSUB | QALTER,
      "   [-j y[es]|n[o]]                          merge stdout and stderr stream of job\n" },
    { QSUB | QALTER,
      "   [-js job_share]                          share tree or functional job share\n" },
    { QSUB, "   [-jsv jsv_url]                           job submission verification script to be "
            "used\n" },
    { QSUB | QALTER, "   [-l resource_list]                       request the given resources\n" },
    { QSUB | QALTER,
      "   [-M mail_list]                           notify these e-mail addresses\n" },
    { QSUB | QALTER,
      "   [-m mail_options]                        define mail notification events\n" },
    { QSUB | QALTER, "   [-masterq wc_queue_list]                 bind master task to queue(s)\n" },
    { QSUB | QALTER, "   [-N name]                                specify job name\n" },
    { QSUB | QALTER,
      "   [-notify]                                notify job before killing/suspending it\n" },
    { QSUB, "   [-now y[es]|n[o]]                        start job immediately or not at all\n" },
    { QSUB | QALTER,
      "   [-o path_list]                           specify standard output stream path(s)\n" },
    { QSUB | QALTER, "   [-ot tickets]                            set job's override tickets\n" },
    { QSUB | QALTER, "   [-P project_name]                        set job's project\n" },
    { QSUB | QALTER,
      "   [-p priority]                            define job's relative priority\n" },
    { QSUB | QALTER,
      "   [-pe wc_pe_name slot_range]              request slot range for parallel jobs\n" },
    { QSUB | QALTER, "   [-q wc_queue_list]                       bind job to queue(s)\n" },
    { QSUB | QALTER,
      "   [-r y[es]|n[o]]                          define job as (not) restartable\n" },
    { QSUB | QALTER,
      "   [-sc context_list]                       set job context (replaces old context)\n" },
    { QSUB, "   [-shell y[es]|n[o]]                      start command with or without wrapping "
            "<loginshell> -c\n" },
    { QSUB | QALTER,
      "   [-soft]                                  consider following requests as soft\n" },
    { QSUB,
      "   [-sync y[es]|n[o]]                       wait for job to end and return exit code\n" },
    { QSUB | QALTER,
      "   [-S path_list]                           command interpreter to be used\n" },
    { QSUB, "   [-t task_id_range]                       create a job-array with these tasks\n" },
    { QALTER | QHOLD | QRLS, "   [-u user_list]                           specify a list of users\n"
                             "                                            (not allowed in "
                             "combination with job_task_list)\n" },
    { QSUB | QALTER,
      "   [-v variable_list]                       export these environment variables\n" },
    { QSUB | QALTER, "   [-verify]                                do not submit, just verify\n" },
    { QSUB | QALTER,
      "   [-V]                                     export all environment variables\n" },
    { QSUB | QALTER, "   [-wd working_directory]                  use working_directory\n" },
    { QSUB, "   [-@ file]                                read commandline input from file\n" },
    { QALTER | QHOLD | QRLS,
      "   job_task_list                            jobids (and taskids) of jobs to be altered\n" },
    { QDEL, "   [-f]                                     force action\n" },
    { QDEL,
      "   [-u user_list]                           delete all jobs of users specified in list\n" },
    { QDEL, "   job_task_list                            delete all jobs given in list\n" },
    { QRESUB, "   job_id_list\n" },
    { QMOD, "   [-c job_wc_queue_list]  clear error state\n" },
    { QMOD, "   [-cj job_list]          clear job error state\n" },
    { QMOD, "   [-cq wc_queue_list]     clear queue error state\n" },
    { QMOD, "   [-d wc_queue_list]      disable\n" },
    { QMOD, "   [-e wc_queue_list]      enable\n" },
    { QMOD, "   [-f]                    force action\n" },
    { QMOD, "   [-r job_wc_queue_list]  reschedule jobs (running in queue)\n" },
    { QMOD, "   [-rj job_list]          reschedule jobs\n" },
    { QMOD, "   [-rq wc_queue_list]     reschedule all jobs in a queue\n" },
    { QMOD, "   [-s job_wc_queue_list]  suspend\n" },
    { QMOD, "   [-sj job_list]          suspend jobs\n" },
    { QMOD, "   [-sq wc_queue_list]     suspend queues\n" },
    { QMOD, "   [-us job_wc_queue_list] unsuspend\n" },
    { QMOD, "   [-usj job_list]         unsuspend jobs\n" },
    { QMOD, "   [-usq wc_queue_list]    unsuspend queues\n" },
    { QHOLD | QRLS, "hold_list               `u' `s' `o'\n" },
    { QALTER | QRESUB, "hold_list               `n' `u' `s' `o' `U' `S' `O'\n" },
    { QSUB | QALTER,
      "job_identifier_list     {job_id|job_name|reg_exp}[,{job_id|job_name|reg_exp},...]\n" },
    { QMOD, "job_list                   {job_tasks}[{','|' '}job_tasks[{','|' '}...]]\n" },
};

static void help_has_the_lines_users_know(void **state)
{
    (void)state;
    for (size_t p = 0; p < ARRAY_LEN(programs); p++) {
        char *help = help_of(programs[p]);
        for (size_t i = 0; i < ARRAY_LEN(known); i++)
            if ((known[i].programs & programs[p]) != 0 && strstr(help, known[i].line) == NULL)
                fail_msg("%s -help lacks: %s", option_program_name(programs[p]), known[i].line);
        free(help);
    }
}

static void help_begins_with_product_and_version(void **state)
{
    (void)state;
    char *help = help_of(QDEL);
    assert_memory_equal(help, "SGE ", 4);
    assert_non_null(strstr(help, "\nusage: qdel [options] job_task_list\n"));
    free(help);
    help = help_of(QMOD);
    assert_non_null(strstr(help, "\nusage: qmod [options]\n"));
    free(help);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_whole),
        cmocka_unit_test(a_plain_parser_stands_with_a_field_of_its_kind),
        cmocka_unit_test(what_an_option_sets_is_an_attribute),
        cmocka_unit_test(a_name_stands_once_for_each_program),
        cmocka_unit_test(each_argument_is_explained),
        cmocka_unit_test(an_option_takes_the_words_of_its_row),
        cmocka_unit_test(programs_have_their_own_options),
        cmocka_unit_test(help_has_the_lines_users_know),
        cmocka_unit_test(help_begins_with_product_and_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
