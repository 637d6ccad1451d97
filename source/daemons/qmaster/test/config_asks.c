/* Requests for objects of the administrator, a line each in the tests of the configuration. */
#include "daemons/qmaster/test/config_asks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"

const char *ask_as(struct fixture *f, const char *user, fixture_handler_fn handler,
                   enum gdi_target target, struct GR_Type *gr)
{
    cull_set(gr, GR_target, (uint32_t)target);
    fixture_ask(f, user, handler, gr);
    return dstr_get(&f->said);
}

const char *delete_as(struct fixture *f, const char *user, enum gdi_target target, const char *name)
{
    struct GR_Type gr = { 0 };
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, name);
    return ask_as(f, user, del_config_request, target, &gr);
}

const char *add_name(struct fixture *f, const char *user, enum gdi_target target, const char *name)
{
    struct GR_Type gr = { 0 };
    struct NM_Type *nm = cull_append(&gr, GR_names);
    cull_set(nm, NM_name, name);
    return ask_as(f, user, add_config_request, target, &gr);
}

const char *put_queue(struct fixture *f, fixture_handler_fn handler, const char *name)
{
    struct GR_Type gr = { 0 };
    struct CQ_Type *cq = cqueue_template(name);
    cull_copy(&cull_CQ_Type, cull_append(&gr, GR_cqueues), cq);
    cull_delete(&cull_CQ_Type, cq);
    return ask_as(f, "boss", handler, GDI_CQUEUE, &gr);
}

const char *put_host(struct fixture *f, fixture_handler_fn handler, const char *name,
                     const char *projects)
{
    struct GR_Type gr = { 0 };
    struct EH_Type *host = host_template(name);
    cull_set(host, EH_text_projects, projects);
    cull_copy(&cull_EH_Type, cull_append(&gr, GR_hosts), host);
    cull_delete(&cull_EH_Type, host);
    return ask_as(f, "boss", handler, GDI_EXECHOST, &gr);
}

const char *put_conf(struct fixture *f, fixture_handler_fn handler, enum gdi_target target,
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

const char *put_object(struct fixture *f, fixture_handler_fn handler, enum gdi_target target,
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

struct GA_Type get_objects(struct fixture *f, enum gdi_target target, const char *pattern,
                           uint64_t *after)
{
    struct request r = { .from = fixture_connection(f, "alice"), .after = change_number(&f->q) };
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

uint32_t count_objects(struct fixture *f, enum gdi_target target, const char *pattern)
{
    struct GA_Type ga = get_objects(f, target, pattern, NULL);
    uint32_t n = ga.GA_cqueues.n + ga.GA_queues.n + ga.GA_hosts.n + ga.GA_names.n + ga.GA_confs.n +
                 ga.GA_texts.n;
    cull_clear(&cull_GA_Type, &ga);
    return n;
}

void restart_qmaster(struct fixture *f)
{
    fixture_commit(f);
    fixture_restart(f);
}
