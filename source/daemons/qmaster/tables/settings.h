#ifndef QMASTER_TABLES_SETTINGS_H
#define QMASTER_TABLES_SETTINGS_H

#include "daemons/qmaster/tables/groups.h"
#include "daemons/qmaster/tables/walk.h"
#include "libs/config/load_values.h"
#include "libs/config/object.h"
#include "libs/gdi/message.h"
#include "libs/resource/supply.h"
#include "libs/resource/urgency.h"
#include "libs/uti/hash.h"

/* Configurations, name lists (managers, operators, administrative and submit hosts) and plain
 * objects (PEs ...). The core's alone. */
struct conf {
    struct CONF_Type rec;
    UT_hash_handle hh;
}; /* by CONF_name */
struct name {
    struct NM_Type rec;
    UT_hash_handle hh;
}; /* by NM_name */
struct text_object {
    struct TX_Type rec; /* as it is shown and kept */
    const struct object_rules *rules;
    void *record;         /* what it says, of rules->type; NULL without rules */
    struct supply *slots; /* of a parallel environment: jobs/bookings.c alone books; else NULL */
    UT_hash_handle hh;
}; /* by TX_name */

/* what the jobs of a user, and of all, may take (shares.h) */
enum share_kind {
    SHARE_USER_MEMORY,
    SHARE_USER_SPOOL,
    SHARE_ALL_MEMORY,
    SHARE_ALL_SPOOL,
    SHARE_LIMITS
};
extern const struct share_limit {
    const char *name;  /* in qmaster_params */
    const char *place; /* where the bytes lie, for messages */
    bool is_of_user;
} share_limits[SHARE_LIMITS];

/* what sge_conf(5) calls TURN_BUDGET_US: default, least (below it all would be overhead), most */
enum { TURN_BUDGET_US = 5000, TURN_BUDGET_LEAST_US = 500, TURN_BUDGET_MOST_US = 1000000 };

/* in which groups of the system users are (user_sets.h) */
TAILQ_HEAD(member_list, member);
struct member { /* of one uid */
    uint32_t uid;
    char *user;       /* owned: who was asked about, whatever the name service calls him */
    bool is_known;    /* the name service has said it, once at least */
    bool is_asked;    /* a question is under way */
    const char *text; /* counted: as member_of_read; NULL: unknown, or the id does not exist */
    uint64_t round;   /* unlike that of any other text */
    uint64_t due_s;   /* when to ask again */
    TAILQ_ENTRY(member) next;
    UT_hash_handle hh;
};
struct members {
    struct member *all;             /* by uid */
    struct member_list known, open; /* the one asked for longest ago first */
    uint64_t round;
    uint32_t n_entries; /* "@group" entries of all user sets; 0: no lookups are needed */
    bool has_said_full;
};
/* users of whom that is known at most; of others the primary group counts alone */
enum { MEMBERS_KEPT = 20000 };

/* the most that load_adjustment_decay_time counts for, since each host keeps its starts so long */
enum { LOAD_DECAY_MOST_S = 3600 };

enum admin_list { NAMES_MANAGER, NAMES_OPERATOR, NAMES_ADMIN_HOST, NAMES_SUBMIT_HOST, NAME_LISTS };
extern const char *const settings_list_keys[NAME_LISTS]; /* what their spool records are called */
enum enforce_user { ENFORCE_USER_FALSE, ENFORCE_USER_TRUE, ENFORCE_USER_AUTO };
struct settings {
    struct conf *confs;
    struct name *names[NAME_LISTS];
    struct text_object *texts[GDI_TARGETS]; /* by enum gdi_target */
    struct CE_Type_list complex;            /* see settings_complex */
    struct CE_Type_list consumables;        /* those of it that run out, likewise, and */
    struct CE_Type_list forced; /* of the others those that must be asked for where they are */
    struct urgencies urgencies; /* of resources and environments */
    uint64_t complex_round;     /* > 0; how often a resource came, changed or went */
    uint64_t quota_round;       /* how often rule sets, or who they mean, have changed */
    uint64_t consumables_round; /* at which these two were made */
    struct walks walks;         /* over any of them */
    struct walk expiring;       /* over users (config/users.h) */
    uint64_t changed;           /* batch that last changed anything here */
    /* the objects of GDI_HOSTGROUP as a net; kept by settings_put_text */
    struct groups groups;
    uint64_t user_sets_round;    /* how often a user set has come, changed or gone */
    struct user_sets *user_sets; /* of users who were asked for; user_sets.c's alone */
    struct members members;      /* who is in which group of the system */
    uint32_t names_time_s;       /* how long the name service is believed: NAMES_TIME */
    struct AC_Type_list doors;   /* of the cell: user_lists ... of the global configuration */
    /* from the global configuration, kept as numbers */
    uint32_t max_aj_tasks, max_aj_instances, max_u_jobs, max_jobs;
    uint32_t finished_jobs;
    uint32_t min_uid, min_gid;
    enum enforce_user enforce_user;
    bool enforces_project;
    uint64_t auto_user_delete_s; /* 0: never */
    uint32_t max_auto_users;     /* MAX_AUTO_USERS */
    /* root and the qmaster's user may come from admin hosts: HOST_ROOT */
    bool lets_lords_in;
    uint32_t max_event_clients; /* MAX_DYN_EC: all but the scheduler */
    /* of tasks that are put back again and again */
    uint32_t reschedule_delay_s, reschedule_delay_most_s;
    /* so many starts that fail in a row on a host within the time close it for the delay, which
     * doubles up to the most; 0: never */
    uint32_t start_failures, start_failure_time_s, start_failure_delay_s;
    uint32_t start_failure_delay_most_s;
    uint64_t share_limits[SHARE_LIMITS]; /* bytes; 0: the usual one */
    /* what a user may have of the network (net_set_limits); 0: the usual */
    uint32_t user_connections;
    uint64_t max_unheard_s;       /* 0: for ever */
    uint32_t host_silence_s;      /* after which a host that is cut off counts as lost */
    uint32_t scheduler_silence_s; /* after which a scheduler that hangs is ended */
    uint64_t user_bytes;
    uint32_t turn_budget_us; /* of the core: after that a turn ends */
    /* of sessions that keep ends (sessions/job_sessions.h) */
    uint32_t session_timeout_s, user_sessions, user_ends;
    uint32_t mail_rate, mail_tasks; /* MAIL_RATE, MAIL_TASKS */
    bool has_admin_mail;            /* administrator_mail is not none */
    /* of reporting_params */
    bool has_accounting, has_reporting, has_joblog, logs_consumables;
    uint32_t flush_s, accounting_flush_s;
    bool has_job_info;       /* schedd_job_info of the scheduler's */
    uint32_t max_user_tasks; /* maxujobs of the scheduler's; 0: any number */
    struct load_formula load_formula;
    char *load_adjustments;    /* job_load_adjustments */
    uint32_t load_decay_s;     /* load_adjustment_decay_time; at least 1 */
    bool has_load_adjustments; /* they are not NONE */
    bool has_file_staging;     /* delegated_file_staging */
};
/* what sge_conf(5) calls SESSION_TIMEOUT, MAX_USER_SESSIONS and MAX_USER_ENDS, if it does not
 * say */
enum { SESSION_TIMEOUT_S = 7 * 86400, USER_SESSIONS = 10000, USER_ENDS = 10000000 };
/* how many users may be there before none comes by himself: MAX_AUTO_USERS, if it does not say */
enum { AUTO_USERS = 100000 };
/* settings_init - nothing but the resources that every cell has
 * settings_clear - free all of it */
void settings_init(struct settings *s);
void settings_clear(struct settings *s);
/* settings_conf - the configuration NAME ("global", a host, ...); NULL without one. O(1) */
struct conf *settings_conf(const struct settings *s, const char *name);
/* settings_put_conf - add or replace; REC moved in; the numbers are read anew */
struct conf *settings_put_conf(struct settings *s, struct CONF_Type *rec);
/* settings_concurrency - how many tasks of an array may run at once: -tc and max_aj_instances,
 * whichever is less; 0 = any number */
uint32_t settings_concurrency(const struct settings *s, const struct JB_Type *job);
/* settings_complex - the resources that jobs may ask for, as a list; made when it is first needed
 * after a change
 * settings_is_builtin - is RESOURCE one that every cell has? */
bool settings_is_builtin(const char *resource);
const struct CE_Type_list *settings_complex(struct settings *s);
/* settings_consumables - those of which tasks take (libs/resource/consumption.h), sorted by name;
 * made likewise
 * settings_forced - of all others those that are FORCED */
const struct CE_Type_list *settings_consumables(struct settings *s);
const struct CE_Type_list *settings_forced(struct settings *s);
/* settings_drop_conf - free C, a host's; the numbers stay */
void settings_drop_conf(struct settings *s, struct conf *c);
/* settings_has_name - is NAME in LIST? O(1)
 * settings_put_name - it is from now on; fine if it was
 * settings_drop_name - no longer; false if it was not */
bool settings_has_name(const struct settings *s, enum admin_list list, const char *name);
/* settings_has_host - is HOST in LIST, by the name that it says or its unique one? O(1) */
bool settings_has_host(const struct settings *s, enum admin_list list, const char *host);
void settings_put_name(struct settings *s, enum admin_list list, const char *name);
bool settings_drop_name(struct settings *s, enum admin_list list, const char *name);
/* settings_text - the object of KIND called NAME; NULL if there is none
 * settings_put_text - add or replace; REC is moved in, and its record made. Settled by its rules,
 * or as another release left it
 * settings_put_taken - the same with the record that object_take made of REC; taken
 * settings_drop_text - it goes */
struct text_object *settings_text(const struct settings *s, enum gdi_target kind, const char *name);
struct text_object *settings_put_text(struct settings *s, struct TX_Type *rec);
struct text_object *settings_put_taken(struct settings *s, struct TX_Type *rec, void *record);
void settings_drop_text(struct settings *s, struct text_object *t);

#endif
