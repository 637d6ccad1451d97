/* Configurations, name lists and plain objects. */
#include "daemons/qmaster/tables/settings.h"

#include <stdlib.h>
#include <strings.h>

#include "libs/comm/names.h"
#include "libs/config/access.h"
#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/quantity.h"
#include "libs/resource/consumption.h"
#include "libs/uti/alloc.h"
#include "libs/uti/host_name.h"
#include "libs/uti/parse.h"

const char *const settings_list_keys[NAME_LISTS] = { "managers", "operators", "admin_hosts",
                                                     "submit_hosts" };

bool settings_has_name(const struct settings *s, enum admin_list list, const char *name)
{
    struct name *n;
    HASH_FIND_STR(s->names[list], name, n);
    return n != NULL;
}

bool settings_has_host(const struct settings *s, enum admin_list list, const char *host)
{
    char unique[HOST_NAME_BYTES];
    if (settings_has_name(s, list, host))
        return true;
    host_name_unique(host, unique);
    return settings_has_name(s, list, unique);
}

void settings_put_name(struct settings *s, enum admin_list list, const char *name)
{
    if (settings_has_name(s, list, name))
        return;
    struct name *n = uti_calloc(1, sizeof *n);
    cull_set(&n->rec, NM_name, name);
    HASH_ADD_KEYPTR(hh, s->names[list], n->rec.NM_name, strlen(n->rec.NM_name), n);
}

static void free_name(struct settings *s, enum admin_list list, struct name *n)
{
    walks_pass(&s->walks, n, n->hh.next);
    HASH_DEL(s->names[list], n);
    cull_clear(&cull_NM_Type, &n->rec);
    free(n);
}

bool settings_drop_name(struct settings *s, enum admin_list list, const char *name)
{
    struct name *n;
    HASH_FIND_STR(s->names[list], name, n);
    if (n == NULL)
        return false;
    free_name(s, list, n);
    return true;
}

uint32_t settings_concurrency(const struct settings *s, const struct JB_Type *job)
{
    uint32_t most = s->max_aj_instances, wanted = job->JB_ja_task_concurrency;
    if (most == 0)
        return wanted;
    return wanted != 0 && wanted < most ? wanted : most;
}

struct conf *settings_conf(const struct settings *s, const char *name)
{
    struct conf *c;
    HASH_FIND_STR(s->confs, name, c);
    return c;
}

static uint32_t number_in(const struct CONF_Type *rec, const char *name)
{
    int64_t n = conf_get_number(rec, NULL, name);
    return n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
}

/* the number of NAME=... in qmaster_params, or USUAL if it is not there or not within
 * LEAST..MOST */
static uint32_t param_in(const struct CONF_Type *rec, const char *name, uint32_t least,
                         uint32_t most, uint32_t usual)
{
    char *word = conf_get_word(rec, NULL, "qmaster_params", name);
    uint32_t n = usual;
    if (word == NULL || !parse_u32(word, &n) || n < least || n > most)
        n = usual;
    free(word);
    return n;
}

/* the bytes of NAME=... in qmaster_params ("512M", "INFINITY"), or 0 */
static uint64_t bytes_in(const struct CONF_Type *rec, const char *name)
{
    char *word = conf_get_word(rec, NULL, "qmaster_params", name);
    uint64_t bytes = 0;
    if (word == NULL || !quantity_memory_parse(word, &bytes))
        bytes = 0;
    free(word);
    return bytes;
}

enum { FLUSH_S = 1, FLUSH_MOST_S = 60 };
enum { MAIL_RATE = 500, MAIL_RATE_MOST = 1000000, MAIL_TASKS = 1, MAIL_TASKS_MOST = 1000 };
enum { EVENT_CLIENTS = 1000, EVENT_CLIENTS_LIMIT = 100000 };
enum { SILENCE_LEAST_S = 4, SILENCE_MOST_S = 3600, SILENCE_S = 60 };
enum { NAMES_TIME_MOST_S = 7 * 86400 };
enum { DELAY_S = 1, DELAY_MOST_S = 60, DELAY_LIMIT_S = 86400 };
enum { FAILURES = 10, FAILURE_TIME_S = 600, FAILURE_DELAY_S = 60, FAILURE_DELAY_MOST_S = 3600 };

static void read_doors(struct settings *s, const struct CONF_Type *rec)
{
    struct access_lists lists = { .user_lists = conf_get(rec, NULL, "user_lists"),
                                  .xuser_lists = conf_get(rec, NULL, "xuser_lists"),
                                  .projects = conf_get(rec, NULL, "projects"),
                                  .xprojects = conf_get(rec, NULL, "xprojects") };
    cull_list_clear(&cull_AC_Type, &s->doors);
    access_add_door(&s->doors, &lists);
}

static void read_users(struct settings *s, const struct CONF_Type *rec)
{
    const char *enforced = conf_get(rec, NULL, "enforce_user");
    s->enforce_user = ENFORCE_USER_FALSE;
    if (enforced != NULL && strcasecmp(enforced, "auto") == 0)
        s->enforce_user = ENFORCE_USER_AUTO;
    else if (enforced != NULL && strcasecmp(enforced, "true") == 0)
        s->enforce_user = ENFORCE_USER_TRUE;
    s->enforces_project = conf_get_bool(rec, NULL, "enforce_project");
    s->auto_user_delete_s = conf_get_time_s(rec, NULL, "auto_user_delete_time");
    s->max_auto_users = param_in(rec, "MAX_AUTO_USERS", 0, UINT32_MAX, AUTO_USERS);
    s->names_time_s = param_in(rec, "NAMES_TIME", 1, NAMES_TIME_MOST_S, NAMES_TIME_S);
    s->min_uid = number_in(rec, "min_uid");
    s->min_gid = number_in(rec, "min_gid");
}

static void read_start_failures(struct settings *s, const struct CONF_Type *rec)
{
    s->start_failures = param_in(rec, "START_FAILURES", 0, UINT32_MAX, FAILURES);
    s->start_failure_time_s = param_in(rec, "START_FAILURE_TIME", 1, DELAY_LIMIT_S, FAILURE_TIME_S);
    s->start_failure_delay_s =
        param_in(rec, "START_FAILURE_DELAY", 1, DELAY_LIMIT_S, FAILURE_DELAY_S);
    s->start_failure_delay_most_s =
        param_in(rec, "START_FAILURE_DELAY_MAX", 1, DELAY_LIMIT_S, FAILURE_DELAY_MOST_S);
}

/* the seconds of WORD=TIME in reporting_params, MOST at most; or USUAL */
static uint32_t flush_time(const struct CONF_Type *rec, const char *word, uint32_t usual)
{
    char *text = conf_get_word(rec, NULL, "reporting_params", word);
    uint64_t s = usual;
    if (text == NULL || !quantity_time_parse(text, &s))
        s = usual;
    free(text);
    return s < FLUSH_MOST_S ? (uint32_t)s : FLUSH_MOST_S;
}

/* what is not said of accounting does not switch it off */
static bool has_accounting(const struct CONF_Type *rec)
{
    char *text = conf_get_word(rec, NULL, "reporting_params", "accounting");
    bool is_on = true;
    if (text != NULL && *text != '\0' && !attr_bool_parse(text, &is_on))
        is_on = true;
    free(text);
    return is_on;
}

static void read_reporting(struct settings *s, const struct CONF_Type *rec)
{
    s->has_accounting = has_accounting(rec);
    s->has_reporting = conf_get_switch(rec, NULL, "reporting_params", "reporting");
    s->has_joblog = s->has_reporting && conf_get_switch(rec, NULL, "reporting_params", "joblog");
    s->logs_consumables = conf_get_switch(rec, NULL, "reporting_params", "log_consumables");
    s->flush_s = flush_time(rec, "flush_time", FLUSH_S);
    s->accounting_flush_s = flush_time(rec, "accounting_flush_time", FLUSH_S);
}

static void read_mail(struct settings *s, const struct CONF_Type *rec)
{
    s->mail_rate = param_in(rec, "MAIL_RATE", 0, MAIL_RATE_MOST, MAIL_RATE);
    s->mail_tasks = param_in(rec, "MAIL_TASKS", 1, MAIL_TASKS_MOST, MAIL_TASKS);
    s->has_admin_mail = strcasecmp(conf_get(rec, NULL, "administrator_mail"), "none") != 0;
}

static void read_numbers(struct settings *s, const struct CONF_Type *rec)
{
    s->max_aj_tasks = number_in(rec, "max_aj_tasks");
    s->max_aj_instances = number_in(rec, "max_aj_instances");
    s->max_u_jobs = number_in(rec, "max_u_jobs");
    s->max_jobs = number_in(rec, "max_jobs");
    read_reporting(s, rec);
    read_mail(s, rec);
    s->finished_jobs = number_in(rec, "finished_jobs");
    s->lets_lords_in = conf_get_switch(rec, NULL, "qmaster_params", "HOST_ROOT");
    s->has_file_staging = conf_get_bool(rec, NULL, "delegated_file_staging");
    s->max_event_clients = param_in(rec, "MAX_DYN_EC", 0, EVENT_CLIENTS_LIMIT, EVENT_CLIENTS);
    s->reschedule_delay_s = param_in(rec, "RESCHEDULE_DELAY", 0, DELAY_LIMIT_S, DELAY_S);
    s->reschedule_delay_most_s =
        param_in(rec, "RESCHEDULE_DELAY_MAX", 0, DELAY_LIMIT_S, DELAY_MOST_S);
    read_start_failures(s, rec);
    s->turn_budget_us =
        param_in(rec, "TURN_BUDGET_US", TURN_BUDGET_LEAST_US, TURN_BUDGET_MOST_US, TURN_BUDGET_US);
    s->scheduler_silence_s =
        param_in(rec, "SCHEDULER_SILENCE", SILENCE_LEAST_S, SILENCE_MOST_S, SILENCE_S);
    s->session_timeout_s = param_in(rec, "SESSION_TIMEOUT", 1, UINT32_MAX, SESSION_TIMEOUT_S);
    s->user_sessions = param_in(rec, "MAX_USER_SESSIONS", 0, UINT32_MAX, USER_SESSIONS);
    s->user_ends = param_in(rec, "MAX_USER_ENDS", 0, UINT32_MAX, USER_ENDS);
    s->user_connections = param_in(rec, "MAX_USER_CONNECTIONS", 1, UINT32_MAX, 0);
    s->user_bytes = bytes_in(rec, "MAX_USER_BYTES");
    s->max_unheard_s = conf_get_time_s(rec, NULL, "max_unheard");
    s->host_silence_s = conf_host_silence_s(rec);
    for (int kind = 0; kind < SHARE_LIMITS; kind++)
        s->share_limits[kind] = bytes_in(rec, share_limits[kind].name);
}

static void read_scheduler(struct settings *s, const struct CONF_Type *rec)
{
    s->has_job_info = conf_get_bool(rec, NULL, "schedd_job_info");
    s->max_user_tasks = number_in(rec, "maxujobs");
    load_formula_read(&s->load_formula, conf_get(rec, NULL, "load_formula"));
    free(s->load_adjustments);
    s->load_adjustments = uti_strdup(conf_get(rec, NULL, "job_load_adjustments"));
    s->has_load_adjustments = !attr_is_none(s->load_adjustments);
    uint64_t decay_s = 0;
    bool is_time = quantity_time_parse(conf_get(rec, NULL, "load_adjustment_decay_time"), &decay_s);
    s->load_decay_s = is_time && decay_s > 0 && decay_s < LOAD_DECAY_MOST_S ? (uint32_t)decay_s
                      : is_time && decay_s > 0                              ? LOAD_DECAY_MOST_S
                                                                            : 1;
}

/* the key lives in the record: one that is there keeps it, and its place in the table */
static struct conf *new_conf(struct settings *s, const char *name)
{
    struct conf *c = uti_calloc(1, sizeof *c);
    cull_set(&c->rec, CONF_name, name);
    HASH_ADD_KEYPTR(hh, s->confs, c->rec.CONF_name, strlen(c->rec.CONF_name), c);
    return c;
}

struct conf *settings_put_conf(struct settings *s, struct CONF_Type *rec)
{
    struct conf *c = settings_conf(s, rec->CONF_name);
    if (c == NULL)
        c = new_conf(s, rec->CONF_name);
    cull_share(rec, CONF_name, c->rec.CONF_name);
    struct CONF_Type old = c->rec;
    c->rec = *rec;
    *rec = (struct CONF_Type){ 0 };
    cull_clear(&cull_CONF_Type, &old);
    if (strcmp(c->rec.CONF_name, CONF_GLOBAL) == 0) {
        read_numbers(s, &c->rec);
        read_users(s, &c->rec);
        read_doors(s, &c->rec);
    }
    if (strcmp(c->rec.CONF_name, CONF_SCHEDULER) == 0)
        read_scheduler(s, &c->rec);
    return c;
}

/* the resources that every cell has are there from the start; the spool says only which of them are
 * otherwise, and which came */
void settings_init(struct settings *s)
{
    const struct object_rules *rules = object_rules_of(OBJECT_COMPLEX);
    struct CE_Type_list list = { 0 };
    *s = (struct settings){ .names_time_s = NAMES_TIME_S,
                            .scheduler_silence_s = SILENCE_S,
                            .has_accounting = true };
    complex_template(&list);
    for (uint32_t i = 0; i < list.n; i++) {
        struct TX_Type tx = { 0 };
        object_template(rules, list.v[i].CE_name, &tx);
        for (unsigned a = 0; a < rules->attrs_n; a++) {
            const char *attr = rules->attrs[a].rule.name;
            cull_set(&tx.TX_entries.v[a + 1], VA_value, complex_value(&list.v[i], attr));
        }
        settings_put_text(s, &tx);
    }
    complex_list_clear(&list);
}

bool settings_is_builtin(const char *resource)
{
    struct CE_Type_list list = { 0 };
    complex_template(&list);
    bool is_builtin = cull_find(&cull_CE_Type, &list, resource) != NULL;
    complex_list_clear(&list);
    return is_builtin;
}

const struct CE_Type_list *settings_complex(struct settings *s)
{
    if (s->complex.n > 0)
        return &s->complex;
    for (const struct text_object *t = s->texts[GDI_COMPLEX]; t != NULL; t = t->hh.next)
        cull_copy(&cull_CE_Type, cull_push(&s->complex), t->record);
    complex_sort(&s->complex);
    return &s->complex;
}

/* the two lists that are parts of the complex */
static void sort_out(struct settings *s)
{
    if (s->consumables_round == s->complex_round)
        return;
    const struct CE_Type_list *all = settings_complex(s);
    s->consumables_round = s->complex_round;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct CE_Type *ce = &all->v[i];
        if (consumable_counts(ce))
            cull_copy(&cull_CE_Type, cull_push(&s->consumables), ce);
        else if (ce->CE_requestable == COMPLEX_REQUEST_FORCED)
            cull_copy(&cull_CE_Type, cull_push(&s->forced), ce);
    }
}

const struct CE_Type_list *settings_consumables(struct settings *s)
{
    sort_out(s);
    return &s->consumables;
}

const struct CE_Type_list *settings_forced(struct settings *s)
{
    sort_out(s);
    return &s->forced;
}

static void complex_has_changed(struct settings *s)
{
    complex_list_clear(&s->complex);
    complex_list_clear(&s->consumables);
    complex_list_clear(&s->forced);
    s->complex_round++;
}

void settings_drop_conf(struct settings *s, struct conf *c)
{
    walks_pass(&s->walks, c, c->hh.next);
    HASH_DEL(s->confs, c);
    cull_clear(&cull_CONF_Type, &c->rec);
    free(c);
}

struct text_object *settings_text(const struct settings *s, enum gdi_target kind, const char *name)
{
    struct text_object *t;
    HASH_FIND_STR(s->texts[kind], name, t);
    return t;
}

static void clear_text(struct text_object *t)
{
    if (t->record != NULL)
        cull_delete(t->rules->type, t->record);
    t->record = NULL;
    cull_clear(&cull_TX_Type, &t->rec);
}

/* the slots of a parallel environment; what tasks have booked stays */
static void read_slots(struct text_object *pe)
{
    const struct PE_Type *record = pe->record;
    if (pe->slots == NULL)
        pe->slots = uti_calloc(1, sizeof *pe->slots);
    pe->slots->kind = SUPPLY_PE;
    supply_offer(pe->slots, RESOURCE_SLOTS, record->PE_slots);
}

static struct text_object *new_text(struct settings *s, enum gdi_target kind, const char *name)
{
    struct text_object *t = uti_calloc(1, sizeof *t);
    cull_set(&t->rec, TX_name, name);
    HASH_ADD_KEYPTR(hh, s->texts[kind], t->rec.TX_name, strlen(t->rec.TX_name), t);
    return t;
}

static uint32_t group_entries(const struct text_object *set)
{
    return set->record != NULL ? userset_groups(set->record) : 0;
}

static void user_set_has_changed(struct settings *s, uint32_t n_fewer, uint32_t n_more)
{
    s->user_sets_round++;
    s->members.n_entries += n_more - n_fewer;
}

struct text_object *settings_put_text(struct settings *s, struct TX_Type *rec)
{
    const struct object_rules *rules = object_rules_of((enum object_kind)rec->TX_kind);
    return settings_put_taken(s, rec, rules != NULL ? object_record(rules, rec) : NULL);
}

struct text_object *settings_put_taken(struct settings *s, struct TX_Type *rec, void *record)
{
    enum gdi_target kind = (enum gdi_target)rec->TX_kind;
    struct text_object *t = settings_text(s, kind, rec->TX_name);
    if (t == NULL)
        t = new_text(s, kind, rec->TX_name);
    cull_share(rec, TX_name, t->rec.TX_name);
    struct text_object old = *t;
    if (kind == GDI_USERSET)
        user_set_has_changed(s, group_entries(&old), 0);
    t->rec = *rec;
    *rec = (struct TX_Type){ 0 };
    clear_text(&old);
    t->rules = object_rules_of((enum object_kind)kind);
    t->record = record;
    if (kind == GDI_HOSTGROUP)
        groups_put(&s->groups, t->record);
    if (kind == GDI_USERSET)
        user_set_has_changed(s, 0, group_entries(t));
    if (kind == GDI_COMPLEX)
        complex_has_changed(s);
    if (kind == GDI_PE)
        read_slots(t);
    s->quota_round += kind == GDI_RQS;
    (void)urgencies_put(&s->urgencies, &t->rec);
    return t;
}

void settings_drop_text(struct settings *s, struct text_object *t)
{
    if (t->rec.TX_kind == GDI_HOSTGROUP)
        groups_drop(&s->groups, t->rec.TX_name);
    if (t->rec.TX_kind == GDI_COMPLEX)
        complex_has_changed(s);
    if (t->rec.TX_kind == GDI_USERSET)
        user_set_has_changed(s, group_entries(t), 0);
    s->quota_round += t->rec.TX_kind == GDI_RQS;
    (void)urgencies_drop(&s->urgencies, &t->rec);
    walks_pass(&s->walks, t, t->hh.next);
    HASH_DEL(s->texts[t->rec.TX_kind], t);
    clear_text(t);
    if (t->slots != NULL)
        supply_free(t->slots);
    free(t->slots);
    free(t);
}

void settings_clear(struct settings *s)
{
    complex_list_clear(&s->complex);
    load_formula_clear(&s->load_formula);
    free(s->load_adjustments);
    complex_list_clear(&s->consumables);
    complex_list_clear(&s->forced);
    struct conf *c, *nc;
    HASH_ITER(hh, s->confs, c, nc) {
        settings_drop_conf(s, c);
    }
    for (int i = 0; i < NAME_LISTS; i++) {
        struct name *n, *nn;
        HASH_ITER(hh, s->names[i], n, nn) {
            free_name(s, (enum admin_list)i, n);
        }
    }
    for (int i = 0; i < GDI_TARGETS; i++) {
        struct text_object *t, *nt;
        HASH_ITER(hh, s->texts[i], t, nt) {
            settings_drop_text(s, t);
        }
    }
    groups_clear(&s->groups);
    urgencies_free(&s->urgencies);
    cull_list_clear(&cull_AC_Type, &s->doors);
}
