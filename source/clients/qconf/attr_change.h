#ifndef CLIENTS_QCONF_ATTR_CHANGE_H
#define CLIENTS_QCONF_ATTR_CHANGE_H

#include "clients/qconf/qconf.h"
#include "libs/kinds/kinds.h"

/* What the options that change attributes do to one attribute of an object that the qmaster has
 * sent. */
enum attr_op { OP_MODIFY, OP_REPLACE, OP_ADD, OP_DELETE };

struct setting {
    char *href, *value; /* owned; "/" is for all hosts */
};
struct host_values {
    struct setting *v;
    uint32_t n, cap;
};
struct attr_target {
    const struct kind *kind;
    void *record;                     /* of kind_type */
    void *made;                       /* that, if it is new to the qmaster: owned */
    const char *attr, *object, *host; /* host: of "queue@host", else "/" */
    enum attr_syntax syntax;
    struct host_values now;
    bool is_purge;    /* -purge, which has texts of its own */
    bool lacks;       /* an element that was to go is not there */
    struct dstr said; /* for stdout, once the change is made */
};

/* attr_change - the attribute T->attr becomes what OP makes of it and VALUE, words as they stand
 * in a command line
 * Returns the exit status, with T->record unchanged after a failure that was printed. */
int attr_change(struct qconf *q, struct attr_target *t, enum attr_op op, const char *value);
/* attr_purge_own - the host T->host has no value of its own for ATTR any more; false if it had
 * none */
bool attr_purge_own(struct attr_target *t, const char *attr);

#endif
