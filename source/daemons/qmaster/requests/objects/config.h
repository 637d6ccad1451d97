#ifndef QMASTER_REQUESTS_OBJECTS_CONFIG_H
#define QMASTER_REQUESTS_OBJECTS_CONFIG_H

#include "daemons/qmaster/change/request.h"

/* What the config*.c files share: how each kind of object is called and kept, and the words of
 * answers. */
enum config_form {
    IS_NONE,
    IS_CQUEUE,
    IS_QINSTANCE,
    IS_HOST,
    IS_NAMES,
    IS_CONF,
    IS_OBJECT, /* libs/config/object.h */
    CONFIG_FORMS
};
struct config_kind {
    const char *noun; /* `manager "bob" already exists`; of an object its rules have it */
    const char *list; /* `added "bob" to manager list`; likewise */
    enum config_form form;
    enum admin_list names;
};
/* config_kind_of - the row of the kind that R is about; of form IS_NONE if this release has none */
const struct config_kind *config_kind_of(const struct request *r);
/* config_noun - what messages call one of that kind */
const char *config_noun(const struct request *r);
/* config_only - what the one object of its kind is called; NULL if there may be several. Adding it
 * again changes it. */
const char *config_only(const struct request *r);
/* config_is_conf_of - is NAME a configuration that requests of this kind are about (the scheduler's
 * has requests of its own)? */
bool config_is_conf_of(const struct request *r, const char *name);

/* ---- words; each adds an entry to the answer of R ---- */
enum config_deed { CONFIG_ADDED, CONFIG_MODIFIED, CONFIG_REMOVED };
/* config_answer - object NAME was added, modified or removed
 * config_answer_unknown - there is no object NAME
 * config_answer_moved - NAME is another object than the one that the sender changed
 * config_answer_unsupported - this release does not do that to this kind */
void config_answer(struct request *r, enum config_deed deed, const char *name);
void config_answer_unknown(struct request *r, const char *name);
void config_answer_moved(struct request *r, const char *name);
void config_answer_unsupported(struct request *r);

/* ---- questions; false with an entry that says why ---- */
/* config_has_name - is NAME a name at all? */
bool config_has_name(struct request *r, const char *name);
/* config_is_in_place - is what is to be made new, and what is to be changed there? The one object
 * of its kind always is. */
bool config_is_in_place(struct request *r, const char *name, bool is_there, bool is_new);
/* config_host_is_known - is NAME this host, an execution host, or may it be another, in a cell that
 * has a port for them? */
bool config_host_is_known(struct qmaster *q, struct request *r, const char *name);

/* ---- references ---- */
/* config_is_free - does no other object name the one called NAME? */
bool config_is_free(struct qmaster *q, struct request *r, const char *name);

/* ---- config_check.c: what the values of a valid object mean in this cell
 * 0, with a warning for each value that differs from what is there and that nothing obeys yet; -1
 * with an entry that names an object that does not exist. Before anything is changed. */
int config_check_cqueue(struct qmaster *q, struct request *r, const struct CQ_Type *rec);
int config_check_host(struct qmaster *q, struct request *r, const struct EH_Type *rec);
int config_check_conf(struct qmaster *q, struct request *r, const struct CONF_Type *rec);
int config_check_object(struct qmaster *q, struct request *r, const struct TX_Type *rec,
                        const void *record);

/* ---- config_reserved.c: 0 if advance reservations keep what they have; -1 with an entry that
 * names what they would lack. Nothing is changed.
 * config_reserved_queue_goes - may the queue called NAME go?
 * O(places of the reservations there), and an instance is resolved once for each queue instance */
int config_reserved_cqueue(struct qmaster *q, struct request *r, const struct CQ_Type *rec);
int config_reserved_queue_goes(struct qmaster *q, struct request *r, const char *name);
int config_reserved_host(struct qmaster *q, struct request *r, const struct EH_Type *rec);
int config_reserved_object(struct qmaster *q, struct request *r, const struct TX_Type *rec,
                           const void *record);

/* ---- one object of a request: check, apply, stage, say ----
 * RECORD is of the type that the form's list in GR_Type has; it may be moved out. */
typedef void config_put_fn(struct qmaster *q, struct request *r, void *record, bool is_new);
typedef void config_del_fn(struct qmaster *q, struct request *r, const char *name);
config_put_fn config_put_cqueue, config_put_host, config_put_name, config_put_conf,
    config_put_object;
config_del_fn config_del_cqueue, config_del_host, config_del_name, config_del_conf,
    config_del_object;

#endif
