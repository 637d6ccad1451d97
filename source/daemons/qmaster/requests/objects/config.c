/* What requests about the administrator's objects share: the table of kinds, the words of the
 * answers, and questions about names. Changing needs a manager; reading is for everybody. */
#include "daemons/qmaster/requests/objects/config.h"

#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "libs/config/conf.h"
#include "libs/config/host.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_select.h"
#include "libs/uti/host_name.h"

/* ---- kinds ---- */
static const struct config_kind kinds[GDI_TARGETS] = {
    [GDI_CQUEUE] = { "cluster queue", "cluster queue list", IS_CQUEUE, 0 },
    [GDI_QINSTANCE] = { "queue instance", "queue list", IS_QINSTANCE, 0 },
    [GDI_EXECHOST] = { "exechost", "exechost list", IS_HOST, 0 },
    [GDI_ADMINHOST] = { "adminhost", "admin host list", IS_NAMES, NAMES_ADMIN_HOST },
    [GDI_SUBMITHOST] = { "submithost", "submit host list", IS_NAMES, NAMES_SUBMIT_HOST },
    [GDI_MANAGER] = { "manager", "manager list", IS_NAMES, NAMES_MANAGER },
    [GDI_OPERATOR] = { "operator", "operator list", IS_NAMES, NAMES_OPERATOR },
    [GDI_CONFIG] = { "configuration", "configuration list", IS_CONF, 0 },
    [GDI_SCHEDCONF] = { "scheduler configuration", "scheduler", IS_CONF, 0 },
};
static const struct config_kind of_rules = { NULL, NULL, IS_OBJECT, 0 };

static const struct object_rules *rules_of(const struct request *r)
{
    return object_rules_of((enum object_kind)r->gr.GR_target);
}

const struct config_kind *config_kind_of(const struct request *r)
{
    return rules_of(r) != NULL ? &of_rules : &kinds[r->gr.GR_target];
}

const char *config_noun(const struct request *r)
{
    return rules_of(r) != NULL ? rules_of(r)->words.noun : config_kind_of(r)->noun;
}

/* the list that something went into, or was removed from */
static const char *list_of(const struct request *r, enum config_deed deed)
{
    const struct object_rules *rules = rules_of(r);
    if (rules == NULL)
        return config_kind_of(r)->list;
    return deed == CONFIG_REMOVED && rules->words.gone != NULL ? rules->words.gone
                                                               : rules->words.list;
}

const char *config_only(const struct request *r)
{
    return rules_of(r) != NULL ? rules_of(r)->own->only : NULL;
}

bool config_is_conf_of(const struct request *r, const char *name)
{
    return (strcmp(name, CONF_SCHEDULER) == 0) == (r->gr.GR_target == GDI_SCHEDCONF);
}

/* ---- texts ---- */
/* of a kind that has one object */
static void say_only(struct request *r, enum config_deed deed, const char *name)
{
    if (deed == CONFIG_REMOVED)
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_CONFIG_ONLY_GONE_SSS,
                r->from->who.user, r->from->who.host, name);
    else
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_CONFIG_ONLY_PUT_S, name);
}

void config_answer(struct request *r, enum config_deed deed, const char *name)
{
    if (config_only(r) != NULL) {
        say_only(r, deed, name);
        return;
    }
    static const struct {
        const char *did, *where;
    } words[] = { { "added", "to" }, { "modified", "in" }, { "removed", "from" } };
    ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_CONFIG_DID_SSSSSS, r->from->who.user,
            r->from->who.host, words[deed].did, name, words[deed].where, list_of(r, deed));
}

void config_answer_unknown(struct request *r, const char *name)
{
    if (config_only(r) != NULL)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_CONFIG_ONLY_UNKNOWN_S, name);
    else
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_CONFIG_UNKNOWN_SS,
                config_noun(r), name);
}

void config_answer_moved(struct request *r, const char *name)
{
    ans_add(&r->ans, STATUS_NOTOK_DOAGAIN, ANSWER_QUALITY_ERROR, MSG_CONFIG_MOVED_SS,
            config_noun(r), name);
}

bool config_has_name(struct request *r, const char *name)
{
    if (name != NULL && *name != '\0')
        return true;
    ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_NAMELESS_S, config_noun(r));
    return false;
}

/* Names of new objects mean one object in lists, patterns and queue instances. Users are called
 * what the system calls them. */
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
    if (config_only(r) != NULL)
        return true;
    if (is_new && !is_there && !may_be_called(r, name))
        return false;
    if (is_there && is_new)
        ans_add(&r->ans, STATUS_EEXIST, ANSWER_QUALITY_ERROR, MSG_CONFIG_EXISTS_SS, config_noun(r),
                name);
    else if (!is_there && !is_new)
        config_answer_unknown(r, name);
    return is_there != is_new;
}

void config_answer_unsupported(struct request *r)
{
    ans_add(&r->ans, STATUS_ENOTSUP, ANSWER_QUALITY_ERROR, MSG_REQUEST_UNKNOWN_UU, r->gr.GR_verb,
            r->gr.GR_target);
}

bool config_host_is_known(struct qmaster *q, struct request *r, const char *name)
{
    bool may_have_others = q->cell != NULL && q->cell->port != 0;
    if (host_name_equal(name, q->host) || hosts_find(&q->hosts, name) != NULL ||
        strcmp(name, HOST_OF_CELL) == 0 || (may_have_others && host_name_is_valid(name)))
        return true;
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_HOST_UNRESOLVED_S, name);
    return false;
}
