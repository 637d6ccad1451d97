/* Objects of the administrator: who may change them, what is refused and with which words, what
 * follows from a change, and that it is there after a restart. qconf(1); captured texts. */
#include "daemons/qmaster/config/config_stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/heard/exec_hear.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/uti/answer.h"

/* USER's request GR (emptied); what the answer says, entries divided by newlines */
static const char *ask_as(struct fixture *f, const char *user, fixture_handler_fn handler,
                          enum gdi_target target, struct GR_Type *gr)
{
    cull_set(gr, GR_target, (uint32_t)target);
    fixture_ask(f, user, handler, gr);
    return dstr_get(&f->said);
}

static const char *delete_as(struct fixture *f, const char *user, enum gdi_target target,
                             const char *name)
{
    struct GR_Type gr = { 0 };
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, name);
    return ask_as(f, user, del_config_request, target, &gr);
}

static const char *add_name(struct fixture *f, const char *user, enum gdi_target target,
                            const char *name)
{
    struct GR_Type gr = { 0 };
    struct NM_Type *nm = cull_append(&gr, GR_names);
    cull_set(nm, NM_name, name);
    return ask_as(f, user, add_config_request, target, &gr);
}

static const char *put_queue(struct fixture *f, fixture_handler_fn handler, const char *name)
{
    struct GR_Type gr = { 0 };
    struct CQ_Type *cq = cqueue_template(name);
    cull_copy(&cull_CQ_Type, cull_append(&gr, GR_cqueues), cq);
    cull_delete(&cull_CQ_Type, cq);
    return ask_as(f, "boss", handler, GDI_CQUEUE, &gr);
}

static const char *put_host(struct fixture *f, fixture_handler_fn handler, const char *name,
                            const char *projects)
{
    struct GR_Type gr = { 0 };
    struct EH_Type *host = host_template(name);
    cull_set(host, EH_text_projects, projects);
    cull_copy(&cull_EH_Type, cull_append(&gr, GR_hosts), host);
    cull_delete(&cull_EH_Type, host);
    return ask_as(f, "boss", handler, GDI_EXECHOST, &gr);
}

/* the configuration NAME as it is, or a new one, with PARAM set */
static const char *put_conf(struct fixture *f, fixture_handler_fn handler, enum gdi_target target,
                            const char *name, const char *param, const char *value)
{
    struct GR_Type gr = { 0 };
    struct CONF_Type *conf = cull_append(&gr, GR_confs);
    const struct conf *old = settings_conf(&f->q.settings, name);
    if (old != NULL)
        cull_copy(&cull_CONF_Type, conf, &old->rec);
    cull_set(conf, CONF_name, name);
    for (uint32_t i = 0; i < conf->CONF_entries.n; i++)
        if (strcmp(conf->CONF_entries.v[i].VA_variable, param) == 0)
            cull_remove_at(&cull_VA_Type, (struct cull_list *)&conf->CONF_entries, i--);
    struct VA_Type *va = cull_append(conf, CONF_entries);
    cull_set(va, VA_variable, param);
    cull_set(va, VA_value, value);
    return ask_as(f, "boss", handler, target, &gr);
}

/* an object of the kind TARGET with its defaults; of one attribute VALUE instead, unless it is
 * NULL */
static const char *put_object(struct fixture *f, fixture_handler_fn handler, enum gdi_target target,
                              const char *name, const char *attr, const char *value)
{
    struct GR_Type gr = { 0 };
    object_template(object_rules_of((enum object_kind)target), name, cull_append(&gr, GR_texts));
    struct VA_Type_list *l = &gr.GR_texts.v[0].TX_entries;
    for (uint32_t i = 0; value != NULL && i < l->n; i++)
        if (strcmp(l->v[i].VA_variable, attr) == 0)
            cull_set(&l->v[i], VA_value, value);
    return ask_as(f, "boss", handler, target, &gr);
}

/* what a GET of TARGET brings; PATTERN may be NULL. AFTER (may be NULL): the batch that the answer
 * waits for */
static struct GA_Type get_objects(struct fixture *f, enum gdi_target target, const char *pattern,
                                  uint64_t *after)
{
    struct request r = { .from = fixture_session(f, "alice"), .after = change_number(&f->q) };
    cull_set(&r.gr, GR_target, (uint32_t)target);
    if (pattern != NULL)
        fixture_name(&r.gr, pattern);
    get_config_request(&f->q, &r);
    assert_int_equal(r.ans.n, 0);
    struct GA_Type ga = r.ga;
    r.ga = (struct GA_Type){ 0 };
    if (after != NULL)
        *after = r.after;
    request_clear(&r);
    return ga;
}

static uint32_t count_objects(struct fixture *f, enum gdi_target target, const char *pattern)
{
    struct GA_Type ga = get_objects(f, target, pattern, NULL);
    uint32_t n = ga.GA_cqueues.n + ga.GA_queues.n + ga.GA_hosts.n + ga.GA_names.n + ga.GA_confs.n +
                 ga.GA_texts.n;
    cull_clear(&cull_GA_Type, &ga);
    return n;
}

static void restart_qmaster(struct fixture *f)
{
    fixture_commit(f);
    fixture_restart(f);
}

/* ---- who ---- */
static void only_managers_change_anything(void **state)
{
    struct fixture *f = *state;
    static const char denied[] = "denied: \"alice\" must be manager for this operation";
    assert_string_equal(add_name(f, "alice", GDI_MANAGER, "alice"), denied);
    assert_string_equal(delete_as(f, "alice", GDI_CQUEUE, "all.q"), denied);
    assert_string_equal(add_name(f, "boss", GDI_OPERATOR, "alice"),
                        "boss@node1 added \"alice\" to operator list");
    assert_string_equal(add_name(f, "alice", GDI_OPERATOR, "bob"), denied); /* nor operators */
    assert_string_equal(add_name(f, "boss", GDI_MANAGER, "alice"),
                        "boss@node1 added \"alice\" to manager list");
    assert_string_equal(add_name(f, "alice", GDI_OPERATOR, "bob"),
                        "alice@node1 added \"bob\" to operator list");
    assert_int_equal(count_objects(f, GDI_OPERATOR, NULL), 2);
}

static void everybody_reads(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(count_objects(f, GDI_CQUEUE, NULL), 1);
    assert_int_equal(count_objects(f, GDI_QINSTANCE, "all.q@*"), 1);
    assert_int_equal(count_objects(f, GDI_QINSTANCE, "other*"), 0);
    assert_int_equal(count_objects(f, GDI_MANAGER, NULL), 1);
    assert_int_equal(count_objects(f, GDI_PE, "m*"), 2); /* mpi, make */
    assert_int_equal(count_objects(f, GDI_CONFIG, NULL), 1);
    assert_int_equal(count_objects(f, GDI_SCHEDCONF, NULL), 1);
    assert_int_equal(count_objects(f, GDI_CALENDAR, NULL), 0);
}

static void an_answer_waits_for_what_it_shows_and_for_nothing_else(void **state)
{
    struct fixture *f = *state;
    uint64_t after;
    fixture_commit(f);
    submit(f); /* something else is not on disk yet */
    struct GA_Type ga = get_objects(f, GDI_MANAGER, NULL, &after);
    cull_clear(&cull_GA_Type, &ga);
    assert_true(after <= change_durable(&f->q));
    add_name(f, "boss", GDI_MANAGER, "bob");
    ga = get_objects(f, GDI_MANAGER, NULL, &after);
    cull_clear(&cull_GA_Type, &ga);
    assert_int_equal(after, change_number(&f->q));
}

/* what has been sent of the answer to alice's request: its names, "." at its end */
static const char *text_heard(struct fixture *f)
{
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type ga = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL), 0);
        for (uint32_t k = 0; k < ga.GA_names.n; k++)
            dstr_addf(&f->said, "%s ", ga.GA_names.v[k].NM_name);
        dstr_addf(&f->said, "%s", ga.GA_is_last ? "." : "| ");
        cull_clear(&cull_GA_Type, &ga);
    }
    fixture_forget_sent(f);
    return dstr_get(&f->said);
}

static void begin_reading_operators(struct fixture *f)
{
    struct request r = { .from = fixture_session(f, "alice") };
    cull_set(&r.gr, GR_target, (uint32_t)GDI_OPERATOR);
    fixture_commit(f);
    fixture_forget_sent(f);
    f->q.slice_until_us = 1; /* each slice is over at once */
    get_config_request(&f->q, &r);
    assert_true(r.is_taken);
    request_clear(&r);
}

static void a_long_answer_goes_in_slices(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_OPERATOR, "o1");
    add_name(f, "boss", GDI_OPERATOR, "o2");
    add_name(f, "boss", GDI_OPERATOR, "o3");
    begin_reading_operators(f);
    assert_string_equal(text_heard(f), "o1 | ");
    work_step(&f->q);
    assert_string_equal(text_heard(f), "o2 | ");
    work_step(&f->q);
    assert_string_equal(text_heard(f), "o3 .");
    assert_false(work_is_due(&f->q));
}

static void what_goes_while_it_is_read_is_left_out_when_that_is_durable(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_OPERATOR, "o1");
    add_name(f, "boss", GDI_OPERATOR, "o2");
    add_name(f, "boss", GDI_OPERATOR, "o3");
    begin_reading_operators(f);
    assert_string_equal(text_heard(f), "o1 | ");
    f->q.slice_until_us = 0;
    delete_as(f, "boss", GDI_OPERATOR, "o2");
    add_name(f, "boss", GDI_OPERATOR, "o4");
    fixture_forget_sent(f);
    while (work_step(&f->q))
        ;
    assert_string_equal(text_heard(f), "");
    fixture_commit(f);
    /* what is new comes last */
    assert_non_null(strstr(text_heard(f), "o3 o4 ."));
}

static void who_hangs_up_ends_the_answer(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_OPERATOR, "o1");
    add_name(f, "boss", GDI_OPERATOR, "o2");
    begin_reading_operators(f);
    fixture_hang_up(f, "alice");
    assert_false(work_is_due(&f->q));
    f->q.slice_until_us = 0;
}

/* ---- queues ---- */
static void queues_come_change_and_go(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_queue(f, add_config_request, "two.q"),
                        "boss@node1 added \"two.q\" to cluster queue list");
    assert_string_equal(put_queue(f, add_config_request, "two.q"),
                        "cluster queue \"two.q\" already exists");
    assert_string_equal(put_queue(f, mod_config_request, "two.q"),
                        "boss@node1 modified \"two.q\" in cluster queue list");
    assert_string_equal(put_queue(f, mod_config_request, "nope.q"),
                        "denied: cluster queue \"nope.q\" does not exist");
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_CQUEUE, "two.q"), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "two.q"),
                        "boss@node1 removed \"two.q\" from cluster queue list");
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "two.q"),
                        "denied: cluster queue \"two.q\" does not exist");
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_CQUEUE, "two.q"), 0);
}

static void a_queue_in_use_stays(void **state)
{
    struct fixture *f = *state;
    fixture_start(f, submit(f), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "all.q"),
                        "cluster queue \"all.q\" has tasks that run; it cannot be removed");
    assert_int_equal(count_objects(f, GDI_CQUEUE, NULL), 1);
}

static void a_queue_that_is_not_whole_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct CQ_Type *cq = cull_append(&gr, GR_cqueues);
    cull_set(cq, CQ_name, "all.q");
    assert_string_equal(ask_as(f, "boss", mod_config_request, GDI_CQUEUE, &gr),
                        "required attribute \"hostlist\" is missing");
    assert_int_equal(fixture_queue(f)->rec.QU_job_slots, 100);
}

static const char *set_queue(struct fixture *f, const char *attr, const char *value)
{
    (void)fixture_set_queue(f, attr, value);
    return dstr_get(&f->said);
}

static void who_sets_what_nothing_obeys_yet_hears_it_once(void **state)
{
    struct fixture *f = *state;
    static const char modified[] = "boss@node1 modified \"all.q\" in cluster queue list";
    assert_string_equal(set_queue(f, "load_thresholds", "np_load_avg=2"),
                        "attribute \"load_thresholds\" is stored, but has no effect yet\n"
                        "boss@node1 modified \"all.q\" in cluster queue list");
    assert_string_equal(set_queue(f, "slots", "7"), modified);
    assert_string_equal(set_queue(f, "complex_values", "NONE,[node1=slots=2]"),
                        "attribute \"complex_values\" is stored, but has no effect yet\n"
                        "boss@node1 modified \"all.q\" in cluster queue list");
    assert_string_equal(set_queue(f, "complex_values", "NONE"), modified);
    assert_string_equal(set_queue(f, "load_thresholds", "np_load_avg=1.75"), modified);
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER, "maxujobs", "5"),
        "attribute \"maxujobs\" is stored, but has no effect yet\nchanged scheduler configuration");
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER, "maxujobs", "0"),
        "changed scheduler configuration");
    assert_string_equal(put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_u_jobs", "5"),
                        "boss@node1 modified \"global\" in configuration list");
}

static void assert_unknown_in_queue(struct fixture *f, const char *attr, const char *value,
                                    const char *noun, const char *name)
{
    char text[256];
    snprintf(text, sizeof text,
             "cluster queue \"all.q\": attribute \"%s\" names the %s \"%s\", which does not exist",
             attr, noun, name);
    assert_string_equal(set_queue(f, attr, value), text);
}

static void names_of_objects_that_do_not_exist_are_refused(void **state)
{
    struct fixture *f = *state;
    assert_unknown_in_queue(f, "xuser_lists", "crew", "user set", "crew");
    assert_unknown_in_queue(f, "user_lists", "NONE,[node1=crew]", "user set", "crew");
    assert_unknown_in_queue(f, "calendar", "night", "calendar", "night");
    assert_unknown_in_queue(f, "ckpt_list", "blcr", "checkpointing environment", "blcr");
    assert_unknown_in_queue(f, "projects", "film", "project", "film");
    assert_unknown_in_queue(f, "subordinate_list", "all.q=1,low.q=2", "cluster queue", "low.q");
    put_object(f, add_config_request, GDI_USERSET, "crew", NULL, NULL);
    assert_string_equal(set_queue(f, "xuser_lists", "crew"),
                        "attribute \"xuser_lists\" is stored, but has no effect yet\n"
                        "boss@node1 modified \"all.q\" in cluster queue list");
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "xuser_lists", "crew gang"),
        "configuration \"global\": attribute \"xuser_lists\" names the user set \"gang\", which "
        "does not exist");
    assert_string_equal(
        conf_get(&settings_conf(&f->q.settings, CONF_GLOBAL)->rec, NULL, "xuser_lists"), "none");
}

/* ---- hosts ---- */
static void hosts_come_change_and_go(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_host(f, add_config_request, "node9", "NONE"),
                        "can't resolve hostname \"node9\"");
    assert_string_equal(put_host(f, mod_config_request, "node9", "NONE"),
                        "denied: exechost \"node9\" does not exist");
    assert_string_equal(put_host(f, add_config_request, "node1", "NONE"),
                        "exechost \"node1\" already exists");
    assert_string_equal(put_host(f, mod_config_request, "node1", "render"),
                        "exechost \"node1\": attribute \"projects\" names the project \"render\", "
                        "which does not exist");
    put_object(f, add_config_request, GDI_PROJECT, "render", NULL, NULL);
    assert_string_equal(put_host(f, mod_config_request, "node1", "render"),
                        "attribute \"projects\" is stored, but has no effect yet\n"
                        "boss@node1 modified \"node1\" in exechost list");
    assert_string_equal(put_host(f, mod_config_request, "node1", "render"),
                        "boss@node1 modified \"node1\" in exechost list");
    restart_qmaster(f);
    assert_string_equal(hosts_find(&f->q.hosts, "node1")->rec.EH_text_projects, "render");
    assert_string_equal(delete_as(f, "boss", GDI_EXECHOST, "node1"),
                        "Host object \"node1\" is still referenced in cluster queue \"all.q\".");
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    assert_string_equal(delete_as(f, "boss", GDI_EXECHOST, "node1"),
                        "boss@node1 removed \"node1\" from exechost list");
    assert_string_equal(delete_as(f, "boss", GDI_EXECHOST, "node1"),
                        "denied: exechost \"node1\" does not exist");
    assert_string_equal(put_host(f, add_config_request, "node1", "NONE"),
                        "boss@node1 added \"node1\" to exechost list");
}

static void the_execd_of_a_host_that_goes_is_sent_away(void **state)
{
    struct fixture *f = *state;
    struct session *execd = fixture_session(f, "root");
    struct XM_Type load = { 0 };
    struct packer p = { 0 };
    assert_ptr_equal(execd->execd_of, hosts_find(&f->q.hosts, "node1"));
    assert_true(fixture_set_queue(f, "hostlist", "NONE"));
    delete_as(f, "boss", GDI_EXECHOST, "node1");
    assert_int_equal(f->last_closed, execd->conn);
    assert_null(execd->execd_of);
    cull_set(&load, XM_kind, (uint32_t)EXEC_LOAD); /* it does not know yet */
    cull_pack(&p, &cull_XM_Type, &load, NULL);
    struct frame frame = { .kind = GDI_FRAME_EXEC, .body = p.data, .len = p.len };
    exec_hear(&f->q, execd, &frame);
    exec_on_closed(&f->q, execd);
    packer_free(&p);
    cull_clear(&cull_XM_Type, &load);
    assert_int_equal(count_objects(f, GDI_EXECHOST, NULL), 0);
}

static void a_host_shows_whether_its_execd_is_here(void **state)
{
    struct fixture *f = *state;
    struct GA_Type ga = get_objects(f, GDI_EXECHOST, "node1", NULL);
    assert_true(ga.GA_hosts.v[0].EH_is_connected);
    cull_clear(&cull_GA_Type, &ga);
    exec_on_closed(&f->q, fixture_session(f, "root"));
    ga = get_objects(f, GDI_EXECHOST, "node1", NULL);
    assert_false(ga.GA_hosts.v[0].EH_is_connected);
    cull_clear(&cull_GA_Type, &ga);
}

/* ---- name lists ---- */
static void names_come_and_go(void **state)
{
    struct fixture *f = *state;
    add_name(f, "boss", GDI_MANAGER, "bob");
    assert_string_equal(add_name(f, "boss", GDI_MANAGER, "bob"), "manager \"bob\" already exists");
    restart_qmaster(f);
    assert_true(settings_has_name(&f->q.settings, NAMES_MANAGER, "bob"));
    assert_string_equal(delete_as(f, "boss", GDI_MANAGER, "bob"),
                        "boss@node1 removed \"bob\" from manager list");
    assert_string_equal(delete_as(f, "boss", GDI_MANAGER, "bob"),
                        "denied: manager \"bob\" does not exist");
    restart_qmaster(f);
    assert_false(settings_has_name(&f->q.settings, NAMES_MANAGER, "bob"));
}

static void root_and_the_masters_host_stay(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(delete_as(f, "boss", GDI_MANAGER, "root"),
                        "may not remove user \"root\" from manager list");
    assert_string_equal(delete_as(f, "boss", GDI_ADMINHOST, "node1"),
                        "denied: can't delete master host \"node1\" from admin host list");
    assert_string_equal(delete_as(f, "boss", GDI_SUBMITHOST, "node1"),
                        "boss@node1 removed \"node1\" from submit host list");
    assert_string_equal(add_name(f, "boss", GDI_SUBMITHOST, "node1"),
                        "node1 added to submit host list");
    assert_string_equal(add_name(f, "boss", GDI_SUBMITHOST, "nowhere"),
                        "can't resolve hostname \"nowhere\"");
}

static void what_has_no_name_is_refused(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(add_name(f, "boss", GDI_MANAGER, ""), "denied: manager without a name");
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "", NULL, NULL),
                        "denied: parallel environment without a name");
    struct GR_Type gr = { 0 };
    assert_string_equal(ask_as(f, "boss", add_config_request, GDI_CQUEUE, &gr),
                        "the request names no cluster queue");
    assert_string_equal(ask_as(f, "boss", del_config_request, GDI_MANAGER, &gr),
                        "the request names no manager");
    assert_int_equal(count_objects(f, GDI_MANAGER, NULL), 1);
}

/* ---- configurations ---- */
static void the_global_configuration_counts_at_once(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_u_jobs", "1"),
                        "boss@node1 modified \"global\" in configuration list");
    assert_int_not_equal(submit(f), 0);
    assert_int_equal(submit(f), 0);
    assert_string_equal(dstr_get(&f->said),
                        "job rejected: only 1 jobs are allowed per user (current job count: 1)");
    restart_qmaster(f);
    assert_int_equal(f->q.settings.max_u_jobs, 1);
}

/* each job was told to it with the limit that was */
static void a_limit_of_array_tasks_reaches_the_scheduler(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = fixture_session(f, "root")->conn;
    fixture_register_scheduler(f);
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_aj_tasks", "7");
    assert_true(events_is_scheduler(&f->q, conn));
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_aj_instances", "7");
    assert_false(events_is_scheduler(&f->q, conn)); /* it registers again and receives everything */
    assert_int_equal(f->last_closed, conn);
}

static void an_execd_hears_of_its_configuration(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = hosts_find(&f->q.hosts, "node1")->conn;
    fixture_forget_sent(f);
    put_conf(f, add_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:9");
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_EXEC), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CONFIG, "node1"),
                        "boss@node1 removed \"node1\" from configuration list");
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_EXEC), 2);
}

static void a_host_has_one_configuration(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:9"),
        "denied: configuration \"node1\" does not exist");
    assert_string_equal(
        put_conf(f, add_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:9"),
        "boss@node1 added \"node1\" to configuration list");
    assert_string_equal(
        put_conf(f, add_config_request, GDI_CONFIG, "node1", "load_report_time", "0:0:8"),
        "configuration \"node1\" already exists");
    assert_string_equal(
        put_conf(f, add_config_request, GDI_CONFIG, "nowhere", "load_report_time", "0:0:8"),
        "can't resolve hostname \"nowhere\"");
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_CONFIG, "node1"), 1);
    assert_string_equal(delete_as(f, "boss", GDI_CONFIG, "nowhere"),
                        "denied: configuration \"nowhere\" does not exist");
}

static void what_every_cell_has_is_not_removed(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(delete_as(f, "boss", GDI_CONFIG, CONF_GLOBAL),
                        "denied: configuration \"global\" does not exist");
    assert_string_equal(delete_as(f, "boss", GDI_SCHEDCONF, CONF_SCHEDULER),
                        "denied: scheduler configuration \"@scheduler\" does not exist");
    assert_int_equal(count_objects(f, GDI_CONFIG, NULL) + count_objects(f, GDI_SCHEDCONF, NULL), 2);
}

static void a_configuration_that_makes_no_sense_changes_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t version = settings_conf(&f->q.settings, CONF_GLOBAL)->rec.CONF_version;
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_u_jobs", "many");
    assert_non_null(strstr(dstr_get(&f->said), "max_u_jobs"));
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "nosuch", "1");
    assert_non_null(strstr(dstr_get(&f->said), "nosuch"));
    assert_int_equal(settings_conf(&f->q.settings, CONF_GLOBAL)->rec.CONF_version, version);
}

/* -msconf is for the scheduler's, -mconf for the others */
static void each_configuration_has_its_own_requests(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER,
                                 "schedule_interval", "0:0:9"),
                        "changed scheduler configuration");
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_CONFIG, CONF_SCHEDULER, "schedule_interval", "0:0:8"),
        "denied: configuration \"@scheduler\" does not exist");
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_GLOBAL, "max_u_jobs", "7"),
        "denied: scheduler configuration \"global\" does not exist");
    assert_int_equal(f->q.settings.max_u_jobs, 0);
}

/* ---- objects of the other kinds ---- */
static void an_object_comes_changes_and_goes(void **state)
{
    struct fixture *f = *state;
    static const char idle[] = "parallel environment \"omp\" is stored, but has no effect yet\n";
    struct dstr said = DSTR_INIT;
    dstr_addf(&said, "%sboss@node1 added \"omp\" to parallel environment", idle);
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "omp", "slots", "8"),
                        dstr_get(&said));
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "omp", "slots", "8"),
                        "parallel environment \"omp\" already exists");
    dstr_clear(&said);
    dstr_addf(&said, "%sboss@node1 modified \"omp\" in parallel environment", idle);
    assert_string_equal(put_object(f, mod_config_request, GDI_PE, "omp", "slots", "9"),
                        dstr_get(&said));
    assert_string_equal(put_object(f, mod_config_request, GDI_CALENDAR, "omp", NULL, NULL),
                        "denied: calendar \"omp\" does not exist"); /* names are per kind */
    restart_qmaster(f);
    struct GA_Type ga = get_objects(f, GDI_PE, "omp", NULL);
    assert_int_equal(ga.GA_texts.n, 1);
    assert_string_equal(object_value(&ga.GA_texts.v[0], "slots"), "9");
    cull_clear(&cull_GA_Type, &ga);
    const struct PE_Type *pe = settings_text(&f->q.settings, GDI_PE, "omp")->record;
    assert_int_equal(pe->PE_slots, 9);
    assert_string_equal(delete_as(f, "boss", GDI_PE, "omp"),
                        "boss@node1 removed \"omp\" from parallel environment");
    restart_qmaster(f);
    assert_string_equal(delete_as(f, "boss", GDI_PE, "omp"),
                        "denied: parallel environment \"omp\" does not exist");
    dstr_free(&said);
}

/* two read it, and both change what they read: the second is refused, and hears why */
static void a_change_of_what_has_changed_meanwhile_is_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const slots[] = { "10", "11" };
    static const char *const said[] = {
        "boss@node1 modified \"smp\" in parallel environment",
        "denied: parallel environment \"smp\" has changed since it was read",
    };
    (void)put_object(f, add_config_request, GDI_PE, "smp", "slots", "9");
    struct GA_Type ga = get_objects(f, GDI_PE, "smp", NULL);
    for (size_t i = 0; i < ARRAY_LEN(slots); i++) {
        struct GR_Type gr = { 0 };
        cull_copy(&cull_TX_Type, cull_append(&gr, GR_seen), &ga.GA_texts.v[0]);
        struct TX_Type *tx = cull_append(&gr, GR_texts);
        cull_copy(&cull_TX_Type, tx, &ga.GA_texts.v[0]);
        assert_int_equal(object_set(object_rules_of(OBJECT_PE), tx, "slots", slots[i], NULL), 0);
        assert_non_null(strstr(ask_as(f, "boss", mod_config_request, GDI_PE, &gr), said[i]));
    }
    cull_clear(&cull_GA_Type, &ga);
    ga = get_objects(f, GDI_PE, "smp", NULL);
    assert_string_equal(object_value(&ga.GA_texts.v[0], "slots"), "10");
    cull_clear(&cull_GA_Type, &ga);
}

static void a_value_that_cannot_be_obeyed_gets_into_no_spool(void **state)
{
    struct fixture *f = *state;
    static const struct {
        enum gdi_target target;
        const char *name, *attr, *value, *refusal;
    } rows[] = {
        { GDI_PE, "p", "slots", "-1",
          "attribute \"slots\": \"-1\" is not a number from 0 to 9999999" },
        { GDI_PE, "p", "user_lists", "gang",
          "parallel environment \"p\": attribute \"user_lists\" names the user set \"gang\", "
          "which does not exist" },
        { GDI_CKPT, "c", "when", "sq",
          "attribute \"when\": \"sq\" is not NONE or some of the letters smxr" },
        { GDI_CALENDAR, "bad", "week", "foo",
          "error in disabled_week of calendar \"bad\": \"foo\" is not a weekday" },
        { GDI_PROJECT, "film", "acl", "gang",
          "project \"film\": attribute \"acl\" names the user set \"gang\", which does not "
          "exist" },
        { GDI_USER, "alice", "default_project", "film",
          "user \"alice\": attribute \"default_project\" names the project \"film\", which "
          "does not exist" },
        { GDI_USERSET, "u", "type", "X",
          "attribute \"type\": \"X\" is not NONE or a list of: ACL DEPT" },
        { GDI_HOSTGROUP, "@g", "hostlist", "node1 @nobody",
          "host group \"@g\": attribute \"hostlist\" names the host group \"@nobody\", which "
          "does not exist" },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_string_equal(put_object(f, add_config_request, rows[i].target, rows[i].name,
                                       rows[i].attr, rows[i].value),
                            rows[i].refusal);
        assert_int_equal(count_objects(f, rows[i].target, rows[i].name), 0);
    }
}

static void what_others_name_stays(void **state)
{
    struct fixture *f = *state;
    put_object(f, add_config_request, GDI_CALENDAR, "night", "week", "mon-fri=6-20=off");
    put_object(f, add_config_request, GDI_USERSET, "crew", NULL, NULL);
    put_object(f, add_config_request, GDI_PROJECT, "film", "acl", "crew");
    put_object(f, add_config_request, GDI_USER, "alice", "default_project", "film");
    assert_true(fixture_set_queue(f, "calendar", "NONE,[node1=night]"));
    assert_string_equal(delete_as(f, "boss", GDI_CALENDAR, "night"),
                        "denied: Calendar \"night\" is still referenced in queue \"all.q\"");
    assert_string_equal(delete_as(f, "boss", GDI_PE, "smp"),
                        "denied: Parallel environment \"smp\" is still referenced in queue "
                        "\"all.q\"");
    assert_string_equal(delete_as(f, "boss", GDI_USERSET, "crew"),
                        "denied: Userset \"crew\" is still referenced in project \"film\"");
    put_host(f, mod_config_request, "node1", "film");
    assert_string_equal(delete_as(f, "boss", GDI_PROJECT, "film"),
                        "denied: Project \"film\" is still referenced in exechost \"node1\"");
    put_host(f, mod_config_request, "node1", "NONE");
    assert_string_equal(delete_as(f, "boss", GDI_PROJECT, "film"),
                        "denied: Project \"film\" is still referenced in user \"alice\"");
    put_object(f, mod_config_request, GDI_USER, "alice", NULL, NULL);
    assert_string_equal(delete_as(f, "boss", GDI_PROJECT, "film"),
                        "boss@node1 removed \"film\" from project list");
    assert_true(fixture_set_queue(f, "calendar", "NONE"));
    assert_string_equal(delete_as(f, "boss", GDI_CALENDAR, "night"),
                        "boss@node1 removed \"night\" from calendar list");
}

static void a_host_group_that_others_name_stays(void **state)
{
    struct fixture *f = *state;
    fixture_set_group(f, "@inner", "node1");
    fixture_set_group(f, "@outer", "@inner");
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@inner"),
                        "denied: Host group \"@inner\" is still referenced in host group "
                        "\"@outer\"");
    assert_true(fixture_set_queue(f, "slots", "4,[@outer=8]"));
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@outer"),
                        "denied: Host group \"@outer\" is still referenced in queue \"all.q\"");
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@allhosts"),
                        "denied: Host group \"@allhosts\" is still referenced in queue "
                        "\"all.q\"");
    assert_int_equal(count_objects(f, GDI_QINSTANCE, NULL), 1);
    assert_true(fixture_set_queue(f, "slots", "4"));
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@outer"),
                        "boss@node1 removed \"@outer\" from host group entry list");
    assert_string_equal(delete_as(f, "boss", GDI_HOSTGROUP, "@inner"),
                        "boss@node1 removed \"@inner\" from host group entry list");
}

static void a_queue_that_others_subordinate_stays(void **state)
{
    struct fixture *f = *state;
    put_queue(f, add_config_request, "low.q");
    assert_true(fixture_set_queue(f, "subordinate_list", "low.q=2,all.q"));
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "low.q"),
                        "denied: Cluster queue \"low.q\" is still referenced in queue \"all.q\"");
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "all.q"),
                        "boss@node1 removed \"all.q\" from cluster queue list");
}

static void a_resource_comes_is_named_and_goes(void **state)
{
    struct fixture *f = *state;
    uint32_t builtin = count_objects(f, GDI_COMPLEX, NULL);
    assert_true(builtin > 50);
    assert_string_equal(put_object(f, add_config_request, GDI_COMPLEX, "lic", "shortcut", "s"),
                        "complex attribute \"lic\": \"s\" is the name or the shortcut of "
                        "\"slots\" already");
    assert_string_equal(put_object(f, add_config_request, GDI_COMPLEX, "lic", "type", "FOO"),
                        "unknown complex attribute type \"FOO\"");
    assert_false(fixture_set_queue(f, "complex_values", "lic=5"));
    assert_string_equal(put_object(f, add_config_request, GDI_COMPLEX, "lic", "shortcut", "l"),
                        "boss@node1 added \"lic\" to complex entry list");
    assert_non_null(complex_find(settings_complex(&f->q.settings), "l"));
    assert_true(fixture_set_queue(f, "complex_values", "l=5"));
    restart_qmaster(f);
    assert_int_equal(count_objects(f, GDI_COMPLEX, NULL), builtin + 1);
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "lic"),
                        "denied: Complex attribute \"lic\" is still referenced in queue \"all.q\"");
    assert_true(fixture_set_queue(f, "complex_values", "NONE"));
    put_object(f, add_config_request, GDI_RQS, "max2", "limit", "users {*} to slots=2,lic=1");
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "lic"),
                        "denied: Complex attribute \"lic\" is still referenced in resource quota "
                        "set \"max2\"");
    delete_as(f, "boss", GDI_RQS, "max2");
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "lic"),
                        "boss@node1 removed \"lic\" from complex list");
    assert_null(complex_find(settings_complex(&f->q.settings), "l"));
    assert_string_equal(
        delete_as(f, "boss", GDI_COMPLEX, "slots"),
        "denied: complex attribute \"slots\" is in every cell and cannot be removed");
}

static void a_load_formula_has_resources_of_the_cell_and_they_stay(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER, "load_formula", "license*2"),
        "attribute \"load_formula\": \"license*2\" is not a sum of resources and "
        "numbers, each with *factor if wanted: np_load_avg*2+load_short-1");
    put_object(f, add_config_request, GDI_COMPLEX, "license", "shortcut", "lic");
    assert_non_null(strstr(
        put_conf(f, mod_config_request, GDI_SCHEDCONF, CONF_SCHEDULER, "load_formula", "lic*2"),
        "changed scheduler configuration"));
    assert_string_equal(delete_as(f, "boss", GDI_COMPLEX, "license"),
                        "denied: Complex attribute \"license\" is still referenced in "
                        "configuration \"@scheduler\"");
}

static void what_cannot_be_changed_is_said(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    assert_string_equal(ask_as(f, "boss", add_config_request, GDI_QINSTANCE, &gr),
                        "request 1 for objects of kind 3 is not supported yet");
}

static void a_new_object_s_name_means_no_other(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(put_object(f, add_config_request, GDI_PE, "no[such", NULL, NULL),
                        "Bracket ('[') not allowed in objectname");
    assert_string_equal(put_object(f, add_config_request, GDI_PROJECT, "such*", NULL, NULL),
                        "Asterisk ('*') not allowed in objectname");
    assert_string_equal(put_object(f, add_config_request, GDI_CKPT, "a/b", NULL, NULL),
                        "Slash ('/') not allowed in objectname");
    assert_int_equal(count_objects(f, GDI_PE, "no*"), 0);
    assert_null(strstr(
        put_object(f, add_config_request, GDI_HOSTGROUP, "@blades", "hostlist", "node1"), "not "));
    assert_null(strstr(add_name(f, "boss", GDI_MANAGER, "ann@realm"), "not "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(only_managers_change_anything),
        TEST(everybody_reads),
        TEST(an_answer_waits_for_what_it_shows_and_for_nothing_else),
        TEST(a_long_answer_goes_in_slices),
        TEST(what_goes_while_it_is_read_is_left_out_when_that_is_durable),
        TEST(who_hangs_up_ends_the_answer),
        TEST(queues_come_change_and_go),
        TEST(a_queue_in_use_stays),
        TEST(a_queue_that_is_not_whole_changes_nothing),
        TEST(who_sets_what_nothing_obeys_yet_hears_it_once),
        TEST(names_of_objects_that_do_not_exist_are_refused),
        TEST(hosts_come_change_and_go),
        TEST(the_execd_of_a_host_that_goes_is_sent_away),
        TEST(a_host_shows_whether_its_execd_is_here),
        TEST(names_come_and_go),
        TEST(root_and_the_masters_host_stay),
        TEST(what_has_no_name_is_refused),
        TEST(the_global_configuration_counts_at_once),
        TEST(a_limit_of_array_tasks_reaches_the_scheduler),
        TEST(an_execd_hears_of_its_configuration),
        TEST(a_host_has_one_configuration),
        TEST(what_every_cell_has_is_not_removed),
        TEST(a_configuration_that_makes_no_sense_changes_nothing),
        TEST(each_configuration_has_its_own_requests),
        TEST(an_object_comes_changes_and_goes),
        TEST(a_change_of_what_has_changed_meanwhile_is_refused),
        TEST(a_value_that_cannot_be_obeyed_gets_into_no_spool),
        TEST(what_others_name_stays),
        TEST(a_host_group_that_others_name_stays),
        TEST(a_queue_that_others_subordinate_stays),
        TEST(a_resource_comes_is_named_and_goes),
        TEST(a_load_formula_has_resources_of_the_cell_and_they_stay),
        TEST(what_cannot_be_changed_is_said),
        TEST(a_new_object_s_name_means_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
