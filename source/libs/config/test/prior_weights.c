/* The weights of the shown priority, as the scheduler's configuration has them. */
#include "libs/config/prior_weights.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "libs/config/conf.h"

static void weights_come_from_the_configuration(void **state)
{
    (void)state;
    const struct prior_weights defaults = PRIOR_WEIGHTS_DEFAULT;
    struct CONF_Type *conf = conf_template(CONF_SCHEDULER);
    assert_int_equal(conf_set(conf, "weight_priority", "2.5", NULL), 0);
    assert_int_equal(conf_set(conf, "weight_urgency", "-1", NULL), -1);
    struct prior_weights w = prior_weights_of(conf), none = prior_weights_of(NULL);
    assert_true(w.priority > 2.49 && w.priority < 2.51);
    assert_memory_equal(&w.urgency, &defaults.urgency, sizeof w.urgency);
    assert_memory_equal(&none, &defaults, sizeof none);
    cull_delete(&cull_CONF_Type, conf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_come_from_the_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
