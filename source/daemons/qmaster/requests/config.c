/* Requests about the administrator's objects (qconf): queues, hosts, name lists, configurations and plain objects. Owns the table of kinds,
 * who may change them, and the words of the answers. Reading is in config_get.c; what a change means in config_queues.c (queues, hosts)
 * and config_settings.c (what settings.h keeps). Changing needs a manager; reading is for everybody. */
#include "daemons/qmaster/requests/config_priv.h"

#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/msg_requests.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_select.h"

static const struct config_kind kinds[GDI_MASTER + 1] = {
    [GDI_CQUEUE] = { "cluster queue", "cluster queue list", IS_CQUEUE, 0 },
    [GDI_QINSTANCE] = { "queue instance", "queue list", IS_QINSTANCE, 0 },
    [GDI_EXECHOST] = { "exechost", "exechost list", IS_HOST, 0 },
    [GDI_ADMINHOST] = { "adminhost", "admin host list", IS_NAMES, NAMES_ADMIN_HOST },
    [GDI_SUBMITHOST] = { "submithost", "submit host list", IS_NAMES, NAMES_SUBMIT_HOST },
    [GDI_MANAGER] = { "manager", "manager list", IS_NAMES, NAMES_MANAGER },
    [GDI_OPERATOR] = { "operator", "operator list", IS_NAMES, NAMES_OPERATOR },
    [GDI_CONFIG] = { "configuration", "configuration list", IS_CONF, 0 },
    [GDI_SCHEDCONF] = { "scheduler configuration", "scheduler", IS_CONF, 0 },
    [GDI_COMPLEX] = { "complex", "complex list", IS_TEXT, 0 },
    [GDI_PE] = { "parallel environment", "parallel environment", IS_TEXT, 0 },
    [GDI_CKPT] = { "checkpoint interface", "checkpoint interface", IS_TEXT, 0 },
    [GDI_CALENDAR] = { "calendar", "calendar list", IS_TEXT, 0 },
    [GDI_USERSET] = { "userset", "userset list", IS_TEXT, 0 },
    [GDI_PROJECT] = { "project", "project list", IS_TEXT, 0 },
    [GDI_USER] = { "user", "user list", IS_TEXT, 0 },
    [GDI_HOSTGROUP] = { "host group", "host group list", IS_TEXT, 0 },
    [GDI_RQS] = { "resource quota set", "resource quota set list", IS_TEXT, 0 },
    [GDI_SHARETREE] = { "sharetree", "sharetree", IS_TEXT, 0 },
};

const struct config_kind *config_kind_of(const struct request *r)
{
    return &kinds[r->gr.GR_target];
}

bool config_is_conf_of(const struct request *r, const char *name)
{
    return (strcmp(name, CONF_SCHEDULER) == 0) == (r->gr.GR_target == GDI_SCHEDCONF);
}

/* ---- texts ---- */
void config_say(struct request *r, enum config_deed deed, const char *name)
{
    static const struct {
        const char *did, *where;
    } words[] = { { "added", "to" }, { "modified", "in" }, { "removed", "from" } };
    ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_CONFIG_DID_SSSSSS, r->from->who.user,
            r->from->who.host, words[deed].did, name, words[deed].where, config_kind_of(r)->list);
}

static void say_exists(struct request *r, const char *name)
{
    ans_add(&r->ans, STATUS_EEXIST, ANSWER_QUALITY_ERROR, MSG_CONFIG_EXISTS_SS,
            config_kind_of(r)->noun, name);
}

void config_say_unknown(struct request *r, const char *name)
{
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_CONFIG_UNKNOWN_SS,
            config_kind_of(r)->noun, name);
}

bool config_has_name(struct request *r, const char *name)
{
    if (name != NULL && *name != '\0')
        return true;
    ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_NAMELESS_S,
            config_kind_of(r)->noun);
    return false;
}

/* Names of new objects mean one object in lists, patterns and queue instances. Users are called what the system calls them. */
static bool may_be_called(struct request *r, const char *name)
{
    const char *own = r->gr.GR_target == GDI_HOSTGROUP && *name == '@' ? name + 1 : name;
    if (config_kind_of(r)->form == IS_NAMES || r->gr.GR_target == GDI_USER)
        return true;
    if (object_name_check(own, &r->ans) != 0)
        return false;
    const char *bracket = strpbrk(own, "[]");
    if (bracket != NULL)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_NAME_BRACKET_C, *bracket);
    return bracket == NULL;
}

bool config_is_in_place(struct request *r, const char *name, bool is_there, bool is_new)
{
    if (is_new && !is_there && !may_be_called(r, name))
        return false;
    if (is_there && is_new)
        say_exists(r, name);
    else if (!is_there && !is_new)
        config_say_unknown(r, name);
    return is_there != is_new;
}

void config_say_unsupported(struct request *r)
{
    ans_add(&r->ans, STATUS_ENOTSUP, ANSWER_QUALITY_ERROR, MSG_REQUEST_UNKNOWN_UU, r->gr.GR_verb,
            r->gr.GR_target);
}

bool config_host_is_known(struct qmaster *q, struct request *r, const char *name)
{
    if (strcmp(name, q->host) == 0 || hosts_find(&q->hosts, name) != NULL)
        return true;
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_HOST_UNRESOLVED_S, name);
    return false;
}

/* ---- requests ---- */
/* a request about nothing is answered, too */
static void say_if_nothing(struct request *r)
{
    if (r->ans.n == 0)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_NONE_S,
                config_kind_of(r)->noun);
}

static void put_all(struct qmaster *q, struct request *r, bool is_new)
{
    struct GR_Type *gr = &r->gr;
    if (right_to_configure(q, &r->from->who, &r->ans) != 0)
        return;
    switch (config_kind_of(r)->form) {
    case IS_CQUEUE:
        for (uint32_t i = 0; i < gr->GR_cqueues.n; i++)
            config_put_cqueue(q, r, &gr->GR_cqueues.v[i], is_new);
        break;
    case IS_HOST:
        for (uint32_t i = 0; i < gr->GR_hosts.n; i++)
            config_put_host(q, r, &gr->GR_hosts.v[i], is_new);
        break;
    case IS_NAMES:
        for (uint32_t i = 0; is_new && i < gr->GR_names.n; i++)
            if (config_has_name(r, gr->GR_names.v[i].NM_name))
                config_add_name(q, r, gr->GR_names.v[i].NM_name);
        break;
    case IS_CONF:
        for (uint32_t i = 0; i < gr->GR_confs.n; i++)
            config_put_conf(q, r, &gr->GR_confs.v[i], is_new);
        break;
    case IS_TEXT:
        for (uint32_t i = 0; i < gr->GR_texts.n; i++)
            config_put_text(q, r, &gr->GR_texts.v[i], is_new);
        break;
    case IS_QINSTANCE:
    case IS_NONE:
        config_say_unsupported(r);
        break;
    }
    say_if_nothing(r);
}

void add_config_request(struct qmaster *q, struct request *r)
{
    put_all(q, r, true);
}

void mod_config_request(struct qmaster *q, struct request *r)
{
    put_all(q, r, false);
}

void del_config_request(struct qmaster *q, struct request *r)
{
    if (right_to_configure(q, &r->from->who, &r->ans) != 0)
        return;
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        const char *name = r->gr.GR_select.v[i].ID_str;
        if (!config_has_name(r, name))
            continue;
        switch (config_kind_of(r)->form) {
        case IS_CQUEUE:
            config_del_cqueue(q, r, name);
            break;
        case IS_HOST:
            config_del_host(q, r, name);
            break;
        case IS_NAMES:
            config_del_name(q, r, name);
            break;
        case IS_CONF:
            config_del_conf(q, r, name);
            break;
        case IS_TEXT:
            config_del_text(q, r, name);
            break;
        case IS_QINSTANCE:
        case IS_NONE:
            config_say_unsupported(r);
            break;
        }
    }
    say_if_nothing(r);
}
