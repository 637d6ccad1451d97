/* The job tables against captured ones, to the letter. */
#include "libs/show/job_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/doc/doc.h"
#include "libs/show/job_requests.h"
#include "libs/show/test/sample.h"
#include "libs/uti/dstr.h"

static void add_running(struct job_rows *rows, const struct row_wish *wish)
{
    struct JB_Type job;
    struct JAT_Type task;
    sample_job(&job, 346, "run", 0, 0, 0);
    sample_task(&task, &job, 1, 0.25, 1);
    job_rows_add(rows, wish, &job, sample_figures(), (const struct JAT_Type *[]){ &task }, 1);
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_JB_Type, &job);
}

static void add_running_array(struct job_rows *rows, const struct row_wish *wish)
{
    struct JB_Type job;
    struct JAT_Type task[3];
    sample_job(&job, 347, "arr", 1, 3, 1);
    for (uint32_t i = 0; i < 3; i++) {
        sample_task(&task[i], &job, 3 - i, 0.25, 1); /* any order */
        sample_all_usage(&task[i]);
    }
    job_rows_add(rows, wish, &job, sample_figures(),
                 (const struct JAT_Type *[]){ &task[0], &task[1], &task[2] }, 3);
    for (uint32_t i = 0; i < 3; i++)
        cull_clear(&cull_JAT_Type, &task[i]);
    cull_clear(&cull_JB_Type, &job);
}

static void add_parallel(struct job_rows *rows, const struct row_wish *wish)
{
    struct JB_Type job;
    struct JAT_Type task;
    sample_job(&job, 349, "parmpi", 0, 0, 0);
    cull_set(&job, JB_pe, "mpi");
    range_set_add(cull_ranges(&job, JB_pe_range), 3, 3);
    sample_task(&task, &job, 1, 0.75, 3);
    sample_all_usage(&task);
    job_rows_add(rows, wish, &job, sample_figures(), (const struct JAT_Type *[]){ &task }, 1);
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_JB_Type, &job);
}

static void set_request(struct CE_Type *request, const char *name, const char *value)
{
    cull_set(request, CE_name, name);
    cull_set(request, CE_stringval, value);
}

static void add_pending_with_requests(struct job_rows *rows, const struct row_wish *wish)
{
    struct JB_Type job;
    sample_job(&job, 353, "avery_long_job_name_here", 0, 0, 0);
    set_request(cull_append(&job, JB_hard_resource_list), "h_rt", "100");
    set_request(cull_append(&job, JB_hard_resource_list), "mem_free", "1M");
    set_request(cull_append(&job, JB_soft_resource_list), "arch", "lx-amd64");
    sample_pending(&job);
    job_rows_add(rows, wish, &job, sample_figures(), NULL, 0);
    cull_clear(&cull_JB_Type, &job);
}

static void add_held_array(struct job_rows *rows, const struct row_wish *wish)
{
    struct JB_Type job;
    sample_job(&job, 351, "pendarr", 1, 9, 2);
    sample_pending(&job);
    range_set_add(cull_ranges(&job, JB_ja_u_h_ids), 0, 4);
    struct JRE_Type *on = cull_append(&job, JB_ja_ad_request_list);
    cull_set(on, JRE_job_name, "arr");
    on = cull_append(&job, JB_ja_ad_predecessor_list);
    cull_set(on, JRE_job_number, 347u);
    job_rows_add(rows, wish, &job, sample_figures(), NULL, 0);
    cull_clear(&cull_JB_Type, &job);
}

/* the jobs of the captured tables */
static void make_rows(struct job_rows *rows, unsigned show, bool keep_job)
{
    struct row_wish wish = { .show = show, .now_s = SAMPLE_NOW_S, .keep_job = keep_job };
    add_running(rows, &wish);
    add_running_array(rows, &wish);
    add_parallel(rows, &wish);
    add_pending_with_requests(rows, &wish);
    add_held_array(rows, &wish);
    job_rows_sort(rows);
}

static char *print_table(unsigned show, unsigned options)
{
    struct job_rows rows = { 0 };
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    make_rows(&rows, show, (options & (TABLE_EXT | TABLE_URG | TABLE_PRI | TABLE_REQUESTS)) != 0);
    struct doc *d = doc_open(DOC_TEXT, out, NULL, NULL);
    struct job_table table = job_table_of(d, options);
    job_table_head(out, options);
    for (uint32_t i = 0; i < rows.n; i++)
        job_table_row(&table, &rows.v[i]);
    assert_int_equal(doc_close(d, NULL), 0);
    (void)fclose(out);
    job_rows_free(&rows);
    return text;
}

static void expect_table(unsigned show, unsigned options, const char *wanted)
{
    char *text = print_table(show, options);
    assert_string_equal(text, wanted);
    free(text);
}

#define HEAD_PLAIN                                                                                 \
    "job-ID  prior   name       user         state submit/start at     queue                     " \
    "     slots ja-task-ID \n"                                                                     \
    "--------------------------------------------------------------------------------------------" \
    "---------------------\n"

static void the_plain_table_is_as_captured(void **state)
{
    (void)state;
    expect_table(SHOW_DEFAULT, 0,
                 HEAD_PLAIN
                 "    346 0.25000 run        alice        r     11/20/2026 08:47:11 "
                 "all.q@HOST                         1        \n"
                 "    347 0.25000 arr        alice        r     11/20/2026 08:47:11 "
                 "all.q@HOST                         1 1\n"
                 "    347 0.25000 arr        alice        r     11/20/2026 08:47:11 "
                 "all.q@HOST                         1 2\n"
                 "    347 0.25000 arr        alice        r     11/20/2026 08:47:11 "
                 "all.q@HOST                         1 3\n"
                 "    349 0.75000 parmpi     alice        r     11/20/2026 08:47:11 "
                 "all.q@HOST                         3        \n"
                 "    353 0.50000 avery_long alice        qw    11/20/2026 08:47:11           "
                 "                         1        \n"
                 "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11           "
                 "                         1 1-9:2\n");
}

static void g_d_shows_each_task_of_an_array(void **state)
{
    (void)state;
    expect_table(SHOW_PENDING, TABLE_EACH_TASK,
                 HEAD_PLAIN
                 "    353 0.50000 avery_long alice        qw    11/20/2026 08:47:11           "
                 "                         1        \n"
                 "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11           "
                 "                         1 1\n"
                 "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11           "
                 "                         1 3\n"
                 "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11           "
                 "                         1 5\n"
                 "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11           "
                 "                         1 7\n"
                 "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11           "
                 "                         1 9\n");
}

static void g_t_shows_the_slaves_of_a_parallel_job(void **state)
{
    (void)state;
    expect_table(
        SHOW_DEFAULT, TABLE_MASTER,
        "job-ID  prior   name       user         state submit/start at     queue                "
        "          master ja-task-ID \n"
        "---------------------------------------------------------------------------------------"
        "---------------------------\n"
        "    346 0.25000 run        alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER        \n"
        "    347 0.25000 arr        alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER 1\n"
        "    347 0.25000 arr        alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER 2\n"
        "    347 0.25000 arr        alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER 3\n"
        "    349 0.75000 parmpi     alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER        \n"
        "                                                                  all.q@HOST           "
        "          SLAVE         \n"
        "                                                                  all.q@HOST           "
        "          SLAVE         \n"
        "    353 0.50000 avery_long alice        qw    11/20/2026 08:47:11                      "
        "                        \n"
        "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11                      "
        "                 1-9:2\n");
}

/* ID runs on HOST, "": the task itself does */
static void add_petask(struct JAT_Type *task, const char *id, const char *host, double cpu)
{
    struct PS_Type *petask = cull_append(task, JAT_petasks);
    cull_set(petask, PS_id, id);
    cull_set(petask, PS_host, host);
    struct UA_Type *figure = cull_append(petask, PS_usage);
    cull_set(figure, UA_name, "cpu");
    cull_set(figure, UA_value, cpu);
}

/* its script is not one of its petasks */
static void make_tight(struct JAT_Type *task)
{
    cull_set(&task->JAT_granted_destin_identifier_list.v[0], JG_control_slaves, true);
    add_petask(task, "", "HOST", 3725);
    add_petask(task, "1.HOST", "HOST", 2);
    add_petask(task, "12.HOST", "HOST", 0);
}

/* the document with OPTIONS, as FORM, of a task with 2 slots on HOST, where it runs, and 2 on NODE;
 * of an array with LAST tasks, 0: of a job; with TABLE_TASKS it has petasks on HOST */
static char *spread_task_text(enum doc_form form, unsigned options, uint32_t last)
{
    const struct row_wish wish = { .show = SHOW_DEFAULT,
                                   .now_s = SAMPLE_NOW_S,
                                   .keep_job = (options & TABLE_TASKS) != 0 };
    struct job_rows rows = { 0 };
    struct JB_Type job;
    struct JAT_Type task;
    char *text = NULL;
    size_t len = 0;
    sample_job(&job, 350, "wide", last > 0, last, last > 0);
    cull_set(&job, JB_pe, "mpi");
    sample_task(&task, &job, 1, 0.75, 2);
    struct JG_Type *entry = cull_append(&task, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, "all.q@NODE");
    cull_set(entry, JG_slots, 2u);
    if ((options & TABLE_TASKS) != 0)
        make_tight(&task);
    job_rows_add(&rows, &wish, &job, sample_figures(), (const struct JAT_Type *[]){ &task }, 1);
    FILE *out = open_memstream(&text, &len);
    struct doc *d = doc_open(form, out, NULL, NULL);
    struct job_table table = job_table_of(d, options);
    job_table_row(&table, &rows.v[0]);
    assert_int_equal(doc_close(d, NULL), 0);
    fclose(out);
    job_rows_free(&rows);
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_JB_Type, &job);
    return text;
}

static void expect_spread_task(unsigned options, uint32_t last, const char *expected)
{
    char *text = spread_task_text(DOC_TEXT, options, last);
    assert_string_equal(text, expected);
    free(text);
}

static void g_t_shows_each_queue_instance_of_a_task(void **state)
{
    (void)state;
    expect_spread_task(
        TABLE_MASTER, 0,
        "    350 0.75000 wide       alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER        \n"
        "                                                                  all.q@HOST           "
        "          SLAVE         \n"
        "    350 0.75000 wide       alice        r     11/20/2026 08:47:11 all.q@NODE           "
        "          SLAVE         \n"
        "                                                                  all.q@NODE           "
        "          SLAVE         \n");
}

static void t_shows_petasks_and_what_they_use(void **state)
{
    (void)state;
    expect_spread_task(
        TABLE_MASTER | TABLE_TASKS, 0,
        "    350 0.75000 wide       alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER                        r     01:02:05 0.00000 0.00000 \n"
        "                                                                  all.q@HOST           "
        "          SLAVE            1.HOST       r     00:00:02 0.00000 0.00000 \n"
        "                                                                  all.q@HOST           "
        "          SLAVE            12.HOST      r     00:00:00 0.00000 0.00000 \n"
        "    350 0.75000 wide       alice        r     11/20/2026 08:47:11 all.q@NODE           "
        "          SLAVE         \n"
        "                                                                  all.q@NODE           "
        "          SLAVE         \n");
}

/* one of them after the other, below the queue instance of each */
static void expect_in_order(const char *text, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *at = strstr(text, parts[i]);
        assert_non_null(at);
        text = at + strlen(parts[i]);
    }
}

static void t_shows_petasks_in_documents_too(void **state)
{
    static const char *const xml[] = { "<master>MASTER</master>",
                                       "<pe_task_cpu>3725.00000</pe_task_cpu>",
                                       "<master>SLAVE</master>",
                                       "<pe_task_id>1.HOST</pe_task_id>",
                                       "<pe_task_cpu>2.00000</pe_task_cpu>",
                                       "<pe_task_mem>0.00000</pe_task_mem>",
                                       "<pe_task_io>0.00000</pe_task_io>",
                                       "<pe_task_id>12.HOST</pe_task_id>",
                                       "all.q@NODE" };
    static const char *const json[] = { "\"MASTER\"", "\"pe_task_cpu\": 3725",
                                        "\"pe_task_id\": \"1.HOST\"", "\"pe_task_id\": \"12.HOST\"",
                                        "all.q@NODE" };
    (void)state;
    char *text = spread_task_text(DOC_XML, TABLE_MASTER | TABLE_TASKS, 0);
    expect_in_order(text, xml, ARRAY_LEN(xml));
    assert_null(strstr(strstr(text, "all.q@NODE"), "pe_task"));
    free(text);
    text = spread_task_text(DOC_JSON, TABLE_MASTER | TABLE_TASKS, 0);
    expect_in_order(text, json, ARRAY_LEN(json));
    free(text);
}

static void each_line_of_a_task_of_an_array_has_its_id(void **state)
{
    (void)state;
    expect_spread_task(
        TABLE_MASTER, 3,
        "    350 0.75000 wide       alice        r     11/20/2026 08:47:11 all.q@HOST           "
        "          MASTER 1\n"
        "                                                                  all.q@HOST           "
        "          SLAVE  1\n"
        "    350 0.75000 wide       alice        r     11/20/2026 08:47:11 all.q@NODE           "
        "          SLAVE  1\n"
        "                                                                  all.q@NODE           "
        "          SLAVE  1\n");
}

static void without_it_the_line_of_the_master_has_all_slots(void **state)
{
    (void)state;
    expect_spread_task(
        0, 0,
        "    350 0.75000 wide       alice        r     11/20/2026 08:47:11 all.q@HOST       "
        "                  4        \n");
}

static void t_adds_columns_to_the_heading(void **state)
{
    (void)state;
    expect_table(
        SHOW_HOLD_JOB, TABLE_MASTER | TABLE_TASKS,
        "job-ID  prior   name       user         state submit/start at     queue                "
        "          master ja-task-ID "
        "task-ID state cpu        mem     io      stat failed \n"
        "---------------------------------------------------------------------------------------"
        "---------------------------"
        "-----------------------------------------------------\n");
}

static void ext_shows_usage_and_tickets(void **state)
{
    (void)state;
    char *text = print_table(SHOW_DEFAULT, TABLE_EXT);
    assert_non_null(strstr(
        text,
        "job-ID  prior   ntckts  name       user         project          department state cpu     "
        "   mem     io      "
        "tckts ovrts otckt ftckt stckt share queue                          slots ja-task-ID \n"));
    assert_non_null(strstr(
        text, "    346 0.25000 0.50000 run        alice        NA               defaultdep r     "
              "NA         NA      NA          0"
              "     0     0     0     0 0.00  all.q@HOST                         1        \n"));
    assert_non_null(
        strstr(text, "    347 0.25000 0.50000 arr        alice        NA               defaultdep "
                     "r     0:00:00:00 0.00000 0.00004     0"
                     "     0     0     0     0 0.00  all.q@HOST                         1 1\n"));
    assert_non_null(strstr(
        text, "    351 0.00000 0.00000 pendarr    alice        NA               defaultdep hqw     "
              "                             0"
              "     0     0     0     0 0.00                                     1 1-9:2\n"));
    char *bar = strchr(text, '\n') + 1;
    assert_int_equal(strcspn(bar, "\n"), 192);
    free(text);
}

static void urg_and_pri_have_their_widths(void **state)
{
    (void)state;
    char *text = print_table(SHOW_DEFAULT, TABLE_URG);
    assert_int_equal(strcspn(text, "\n"), 178);
    assert_int_equal(strcspn(strchr(text, '\n') + 1, "\n"), 177);
    assert_non_null(strstr(text,
                           "    351 0.00000 0.00000        0        0        0        0 pendarr    "
                           "alice        hqw   11/20/2026 08:47:11"
                           "                                                        1 1-9:2\n"));
    free(text);
    text = print_table(SHOW_DEFAULT, TABLE_PRI);
    assert_int_equal(strcspn(text, "\n"), 144);
    assert_int_equal(strcspn(strchr(text, '\n') + 1, "\n"), 148);
    assert_non_null(strstr(text, "    346 0.25000 0.50000 0.50000 0.50000     0 run        alice   "
                                 "     r     11/20/2026 08:47:11 all.q@HOST"
                                 "                         1        \n"));
    free(text);
    text = print_table(SHOW_DEFAULT, TABLE_PRI | TABLE_URG | TABLE_EXT);
    assert_int_equal(strcspn(text, "\n"), 291);
    assert_int_equal(strcspn(strchr(text, '\n') + 1, "\n"), 291);
    free(text);
}

static char *print_pending(const struct PF_Type *figures, unsigned options)
{
    struct row_wish wish = { .show = SHOW_PENDING, .now_s = SAMPLE_NOW_S, .keep_job = true };
    struct job_rows rows = { 0 };
    struct JB_Type job;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    sample_job(&job, 31, "dlpast", 0, 0, 0);
    sample_pending(&job);
    job_rows_add(&rows, &wish, &job, figures, NULL, 0);
    struct doc *d = doc_open(DOC_TEXT, out, NULL, NULL);
    struct job_table table = job_table_of(d, options);
    job_table_row(&table, &rows.v[0]);
    assert_int_equal(doc_close(d, NULL), 0);
    (void)fclose(out);
    job_rows_free(&rows);
    cull_clear(&cull_JB_Type, &job);
    return text;
}

static void what_came_with_the_job_is_shown_as_captured(void **state)
{
    (void)state;
    struct PF_Type f = { 0 };
    cull_set(&f, PF_prior, 0.6);
    cull_set(&f, PF_nurg, 1);
    cull_set(&f, PF_urg, 3601001.112);
    cull_set(&f, PF_rrcontr, 1000);
    cull_set(&f, PF_wtcontr, 1.112);
    cull_set(&f, PF_dlcontr, 3600000);
    char *text = print_pending(&f, TABLE_URG);
    assert_non_null(
        strstr(text, "     31 0.60000 1.00000  3601001     1000        1  3600000 dlpast"));
    free(text);
    cull_set(&f, PF_ntckts, 0.30208);
    cull_set(&f, PF_tickets, 3020.8);
    cull_set(&f, PF_otickets, 320.9);
    cull_set(&f, PF_ftickets, 2399.9);
    cull_set(&f, PF_stickets, 300);
    cull_set(&f, PF_share, 0.1401);
    text = print_pending(&f, TABLE_EXT);
    assert_non_null(strstr(text, "     31 0.60000 0.30208 dlpast "));
    assert_non_null(strstr(text, " 3020     0   320  2399   300 0.14 "));
    free(text);
}

static void r_shows_what_a_job_asked_for(void **state)
{
    (void)state;
    expect_table(SHOW_PENDING, TABLE_REQUESTS,
                 HEAD_PLAIN
                 "    353 0.50000 avery_long alice        qw    11/20/2026 08:47:11           "
                 "                         1        \n"
                 "       Full jobname:     avery_long_job_name_here\n"
                 "       Hard Resources:   h_rt=100 (0.000000)\n"
                 "                         mem_free=1M (0.000000)\n"
                 "       Soft Resources:   arch=lx-amd64\n"
                 "       Binding:          NONE\n"
                 "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11           "
                 "                         1 1-9:2\n"
                 "       Full jobname:     pendarr\n"
                 "       Hard Resources:   \n"
                 "       Soft Resources:   \n"
                 "       Predecessor Array Jobs (request): arr\n"
                 "       Predecessor Array Jobs: 347\n"
                 "       Binding:          NONE\n");
    char *text = print_table(SHOW_RUNNING, TABLE_REQUESTS);
    assert_non_null(strstr(text, "       Master Queue:     all.q@HOST\n"
                                 "       Requested PE:     mpi 3\n"
                                 "       Granted PE:       mpi 3\n"));
    free(text);
}

static void assert_needs(unsigned options, bool is_page, const char *wanted)
{
    const char *fields[JOB_FIELDS];
    struct dstr all = DSTR_INIT;
    unsigned n = job_table_needs(options, is_page, fields);
    for (unsigned i = 0; i < n; i++)
        dstr_addf(&all, "%s%s", i > 0 ? " " : "", fields[i]);
    assert_string_equal(dstr_get(&all), wanted);
    dstr_free(&all);
}

static void columns_need_fields_of_their_own_only(void **state)
{
    (void)state;
    assert_needs(0, true, "PF_prior");
    assert_needs(0, false, "PF_prior");
    assert_needs(TABLE_PRI, true, "PF_prior PF_nurg PF_npprior PF_ntckts JB_priority");
    assert_needs(TABLE_URG, true,
                 "PF_prior PF_nurg PF_urg PF_rrcontr PF_wtcontr PF_dlcontr JB_deadline");
    assert_needs(TABLE_EXT, true,
                 "PF_prior PF_ntckts JB_project JB_department PF_tickets JB_override_tickets "
                 "PF_otickets PF_ftickets PF_stickets PF_share");
    assert_needs(TABLE_EXT, false,
                 "PF_prior PF_ntckts JB_project JB_department PF_tickets JB_override_tickets "
                 "JB_jobshare PF_otickets PF_ftickets PF_stickets PF_share");
    assert_needs(TABLE_HOST | TABLE_MASTER, true, "PF_prior");
}

static bool is_field(const char *name)
{
    return cull_field_index(&cull_JB_Type, name) >= 0 || cull_field_index(&cull_PF_Type, name) >= 0;
}

static void what_is_requested_are_fields_of_a_job(void **state)
{
    const char *fields[JOB_FIELDS];
    unsigned n = job_table_needs(TABLE_EXT | TABLE_URG | TABLE_PRI, false, fields);
    (void)state;
    for (unsigned i = 0; i < n; i++)
        assert_true(is_field(fields[i]));
    for (const char *const *at = job_row_fields; *at != NULL; at++)
        assert_true(is_field(*at));
    for (const char *const *at = job_request_fields; *at != NULL; at++)
        assert_true(is_field(*at));
}

int main(void)
{
    sample_utc();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plain_table_is_as_captured),
        cmocka_unit_test(g_d_shows_each_task_of_an_array),
        cmocka_unit_test(g_t_shows_the_slaves_of_a_parallel_job),
        cmocka_unit_test(g_t_shows_each_queue_instance_of_a_task),
        cmocka_unit_test(t_shows_petasks_and_what_they_use),
        cmocka_unit_test(t_shows_petasks_in_documents_too),
        cmocka_unit_test(each_line_of_a_task_of_an_array_has_its_id),
        cmocka_unit_test(without_it_the_line_of_the_master_has_all_slots),
        cmocka_unit_test(t_adds_columns_to_the_heading),
        cmocka_unit_test(ext_shows_usage_and_tickets),
        cmocka_unit_test(urg_and_pri_have_their_widths),
        cmocka_unit_test(what_came_with_the_job_is_shown_as_captured),
        cmocka_unit_test(r_shows_what_a_job_asked_for),
        cmocka_unit_test(columns_need_fields_of_their_own_only),
        cmocka_unit_test(what_is_requested_are_fields_of_a_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
