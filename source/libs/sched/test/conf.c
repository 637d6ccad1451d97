/* Tests of libs/sched/policy/conf.c: settings of sched_conf(5). */
#include "libs/sched/test/feed.h"

#include "libs/config/conf.h"
#include "libs/sched/policy/conf.h"

static void settings_come_with_events(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();

    assert_int_equal(sched_conf(s)->flush_submit_s, 0);
    feed(s, "conf schedule_interval 0:2:5");
    feed(s, "conf flush_submit_sec 3");
    feed(s, "conf flush_finish_sec 4");
    feed(s, "conf weight_priority 1.5");
    feed(s, "conf maxujobs 9");
    assert_int_equal(sched_conf(s)->interval_s, 125);
    assert_int_equal(sched_conf(s)->flush_submit_s, 3);
    assert_int_equal(sched_conf(s)->flush_finish_s, 4);
    assert_true(sched_conf(s)->weights.priority == 1.5);
    sched_free(s);
}

static void bad_values_warn_and_change_nothing(void **state SGE_UNUSED)
{
    static const char *const bad[][2] = {
        { "schedule_interval", "0:0:0" }, { "schedule_interval", "1:2" },
        { "schedule_interval", "x" },     { "flush_submit_sec", "-1" },
        { "flush_finish_sec", "1s" },     { "weight_priority", "nan" },
        { "weight_ticket", "-1" },        { "weight_urgency", "" },
        { "algorithm", "no_such_thing" },
    };
    struct sched_conf before = sched_conf_default();

    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct CONF_Type record = { 0 };
        struct VA_Type *setting = cull_append(&record, CONF_entries);
        struct sched_conf conf = before;
        struct answer ans = ANSWER_INIT;
        cull_set(setting, VA_variable, bad[i][0]);
        cull_set(setting, VA_value, bad[i][1]);
        sched_conf_read(&conf, &record, &ans);
        assert_int_equal(ans.n, 1);
        assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_WARNING);
        assert_memory_equal(&conf, &before, sizeof conf);
        ans_free(&ans);
        cull_clear(&cull_CONF_Type, &record);
    }
}

static void another_host_s_configuration_is_none_of_ours(void **state SGE_UNUSED)
{
    struct sched *s = sched_new();
    struct EV_Type *e = feed_event("conf flush_submit_sec 3");

    cull_set(&e->EV_confs.v[0], CONF_name, "global");
    assert_int_equal(sched_apply(s, e, NULL), 0);
    assert_int_equal(sched_conf(s)->flush_submit_s, 0);
    cull_delete(&cull_EV_Type, e);
    sched_free(s);
}

static void an_algorithm_is_found_by_name(void **state SGE_UNUSED)
{
    assert_non_null(sched_policy_find("default"));
    assert_null(sched_policy_find("Default"));
#ifndef SCHEDULER_SAMPLES
    assert_null(sched_policy_find("ext_mysched"));
#endif
}

static bool qmaster_takes(const char *algorithm)
{
    struct CONF_Type *conf = conf_template(CONF_SCHEDULER);
    struct answer ans = ANSWER_INIT;
    bool is_taken = conf_set(conf, "algorithm", algorithm, &ans) == 0;
    ans_free(&ans);
    cull_delete(&cull_CONF_Type, conf);
    return is_taken;
}

/* two lists in two rooms: the qmaster knows no schedulers */
static void the_qmaster_takes_the_algorithms_that_there_are(void **state SGE_UNUSED)
{
    static const char *const names[] = { "default", "ext_mysched", "ext_mysched2", "nobody's" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_int_equal(qmaster_takes(names[i]), sched_policy_find(names[i]) != NULL);
}

static void params_are_read(const char *value, struct sched_conf *conf)
{
    struct CONF_Type record = { 0 };
    struct VA_Type *entry = cull_append(&record, CONF_entries);
    cull_set(entry, VA_variable, "params");
    cull_set(entry, VA_value, value);
    sched_conf_read(conf, &record, NULL);
    cull_clear(&cull_CONF_Type, &record);
}

static void recording_has_a_size(void **state SGE_UNUSED)
{
    struct sched_conf conf = sched_conf_default();
    params_are_read("MONITOR=1,RECORD=100", &conf);
    assert_int_equal(conf.params.record_mib, 100);
    params_are_read("RECORD=1048577", &conf); /* too many: all stays */
    assert_int_equal(conf.params.record_mib, 100);
    assert_true(conf.params.is_monitored);
    params_are_read("none", &conf);
    assert_int_equal(conf.params.record_mib, 0);
}

static void monitoring_is_a_word_among_params(void **state SGE_UNUSED)
{
    static const struct {
        const char *value;
        bool is_on;
    } cases[] = { { "MONITOR=1", true },
                  { "PROFILE=1, monitor=TRUE", true },
                  { "MONITOR=1 MONITOR=0", false },
                  { "MONITOR=0", false },
                  { "XMONITOR=1", false },
                  { "none", false } };
    struct sched *s = sched_new();
    assert_false(sched_conf(s)->params.is_monitored);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sched_conf conf = *sched_conf(s);
        params_are_read(cases[i].value, &conf);
        assert_int_equal(conf.params.is_monitored, cases[i].is_on);
    }
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_come_with_events),
        cmocka_unit_test(bad_values_warn_and_change_nothing),
        cmocka_unit_test(another_host_s_configuration_is_none_of_ours),
        cmocka_unit_test(an_algorithm_is_found_by_name),
        cmocka_unit_test(monitoring_is_a_word_among_params),
        cmocka_unit_test(recording_has_a_size),
        cmocka_unit_test(the_qmaster_takes_the_algorithms_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
