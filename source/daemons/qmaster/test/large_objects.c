/* Objects as large as they may be: the core settles each and makes its record once, whatever it
 * then checks and keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/object.h"
#include "libs/uti/dstr.h"

enum { PROJECTS = (OBJECT_ENTRIES_MOST - 2) / 2 };

/* how many records were made of objects */
static int records_made;

void *__real_object_take(const struct object_rules *rules, struct TX_Type *tx, struct answer *ans);
void *__wrap_object_take(const struct object_rules *rules, struct TX_Type *tx, struct answer *ans);
void *__real_object_record(const struct object_rules *rules, const struct TX_Type *tx);
void *__wrap_object_record(const struct object_rules *rules, const struct TX_Type *tx);

void *__wrap_object_take(const struct object_rules *rules, struct TX_Type *tx, struct answer *ans)
{
    records_made++;
    return __real_object_take(rules, tx, ans);
}

void *__wrap_object_record(const struct object_rules *rules, const struct TX_Type *tx)
{
    records_made++;
    return __real_object_record(rules, tx);
}

static void add_entry(struct TX_Type *tx, const char *attr, const char *value)
{
    struct VA_Type *va = cull_append(tx, TX_entries);
    cull_set(va, VA_variable, attr);
    cull_set(va, VA_value, value);
}

/* ---- one object of each kind ---- */

/* below the root PROJECTS projects, each with a share for all users */
static void fill_tree(struct TX_Type *tx)
{
    struct dstr node = DSTR_INIT;
    dstr_add(&node, "id=0 name=Root type=0 shares=1 childnodes=");
    for (int i = 1; i <= PROJECTS; i++)
        dstr_addf(&node, "%s%d", i > 1 ? "," : "", i);
    add_entry(tx, "node", dstr_get(&node));
    for (int i = 1; i <= PROJECTS; i++) {
        dstr_clear(&node);
        dstr_addf(&node, "id=%d name=p%d type=1 shares=1 childnodes=%d", i, i, i + PROJECTS);
        add_entry(tx, "node", dstr_get(&node));
        dstr_clear(&node);
        dstr_addf(&node, "id=%d name=default type=0 shares=1 childnodes=NONE", i + PROJECTS);
        add_entry(tx, "node", dstr_get(&node));
    }
    dstr_free(&node);
}

static void fill_quotas(struct TX_Type *tx)
{
    char limit[64];
    for (int i = 0; i < OBJECT_ENTRIES_MOST - 2; i++) {
        (void)snprintf(limit, sizeof limit, "users u%d to slots=%d", i, i);
        add_entry(tx, "limit", limit);
    }
}

static void add_words(struct TX_Type *tx, const char *attr, const char *prefix, int n)
{
    struct dstr words = DSTR_INIT;
    for (int i = 0; i < n; i++)
        dstr_addf(&words, "%s%s%d", i > 0 ? "," : "", prefix, i);
    add_entry(tx, attr, dstr_get(&words));
    dstr_free(&words);
}

static void fill_group(struct TX_Type *tx)
{
    add_words(tx, "hostlist", "node", 32768);
}

static void fill_userset(struct TX_Type *tx)
{
    add_entry(tx, "type", "ACL");
    add_entry(tx, "fshare", "0");
    add_entry(tx, "oticket", "0");
    add_words(tx, "entries", "user", 32768);
}

static void add_projects(struct fixture *f)
{
    char name[32];
    for (int i = 1; i <= PROJECTS; i++) {
        struct TX_Type project = { 0 };
        (void)snprintf(name, sizeof name, "p%d", i);
        object_template(object_rules_of(OBJECT_PROJECT), name, &project);
        settings_put_text(&f->q.settings, &project);
    }
}

typedef void fill_fn(struct TX_Type *tx);

/* how many records the core makes for a request that brings such an object */
static int records_of(struct fixture *f, fixture_handler_fn handler, enum gdi_target kind,
                      const char *name, fill_fn *fill)
{
    struct GR_Type gr = { 0 };
    struct TX_Type *tx = cull_append(&gr, GR_texts);
    cull_set(&gr, GR_target, (uint32_t)kind);
    cull_set(tx, TX_name, name);
    fill(tx);
    records_made = 0;
    fixture_ask(f, "boss", handler, &gr);
    return records_made;
}

static void each_object_s_record_is_made_once(void **state)
{
    struct fixture *f = *state;
    static const struct {
        enum gdi_target kind;
        const char *name;
        fill_fn *fill;
    } rows[] = {
        { GDI_SHARETREE, "sharetree", fill_tree },
        { GDI_RQS, "quotas", fill_quotas },
        { GDI_HOSTGROUP, "@large", fill_group },
        { GDI_USERSET, "crowd", fill_userset },
    };
    add_projects(f);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_int_equal(
            records_of(f, add_config_request, rows[i].kind, rows[i].name, rows[i].fill), 1);
        assert_int_equal(
            records_of(f, mod_config_request, rows[i].kind, rows[i].name, rows[i].fill), 1);
        assert_non_null(settings_text(&f->q.settings, rows[i].kind, rows[i].name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_object_s_record_is_made_once, fixture_setup,
                                        fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
