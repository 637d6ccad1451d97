/* Which queue instances a command is about. */
#include "clients/common/queue_choice.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"
#include "clients/common/source.h"
#include "libs/comm/member_of.h"
#include "libs/config/access.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/config/msg_config.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/resource/availability.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* ---- -l ---- */
/* its name goes to NAME; returns the value */
static const char *request_read(const char *request, struct dstr *name)
{
    const char *equals = strchrnul(request, '=');
    dstr_clear(name);
    dstr_addn(name, request, (size_t)(equals - request));
    return *equals == '=' ? equals + 1 : "TRUE";
}

int resource_requests_check(const struct name_list *requests, const struct CE_Type_list *complex,
                            struct answer *ans)
{
    struct dstr name = DSTR_INIT;
    int result = 0;
    for (uint32_t i = 0; i < requests->n && result == 0; i++) {
        (void)request_read(requests->v[i], &name);
        if (complex_find(complex, dstr_get(&name)) == NULL)
            result = ans_fail(ans, STATUS_EUNKNOWN, MSG_RESOURCE_UNKNOWN_S, dstr_get(&name));
    }
    dstr_free(&name);
    return result;
}

bool resource_requests_suit(const struct name_list *requests, const struct offering *what)
{
    struct dstr name = DSTR_INIT;
    bool suits = true;
    for (uint32_t i = 0; i < requests->n && suits; i++) {
        const char *wanted = request_read(requests->v[i], &name);
        const struct CE_Type *ce = complex_find(what->complex, dstr_get(&name));
        struct available a;
        suits = ce != NULL && available_meets(what, ce, wanted, &a);
    }
    dstr_free(&name);
    return suits;
}

/* ---- -q, -qs, -pe ---- */
bool queue_choice_states(void *choice, const char *letters, unsigned value SGE_UNUSED)
{
    struct queue_choice *c = choice;
    c->has_states = true;
    if (*letters == '\0' || !qinstance_state_parse(letters, &c->states))
        (void)option_text(&c->wrong_states, letters, 0);
    return true;
}

void queue_choice_free(struct queue_choice *c)
{
    name_list_free(&c->queues);
    name_list_free(&c->pes);
    name_list_free(&c->resources);
    name_list_free(&c->users);
    free(c->wrong_states);
    *c = (struct queue_choice){ 0 };
}

bool queue_choice_is_all(const struct queue_choice *c)
{
    return c->queues.n == 0 && c->pes.n == 0 && c->resources.n == 0 && c->users.n == 0 &&
           !c->has_states;
}

static bool queue_is_meant(const struct QU_Type *queue, const char *pattern)
{
    if (queue->QU_full_name == NULL || queue->QU_qname == NULL)
        return false;
    return queue_match(pattern, queue->QU_full_name, &queue->QU_hostgroups);
}

/* A list of names as queue_conf(5) has it: blanks or commas between. */
static bool list_has(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, " ,");
        if (word == len && strncmp(at, name, len) == 0)
            return true;
        at += word;
        at += strspn(at, " ,");
    }
    return false;
}

static bool has_pe(const struct QU_Type *queue, const struct name_list *pes)
{
    const char *list = qinstance_setting(queue, "pe_list");
    for (uint32_t i = 0; list != NULL && i < pes->n; i++) {
        if (list_has(list, pes->v[i]))
            return true;
    }
    return false;
}

static bool is_named(const struct QU_Type *queue, const struct name_list *patterns)
{
    for (uint32_t i = 0; i < patterns->n; i++)
        if (queue_is_meant(queue, patterns->v[i]))
            return true;
    return false;
}

static bool queue_choice_takes(const struct queue_choice *c, const struct QU_Type *queue)
{
    return (c->queues.n == 0 || is_named(queue, &c->queues)) &&
           (!c->has_states || (queue->QU_state & c->states) != 0) &&
           (c->pes.n == 0 || has_pe(queue, &c->pes));
}

/* scripts know the line twice, once without "error: " */
static int fail_states(const char *letters, struct answer *ans)
{
    unsigned bits;
    const char *at = letters;
    char one[2] = { *at, '\0' };
    for (; *at != '\0' && qinstance_state_parse(one, &bits); one[0] = *++at)
        ;
    return ans_fail(ans, STATUS_ESYNTAX, MSG_QUEUE_STATE_SSSS, one, letters, one, letters);
}

static int queue_choice_check(const struct queue_choice *c, const struct source *from,
                              struct answer *ans)
{
    if (c->wrong_states != NULL)
        return fail_states(c->wrong_states, ans);
    struct GA_Type *all = c->pes.n > 0 ? source_get_target(from, GDI_PE, ans) : NULL;
    bool is_known = c->pes.n == 0;
    for (uint32_t i = 0; all != NULL && i < all->GA_texts.n && !is_known; i++)
        is_known = name_list_has(&c->pes, all->GA_texts.v[i].TX_name);
    bool is_asked = c->pes.n == 0 || all != NULL;
    cull_delete(&cull_GA_Type, all);
    if (is_known)
        return 0;
    return is_asked ? ans_fail(ans, STATUS_EUNKNOWN, MSG_NO_PE) : -1;
}

/* ---- access of users (-U) ---- */
/* Which queue instances users may use. Departments are no access lists, and projects do not
 * matter. */

static bool is_for_access(const struct US_Type *set)
{
    return set->US_type == NULL || strstr(set->US_type, "ACL") != NULL;
}

/* is WHO of the set that T describes? */
static bool is_member(const struct TX_Type *t, const struct userset_of *who)
{
    const struct object_rules *rules = object_rules_of(OBJECT_USERSET);
    struct US_Type *set = object_record(rules, t);
    bool is_one = set != NULL && is_for_access(set) && userset_has(set, who);
    cull_delete(rules->type, set);
    return is_one;
}

/* "users:staff:" of USER, behind the user's own name; new, NULL: there is no such user here */
static char *groups_of(const char *user)
{
    const struct passwd *entry = getpwnam(user);
    char *text = NULL;
    if (entry != NULL && member_of_read(entry->pw_uid, &text) != 0)
        text = NULL;
    return text;
}

/* names of those of SETS that USER is in; new, NULL: none */
static char *sets_of(const struct GA_Type *sets, const char *user)
{
    struct dstr names = DSTR_INIT;
    char *groups = groups_of(user);
    struct userset_of who = { .user = user, .groups = groups != NULL ? strchr(groups, ':') : NULL };
    for (uint32_t i = 0; i < sets->GA_texts.n; i++) {
        const struct TX_Type *t = &sets->GA_texts.v[i];
        if (t->TX_name != NULL && is_member(t, &who))
            dstr_addf(&names, "%s%s", names.len > 0 ? " " : "", t->TX_name);
    }
    free(groups);
    return dstr_take(&names);
}

static int user_access_get(const struct source *from, const struct name_list *users,
                           struct user_access *a, struct answer *ans)
{
    *a = (struct user_access){ NULL, 0 };
    struct GA_Type *sets = users->n > 0 ? source_get_target(from, GDI_USERSET, ans) : NULL;
    if (sets == NULL)
        return users->n > 0 ? -1 : 0;
    a->v = uti_calloc(users->n, sizeof *a->v);
    for (; a->n < users->n; a->n++) {
        const char *user = users->v[a->n];
        a->v[a->n].sets = user[0] == '@' ? uti_strdup(user + 1) : sets_of(sets, user);
    }
    cull_delete(&cull_GA_Type, sets);
    return 0;
}

static bool user_access_admits(const struct user_access *a, const struct QU_Type *queue)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (access_ask(&queue->QU_access, a->v[i].sets, NULL) == ACCESS_NOT_OF_USER)
            return false;
    return true;
}

static void user_access_free(struct user_access *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        free(a->v[i].sets);
    free(a->v);
    *a = (struct user_access){ NULL, 0 };
}

/* ---- the queue instances that are chosen ---- */

static int name_compare(const void *left, const void *right)
{
    const struct QU_Type *a = *(const struct QU_Type *const *)left,
                         *b = *(const struct QU_Type *const *)right;
    return strcmp(a->QU_full_name != NULL ? a->QU_full_name : "",
                  b->QU_full_name != NULL ? b->QU_full_name : "");
}

static int host_compare(const void *left, const void *right)
{
    const struct EH_Type *a = left, *b = right;
    return strcmp(a->EH_name != NULL ? a->EH_name : "", b->EH_name != NULL ? b->EH_name : "");
}

static const char *const access_fields[] = { "QU_access", NULL };
static const char *const choice_fields[] = { "QU_full_name",  "QU_qname",
                                             "QU_qhostname",  "QU_state",
                                             "QU_hostgroups", "pe_list",
                                             "ckpt_list",     NULL };
static const char *const line_fields[] = {
    "QU_message", "QU_load_alarm", "QU_suspend_alarm", "QU_calendar_state", "QU_subordinated",
    "QU_seq_no",  "QU_qtype",      "QU_job_slots",     "QU_slots_used",     "QU_slots_reserved",
    NULL
};
static const char *const job_fields[] = { "QU_consumable_config_list", NULL };

struct field_names {
    const char **v;
    uint32_t n, cap;
};

static void add_fields(struct field_names *all, const char *const *names)
{
    for (; *names != NULL; names++) {
        all->v = uti_vec_grow(all->v, &all->cap, all->n + 1, sizeof *all->v);
        all->v[all->n++] = *names;
    }
}

/* all attributes of the instances where any of them may count */
static struct GA_Type *get_queues(const struct source *from, const struct queue_choice *c,
                                  unsigned with, struct answer *ans)
{
    struct field_names some = { 0 };
    if ((with & VIEW_RESOURCES) != 0)
        return source_get_target(from, GDI_QINSTANCE, ans);
    add_fields(&some, choice_fields);
    if (c->users.n > 0)
        add_fields(&some, access_fields);
    if ((with & VIEW_LINES) != 0)
        add_fields(&some, line_fields);
    if ((with & VIEW_JOBS) != 0) {
        add_fields(&some, queue_resource_names);
        add_fields(&some, job_fields);
    }
    some.v = uti_vec_grow(some.v, &some.cap, some.n + 1, sizeof *some.v);
    some.v[some.n] = NULL;
    struct GA_Type *queues = source_get_fields(from, GDI_QINSTANCE, some.v, ans);
    free(some.v);
    return queues;
}

/* Returns 0, or -1 with ans; VIEW owns what there is in both cases. */
static int get_view(const struct source *from, const struct queue_choice *c, unsigned with,
                    struct queue_view *view, struct answer *ans)
{
    if (queue_choice_check(c, from, ans) != 0)
        return -1;
    view->queues = get_queues(from, c, with, ans);
    if (view->queues == NULL || user_access_get(from, &c->users, &view->access, ans) != 0)
        return -1;
    if ((with & (VIEW_HOSTS | VIEW_JOBS | VIEW_RESOURCES)) != 0) {
        view->hosts = source_get_target(from, GDI_EXECHOST, ans);
        if (view->hosts == NULL)
            return -1;
        if (view->hosts->GA_hosts.n > 1)
            qsort(view->hosts->GA_hosts.v, view->hosts->GA_hosts.n,
                  sizeof view->hosts->GA_hosts.v[0], host_compare);
    }
    return (with & (VIEW_JOBS | VIEW_RESOURCES)) != 0 ? complex_get(from, &view->complex, ans) : 0;
}

static bool is_chosen(const struct queue_view *view, const struct queue_choice *c,
                      const struct QU_Type *queue)
{
    struct offering what = queue_view_offering(view, queue);
    return queue_choice_takes(c, queue) && user_access_admits(&view->access, queue) &&
           resource_requests_suit(&c->resources, &what);
}

int queue_view_get(const struct source *from, const struct queue_choice *c, unsigned with,
                   struct queue_view *view, struct answer *ans)
{
    *view = (struct queue_view){ 0 };
    if (get_view(from, c, with | (c->resources.n > 0 ? VIEW_RESOURCES : 0), view, ans) != 0) {
        queue_view_free(view);
        return -1;
    }
    uint32_t n = view->queues->GA_queues.n;
    view->v = uti_calloc(n > 0 ? n : 1, sizeof *view->v);
    for (uint32_t i = 0; i < n; i++) {
        if (is_chosen(view, c, &view->queues->GA_queues.v[i]))
            view->v[view->n++] = &view->queues->GA_queues.v[i];
    }
    if (view->n > 1)
        qsort(view->v, view->n, sizeof *view->v, name_compare);
    return 0;
}

void queue_view_free(struct queue_view *view)
{
    cull_delete(&cull_GA_Type, view->queues);
    cull_delete(&cull_GA_Type, view->hosts);
    complex_list_clear(&view->complex);
    user_access_free(&view->access);
    free(view->v);
    *view = (struct queue_view){ 0 };
}

bool queue_view_has(const struct queue_view *view, const char *full_name)
{
    struct QU_Type key = { .QU_full_name = full_name };
    const struct QU_Type *wanted = &key;
    return view->n > 0 && bsearch(&wanted, view->v, view->n, sizeof *view->v, name_compare) != NULL;
}

static const struct EH_Type *host_find(const struct queue_view *view, const char *name)
{
    if (view->hosts == NULL || view->hosts->GA_hosts.n == 0 || name == NULL)
        return NULL;
    struct EH_Type key = { .EH_name = name };
    return bsearch(&key, view->hosts->GA_hosts.v, view->hosts->GA_hosts.n, sizeof key,
                   host_compare);
}

const struct EH_Type *queue_view_host(const struct queue_view *view, const struct QU_Type *queue)
{
    return host_find(view, queue->QU_qhostname);
}

const struct EH_Type *queue_view_cell(const struct queue_view *view)
{
    return host_find(view, HOST_OF_CELL);
}

struct offering queue_view_offering(const struct queue_view *view, const struct QU_Type *queue)
{
    return (struct offering){ queue, queue_view_host(view, queue), queue_view_cell(view),
                              &view->complex };
}
