/* qstat on hand-made answers: the pages that need queues and hosts, -j, -why, and what goes
 * wrong. */
#include "clients/qstat/qstat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/config/conf.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/doc/test/wellformed.h"
#include "libs/show/test/sample.h"
#include "libs/uti/answer.h"

struct cell {
    bool is_empty;         /* no jobs */
    const char *arch, *pe; /* what the waiting job asks for; NULL: nothing */
    bool is_lost;          /* the host is not there */
    bool has_memory_loads; /* load_avg is a resource of the type MEMORY in its complex */
    struct GR_Type asked;  /* the request for jobs */
    uint32_t queue_state;
    bool has_reasons;           /* schedd_job_info */
    const char *const *reasons; /* to NULL */
    uint32_t why_job, why_task; /* whom -why was about */
    uint32_t n_why;             /* how often it asked */
};

static void add_load(struct EH_Type *host, const char *name, const char *value)
{
    struct VA_Type *load = cull_append(host, EH_load_list);
    cull_set(load, VA_variable, name);
    cull_set(load, VA_value, value);
}

static void give_host(const struct cell *cell, struct GA_Type *part)
{
    struct EH_Type *host = cull_append(part, GA_hosts);
    cull_set(host, EH_name, "HOST");
    cull_set(host, EH_is_connected, !cell->is_lost);
    if (cell->is_lost)
        return;
    add_load(host, "load_avg", "10.020020");
    add_load(host, "arch", "lx-amd64");
    add_load(host, "mem_free", "23432.8M");
    add_load(host, "np_load_avg", "5.010010");
}

static void give_complex(const struct cell *cell, struct GA_Type *part)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    if (!cell->has_memory_loads)
        return;
    struct TX_Type *tx = cull_append(part, GA_texts);
    object_template(rules, "load_avg", tx);
    assert_int_equal(object_set(rules, tx, "type", "MEMORY", NULL), 0);
}

static void add_queue(struct GA_Type *part, const char *full, const char *name, uint32_t used,
                      uint32_t state)
{
    struct QU_Type *queue = cull_append(part, GA_queues);
    cull_set(queue, QU_full_name, full);
    cull_set(queue, QU_qname, name);
    cull_set(queue, QU_qhostname, "HOST");
    cull_set(queue, QU_qtype, (uint32_t)(QTYPE_BATCH | QTYPE_INTERACTIVE));
    cull_set(queue, QU_job_slots, 64u);
    cull_set(queue, QU_slots_used, used);
    cull_set(queue, QU_state, state);
    struct VA_Type *setting = cull_append(queue, QU_settings);
    cull_set(setting, VA_variable, "h_rt");
    cull_set(setting, VA_value, "INFINITY");
    setting = cull_append(queue, QU_settings);
    cull_set(setting, VA_variable, "pe_list");
    cull_set(setting, VA_value, "smp mpi");
}

static void give_jobs(const struct cell *cell, struct GA_Type *part)
{
    struct JB_Type *job = cull_append(part, GA_jobs);
    sample_job(job, 346, "run", 0, 0, 0);
    sample_task(cull_append(part, GA_tasks), job, 1, 0.25, 1);
    job = cull_append(part, GA_jobs);
    sample_job(job, 351, "pendarr", 1, 9, 2);
    sample_pending(job);
    range_set_add(cull_ranges(job, JB_ja_a_h_ids), 0, 4);
    struct QR_Type *queue = cull_append(job, JB_hard_queue_list);
    cull_set(queue, QR_name, "b.q");
    if (cell->pe != NULL)
        cull_set(job, JB_pe, cell->pe);
    if (cell->arch == NULL)
        return;
    struct CE_Type *ce = cull_append(job, JB_hard_resource_list);
    cull_set(ce, CE_name, "arch");
    cull_set(ce, CE_stringval, cell->arch);
}

static void give_waits(struct GA_Type *part)
{
    struct WT_Type *wait = cull_append(part, GA_waits);
    cull_set(wait, WT_job_number, 31u);
    cull_set(wait, WT_job_name, "A");
    cull_set(wait, WT_task_number, 3u);
    cull_set(wait, WT_kind, "hold_jid_ad");
    cull_set(wait, WT_state, "hqw");
}

static void give_reasons(const struct cell *cell, struct GA_Type *part)
{
    if (!cell->has_reasons)
        return;
    cull_mark(part, GA_reasons);
    for (const char *const *reason = cell->reasons; reason != NULL && *reason != NULL; reason++) {
        struct ST_Type *st = cull_append(part, GA_reasons);
        cull_set(st, ST_name, *reason);
    }
}

/* what a name of -why means: "one" and "many" are jobs of their own, "frames" is an array of which
 * tasks 1 to 3 run and 7 is held */
static void give_named(const struct GR_Type *request, struct GA_Type *part)
{
    const char *name = request->GR_select.v[0].ID_str;
    uint32_t n = strcmp(name, "one") == 0 ? 1 : strcmp(name, "many") == 0 ? 2 : 0;
    for (uint32_t i = 0; i < n; i++) {
        struct JB_Type *job = cull_append(part, GA_jobs);
        sample_job(job, 32 + i, name, 0, 0, 0);
        sample_pending(job);
    }
    if (strcmp(name, "frames") != 0)
        return;
    struct JB_Type *frames = cull_append(part, GA_jobs);
    sample_job(frames, 40, name, 1, 9, 1);
    range_set_add(cull_ranges(frames, JB_ja_pending_ids), 3, 8);
    range_set_add(cull_ranges(frames, JB_ja_u_h_ids), 6, 6);
    for (uint32_t id = 1; id <= 3; id++)
        sample_task(cull_append(part, GA_tasks), frames, id, 0.5, 1);
}

static void give_why(struct cell *cell, const struct GR_Type *request, struct GA_Type *part)
{
    if (!cell->is_empty)
        give_waits(part);
    give_reasons(cell, part);
    cell->why_job = request->GR_job_number;
    cell->why_task = request->GR_task_number;
    cell->n_why++;
}

static int give_answer(void *state, struct GR_Type *request, answer_part_fn fn, void *ctx,
                       struct answer *ans)
{
    struct cell *cell = state;
    struct GA_Type part = { 0 };
    if (request->GR_verb == GDI_WHY && (request->GR_options & GDI_WITH_REASONS) != 0) {
        give_reasons(cell, &part);
    } else if (request->GR_verb == GDI_WHY) {
        give_why(cell, request, &part);
    } else if (request->GR_target == GDI_JOB && request->GR_select.n > 0 &&
               (request->GR_options & GDI_WITH_ENV) == 0) {
        give_named(request, &part);
    } else if (request->GR_target == GDI_SCHEDCONF) {
        struct CONF_Type *conf = conf_template(CONF_SCHEDULER);
        cull_copy(&cull_CONF_Type, cull_append(&part, GA_confs), conf);
        cull_delete(&cull_CONF_Type, conf);
    } else if (request->GR_target == GDI_PE) {
        cull_set(cull_append(&part, GA_texts), TX_name, "smp");
    } else if (request->GR_target == GDI_COMPLEX) {
        give_complex(cell, &part);
    } else if (request->GR_target == GDI_EXECHOST) {
        give_host(cell, &part);
    } else if (request->GR_target == GDI_QINSTANCE) {
        add_queue(&part, "b.q@HOST", "b.q", 0, 0);
        add_queue(&part, "all.q@HOST", "all.q", 12, cell->queue_state);
    } else {
        cull_clear(&cull_GR_Type, &cell->asked);
        cull_copy(&cull_GR_Type, &cell->asked, request);
        if (!cell->is_empty)
            give_jobs(cell, &part);
        if ((request->GR_options & GDI_WITH_REASONS) != 0)
            give_reasons(cell, &part);
    }
    int result = fn(ctx, &part, ans);
    cull_clear(&cull_GA_Type, &part);
    return result;
}

struct page {
    char *out, *err;
    int status;
};

static struct page run_command(struct cell *cell, int n, const char *const *args)
{
    struct page p = { 0 };
    struct qstat_options o = { 0 };
    struct answer ans = ANSWER_INIT;
    size_t out_len, err_len;
    bool shows_usage;
    assert_int_equal(qstat_parse(n, (char *const *)args, &o, &shows_usage, &ans), 0);
    struct qstat_world w = { .from = { .get = give_answer, .state = cell },
                             .user = "alice",
                             .now_s = SAMPLE_NOW_S };
    w.out = open_memstream(&p.out, &out_len);
    w.err = open_memstream(&p.err, &err_len);
    p.status = qstat_run(&w, &o, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    (void)fclose(w.out);
    (void)fclose(w.err);
    qstat_options_free(&o);
    cull_clear(&cull_GR_Type, &cell->asked);
    return p;
}

static void page_free(struct page *p)
{
    free(p->out);
    free(p->err);
}

#define RUN(cell, ...)                                                                             \
    run_command(cell, (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)),             \
                (const char *[]){ __VA_ARGS__ })
#define BAR  "---------------------------------------------------------------------------------\n"
#define HEAD "queuename                      qtype resv/used/tot. load_avg arch          states\n"
#define PENDING                                                                                    \
    "\n############################################################################\n"             \
    " - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS - PENDING JOBS\n"                \
    "############################################################################\n"               \
    "    351 0.00000 pendarr    alice        hqw   11/20/2026 08:47:11     1 1-9:2\n"

static void f_shows_queues_with_their_tasks(void **state)
{
    (void)state;
    struct cell cell = { .queue_state = QI_DISABLED };
    struct page p = RUN(&cell, "-f");
    assert_string_equal(
        p.out, HEAD BAR
        "all.q@HOST                     BIP   0/12/64        10.02    lx-amd64      d\n"
        "    346 0.25000 run        alice        r     11/20/2026 08:47:11     1        \n" BAR
        "b.q@HOST                       BIP   0/0/64         10.02    lx-amd64      \n" PENDING);
    page_free(&p);
    p = RUN(&cell, "-f", "-ne");
    assert_null(strstr(p.out, "b.q@HOST"));
    page_free(&p);
    p = RUN(&cell, "-f", "-qs", "a");
    assert_string_equal(p.out, PENDING);
    page_free(&p);
}

/* the last load of a host that does not report says nothing */
static void f_shows_no_load_of_a_host_that_is_unknown(void **state)
{
    (void)state;
    struct cell cell = { .queue_state = QI_UNKNOWN };
    struct page p = RUN(&cell, "-f", "-q", "all.q", "-s", "z");
    assert_non_null(strstr(p.out, "all.q@HOST                     BIP   0/12/64        -NA-     "
                                  "lx-amd64      u\n"));
    page_free(&p);
    p = RUN(&cell, "-g", "c", "-q", "all.q");
    assert_non_null(strstr(p.out, " -NA- "));
    assert_null(strstr(p.out, "5.01"));
    page_free(&p);
}

static void big_f_shows_resources(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    struct page p = RUN(&cell, "-F", "mem_free,slots,h_rt", "-q", "all.q");
    assert_string_equal(
        p.out, HEAD BAR
        "all.q@HOST                     BIP   0/12/64        10.02    lx-amd64      \n"
        "\thl:mem_free=22.884G\n"
        "\tqc:slots=52\n"
        "\tqf:h_rt=infinity\n"
        "    346 0.25000 run        alice        r     11/20/2026 08:47:11     1        \n");
    page_free(&p);
}

static void explain_says_what_is_wrong_with_a_host_that_is_not_heard_of(void **state)
{
    (void)state;
    struct cell cell = { .queue_state = QI_UNKNOWN };
    static const char text[] =
        "\tthe execution daemon of its host is not connected: is sge_execd running there?\n";
    struct page p = RUN(&cell, "-f", "-explain", "u");
    assert_non_null(strstr(p.out, text));
    page_free(&p);
    p = RUN(&cell, "-f", "-explain", "E");
    assert_null(strstr(p.out, text));
    page_free(&p);
    cell.queue_state = 0;
    p = RUN(&cell, "-f", "-explain", "u");
    assert_null(strstr(p.out, text));
    page_free(&p);
}

static void g_c_sums_up_cluster_queues(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    struct page p = RUN(&cell, "-g", "c");
    assert_string_equal(
        p.out,
        "CLUSTER QUEUE                   CQLOAD   USED    RES  AVAIL  TOTAL aoACDS  cdsuE  \n"
        "--------------------------------------------------------------------------------\n"
        "all.q                             5.01     12      0     52     64      0      0 \n"
        "b.q                               5.01      0      0     64     64      0      0 \n");
    page_free(&p);
    cell.queue_state = QI_DISABLED;
    p = RUN(&cell, "-g", "c", "-q", "all.q");
    assert_non_null(strstr(
        p.out,
        "all.q                             5.01     12      0      0     64      0     64 \n"));
    page_free(&p);
    p = RUN(&cell, "-g", "c", "-ext", "-q", "all.q");
    assert_non_null(strstr(p.out,
                           " cdsuE      s     A     S     C     u     a     d     D     c     "
                           "o     E \n"));
    assert_non_null(strstr(p.out,
                           " 64      0     64     0     0     0     0     0     0    64     0 "
                           "    0     0     0 \n"));
    page_free(&p);
    p = RUN(&cell, "-g", "c", "-ext", "-xml");
    assert_non_null(strstr(p.out, "<disabled_manual>64</disabled_manual>"));
    page_free(&p);
}

static void q_leaves_jobs_that_suit_the_queue(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    struct page p = RUN(&cell, "-q", "all.q");
    assert_non_null(strstr(p.out, " 346 "));
    assert_null(strstr(p.out, " 351 "));
    page_free(&p);
    p = RUN(&cell, "-q", "b.q@*");
    assert_null(strstr(p.out, " 346 "));
    assert_non_null(strstr(p.out, " 351 "));
    page_free(&p);
    p = RUN(&cell, "-q", "nope.q");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "");
    page_free(&p);
}

static bool shows_waiting(struct cell cell, const char *option, const char *argument)
{
    struct page p = RUN(&cell, option, argument);
    bool shows = strstr(p.out, " 351 ") != NULL;
    page_free(&p);
    return shows;
}

static void a_selection_leaves_waiting_jobs_that_could_run_there(void **state)
{
    (void)state;
    struct cell plain = { 0 }, other = { .arch = "sol*" }, same = { .arch = "!sol*" };
    struct cell lost = { .arch = "sol*", .is_lost = true };
    struct cell pe = { .pe = "m*" }, no_pe = { .pe = "openmpi" };
    assert_true(shows_waiting(plain, "-q", "*"));
    assert_true(shows_waiting(same, "-q", "*"));
    assert_false(shows_waiting(other, "-q", "*"));
    assert_true(shows_waiting(lost, "-q", "*")); /* nothing is known of it */
    assert_false(shows_waiting(plain, "-l", "arch=nosuch"));
    assert_true(shows_waiting(plain, "-l", "arch=lx*"));
    assert_false(shows_waiting(plain, "-l", "qname=all.q"));
    assert_true(shows_waiting(pe, "-pe", "smp"));
    assert_false(shows_waiting(no_pe, "-pe", "smp"));
    assert_true(shows_waiting(other, "-qs", "d")); /* states say nothing of what may run later */
    assert_true(shows_waiting(other, "-s", "p"));
}

static void nothing_is_printed_when_there_is_nothing(void **state)
{
    (void)state;
    struct cell cell = { .is_empty = true };
    struct page p = run_command(&cell, 0, NULL);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "");
    page_free(&p);
    p = RUN(&cell, "-xml");
    assert_string_equal(
        p.out,
        "<?xml version='1.0'?>\n"
        "<job_info  xmlns:xsd=\"http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/"
        "schemas/qstat/qstat.xsd\">\n"
        "  <queue_info>\n"
        "  </queue_info>\n"
        "  <job_info>\n"
        "  </job_info>\n"
        "</job_info>\n");
    page_free(&p);
}

static void types_of_load_values_are_those_of_the_cells_complex(void **state)
{
    (void)state;
    struct cell cell = { .has_memory_loads = true };
    struct page p = RUN(&cell, "-F", "load_avg,mem_free", "-q", "all.q");
    assert_non_null(strstr(p.out, "\thl:load_avg=10.000\n"));
    assert_non_null(strstr(p.out, "\thl:mem_free=23432.8M\n")); /* not a resource there */
    page_free(&p);
    cull_clear(&cull_GR_Type, &cell.asked);
}

static void the_caller_is_asked_for_unless_u_says_otherwise(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    struct qstat_world w = { .from = { .get = give_answer, .state = &cell },
                             .user = "alice",
                             .now_s = SAMPLE_NOW_S };
    struct qstat_options o = { 0 };
    w.out = fopen("/dev/null", "w");
    assert_int_equal(qstat_run(&w, &o, NULL), 0);
    assert_int_equal(cell.asked.GR_users.n, 1);
    assert_string_equal(cell.asked.GR_users.v[0].ST_name, "alice");
    name_list_split(&o.users, "bob,*,$user");
    assert_int_equal(qstat_run(&w, &o, NULL), 0);
    assert_int_equal(cell.asked.GR_users.n, 3);
    assert_string_equal(cell.asked.GR_users.v[1].ST_name, "*");
    assert_string_equal(cell.asked.GR_users.v[2].ST_name, "alice");
    assert_true(cell.asked.GR_fields.n > 0); /* never whole records */
    (void)fclose(w.out);
    qstat_options_free(&o);
    cull_clear(&cull_GR_Type, &cell.asked);
}

static void unknown_jobs_are_told_on_stderr(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    struct page p = RUN(&cell, "-j", "999999");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "");
    assert_string_equal(p.err, "Following jobs do not exist: \n999999\n");
    page_free(&p);
    p = RUN(&cell, "-j", "346,nosuch");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.out, "job_number:                 346\n"));
    assert_string_equal(p.err, "Following jobs do not exist: \nnosuch\n");
    page_free(&p);
    p = RUN(&cell, "-j", "999999", "-xml");
    assert_int_equal(p.status, 0);
    assert_string_equal(
        p.out,
        "<?xml version='1.0'?>\n<unknown_jobs >\n    <ST_name>999999</ST_name>\n</unknown_jobs>\n");
    page_free(&p);
}

static void j_takes_ids_names_patterns_and_tasks(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    static const char *const same[] = { "346", "run", "r?n", "346.1", "nope|run" };
    for (size_t i = 0; i < ARRAY_LEN(same); i++) {
        struct page p = RUN(&cell, "-j", same[i]);
        assert_int_equal(p.status, 0);
        assert_non_null(strstr(p.out, "job_number:                 346\n"));
        assert_non_null(strstr(p.out, "usage         1:"));
        assert_null(strstr(p.out, "351"));
        page_free(&p);
    }
    struct page p = RUN(&cell, "-j");
    assert_string_equal(
        p.out,
        "scheduling info:            (Collecting of scheduler job information is turned off)\n\n");
    page_free(&p);
}

/* schedd_job_info true */
static void j_shows_why_a_job_waits(void **state)
{
    (void)state;
    static const char *const reasons[] = {
        "queue instance \"all.q@HOST\" dropped because it is disabled",
        "All queues dropped because of overload or full", NULL
    };
    static const char text[] =
        "scheduling info:            queue instance \"all.q@HOST\" dropped because it is disabled\n"
        "                            All queues dropped because of overload or full\n";
    struct cell cell = { .has_reasons = true, .reasons = reasons };
    struct page p = RUN(&cell, "-j", "351");
    assert_non_null(strstr(p.out, text));
    page_free(&p);
    p = RUN(&cell, "-j");
    assert_int_equal(strncmp(p.out, text, sizeof text - 1), 0);
    assert_string_equal(p.out + sizeof text - 1, "\nJobs dropped because of hold state\n\t351\n");
    page_free(&p);
    p = RUN(&cell, "-j", "351", "-xml");
    assert_non_null(strstr(p.out, "<MES_message>queue instance &quot;all.q@HOST&quot; dropped "
                                  "because it is disabled</MES_message>"));
    page_free(&p);
    cell.reasons = NULL;
    p = RUN(&cell, "-j", "351");
    assert_non_null(strstr(p.out, "scheduling info:            There are no messages available\n"));
    page_free(&p);
}

static void every_xml_page_is_well_formed(void **state)
{
    (void)state;
    static const char *const pages[][6] = {
        { "-xml" },
        { "-xml", "-f" },
        { "-xml", "-F" },
        { "-xml", "-r", "-ext", "-urg", "-pri" },
        { "-xml", "-g", "c" },
        { "-xml", "-g", "d" },
        { "-xml", "-t" },
        { "-xml", "-j", "*" },
        { "-xml", "-j" },
        { "-xml", "-j", "x" },
        { "-xml", "-j", "351.1", "-why" },
    };
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        for (int is_empty = 0; is_empty < 2; is_empty++) {
            struct cell cell = { .is_empty = is_empty != 0 };
            int n = 0;
            while (n < 6 && pages[i][n] != NULL)
                n++;
            struct page p = run_command(&cell, n, pages[i]);
            assert_true(is_well_formed(p.out));
            page_free(&p);
        }
    }
}

static void why_names_each_task_that_is_waited_for(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    struct page p = RUN(&cell, "-j", "32.3", "-why");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "waits for            name                 state  because of\n"
                               "-----------------------------------------------------------------\n"
                               "31.3                 A                    hqw    hold_jid_ad\n");
    page_free(&p);
}

static void why_says_what_else_keeps_a_task_from_starting(void **state)
{
    (void)state;
    static const char *const reasons[] = { "user hold; release with qrls 32.3", NULL };
    struct cell cell = { .is_empty = true, .has_reasons = true, .reasons = reasons };
    struct page p = RUN(&cell, "-j", "32.3", "-why");
    assert_string_equal(p.out, "user hold; release with qrls 32.3\n");
    page_free(&p);
    p = RUN(&cell, "-j", "32.3", "-why", "-xml");
    assert_true(is_well_formed(p.out));
    assert_non_null(strstr(p.out, "<message>user hold; release with qrls 32.3</message>"));
    page_free(&p);
}

static void why_takes_the_name_of_one_job(void **state)
{
    (void)state;
    struct cell cell = { 0 };
    struct page p = RUN(&cell, "-j", "one", "-why");
    assert_int_equal(p.status, 0);
    assert_int_equal(cell.why_job, 32);
    assert_int_equal(cell.why_task, 0);
    page_free(&p);
    p = RUN(&cell, "-j", "one.3", "-why");
    assert_int_equal(p.status, 0);
    assert_int_equal(cell.why_job, 32);
    assert_int_equal(cell.why_task, 3);
    page_free(&p);
}

static void why_of_an_array_asks_once_for_each_state(void **state)
{
    (void)state;
    static const char *const reasons[] = { "a reason", NULL };
    struct cell cell = { .is_empty = true, .has_reasons = true, .reasons = reasons };
    struct page p = RUN(&cell, "-j", "frames", "-why");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "tasks 1-3:1 of job 40 (r), such as 40.1:\na reason\n\n"
                               "tasks 4-6:1,8,9 of job 40 (qw), such as 40.4:\na reason\n\n"
                               "task 40.7 (hqw):\na reason\n");
    assert_int_equal(cell.n_why, 3);
    page_free(&p);
}

static void why_answers_for_several_jobs_one_after_another(void **state)
{
    (void)state;
    static const char *const reasons[] = { "a reason", NULL };
    struct cell cell = { .is_empty = true, .has_reasons = true, .reasons = reasons };
    struct page p = RUN(&cell, "-j", "many,7.3", "-why");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "job 32 (qw):\na reason\n\njob 33 (qw):\na reason\n\n"
                               "task 7.3:\na reason\n");
    page_free(&p);
    p = RUN(&cell, "-j", "frames,one", "-why", "-xml");
    assert_true(is_well_formed(p.out));
    assert_non_null(strstr(p.out, "<tasks>4-6:1,8,9</tasks>"));
    page_free(&p);
}

static void why_names_what_is_not_there_and_answers_for_the_rest(void **state)
{
    (void)state;
    struct cell cell = { .is_empty = true };
    struct page p = RUN(&cell, "-j", "none,one,none.3", "-why");
    assert_int_equal(p.status, 1);
    assert_int_equal(cell.why_job, 32);
    assert_string_equal(p.err, "error: job \"none\" does not exist\n"
                               "error: job \"none.3\" does not exist\n");
    page_free(&p);
    p = RUN(&cell, "-j", "none", "-why", "-xml");
    assert_int_equal(p.status, 1);
    assert_true(is_well_formed(p.out));
    page_free(&p);
}

static void wrong_command_lines_say_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *args[3];
        bool shows_usage;
        const char *text;
    } wrong[] = {
        { { "-s", "hdj" }, true, "ERROR! wrong argument to -s option" },
        { { "-s" }, false, "-s option must have argument" },
        { { "-u" }, false, "-u option must have argument" },
        { { "-g" }, false, "-g option must have argument" },
        { { "-zzz" }, true, "invalid option argument \"-zzz\"" },
        { { "-help", "x" }, true, "invalid option argument \"x\"" },
        { { "-U" }, false, "-U option must have argument" },
        { { "-g", "x" }, true, "ERROR! wrong argument to -g option" },
        { { "-why" },
          false,
          "-why needs jobs or tasks: qstat -j JOB -why, or qstat -j JOB.TASK -why" },
        { { "-u", "" }, false, "-u needs the name of a user, or \"*\"" },
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct qstat_options o = { 0 };
        struct answer ans = ANSWER_INIT;
        bool shows_usage;
        int n = wrong[i].args[1] != NULL ? 2 : 1;
        assert_int_equal(qstat_parse(n, (char *const *)wrong[i].args, &o, &shows_usage, &ans), -1);
        assert_string_equal(ans_first_error(&ans), wrong[i].text);
        assert_int_equal(shows_usage, wrong[i].shows_usage);
        ans_free(&ans);
        qstat_options_free(&o);
    }
}

int main(void)
{
    sample_utc();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f_shows_queues_with_their_tasks),
        cmocka_unit_test(f_shows_no_load_of_a_host_that_is_unknown),
        cmocka_unit_test(big_f_shows_resources),
        cmocka_unit_test(explain_says_what_is_wrong_with_a_host_that_is_not_heard_of),
        cmocka_unit_test(g_c_sums_up_cluster_queues),
        cmocka_unit_test(q_leaves_jobs_that_suit_the_queue),
        cmocka_unit_test(a_selection_leaves_waiting_jobs_that_could_run_there),
        cmocka_unit_test(nothing_is_printed_when_there_is_nothing),
        cmocka_unit_test(types_of_load_values_are_those_of_the_cells_complex),
        cmocka_unit_test(the_caller_is_asked_for_unless_u_says_otherwise),
        cmocka_unit_test(unknown_jobs_are_told_on_stderr),
        cmocka_unit_test(j_takes_ids_names_patterns_and_tasks),
        cmocka_unit_test(j_shows_why_a_job_waits),
        cmocka_unit_test(every_xml_page_is_well_formed),
        cmocka_unit_test(why_names_each_task_that_is_waited_for),
        cmocka_unit_test(why_says_what_else_keeps_a_task_from_starting),
        cmocka_unit_test(why_takes_the_name_of_one_job),
        cmocka_unit_test(why_of_an_array_asks_once_for_each_state),
        cmocka_unit_test(why_answers_for_several_jobs_one_after_another),
        cmocka_unit_test(why_names_what_is_not_there_and_answers_for_the_rest),
        cmocka_unit_test(wrong_command_lines_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
