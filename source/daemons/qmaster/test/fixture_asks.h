#ifndef QMASTER_TEST_FIXTURE_ASKS_H
#define QMASTER_TEST_FIXTURE_ASKS_H

#include "daemons/qmaster/test/fixture.h"

/* Requests of users to the fixture's qmaster, in a line each. */
struct wish {           /* a submit; NULL = not said */
    const char *owner;  /* default alice */
    const char *name;   /* default J */
    const char *tasks;  /* "1-10:4"; default: no array */
    const char *ad;     /* -hold_jid_ad */
    const char *jid;    /* -hold_jid */
    const char *id;     /* request id */
    const char *script; /* default: none, the job is a binary */
    const char *project;
    bool is_left; /* if it takes more steps than one, the test does them */
};
/* fixture_submit - the job's number, 0 if it was refused (f->said) */
uint32_t fixture_submit(struct fixture *f, struct wish w);
#define submit(f, ...) fixture_submit(f, (struct wish){ __VA_ARGS__ })
/* fixture_ask - USER's request GR (emptied) of a handler; what the answer says is in f->said. True
 * if it has no error */
struct request;
typedef void (*fixture_handler_fn)(struct qmaster *q, struct request *r);
bool fixture_ask(struct fixture *f, const char *user, fixture_handler_fn handler,
                 struct GR_Type *gr);
/* fixture_hear - the request GR (emptied) comes over the connection FROM in a frame with that
 * serial number; the answer leaves in frames */
void fixture_hear(struct fixture *f, struct connection *from, uint32_t serial, struct GR_Type *gr);
/* said - the answer to the last request, its entries divided by newlines */
const char *said(const struct fixture *f);
/* fixture_name - add what USER means ("12", "12.3", "12.3-9:2", a name) to a request */
void fixture_name(struct GR_Type *gr, const char *what);
/* fixture_alter - qalter -hold_jid_ad or -hold_jid (NULL: not said) of a job; true if it was not
 * refused */
bool fixture_alter(struct fixture *f, uint32_t job, const char *ad, const char *jid);
/* fixture_hold - put (OP GDI_HOLD_ADD), lift or clear holds of some KINDS; true if it was not
 * refused */
bool fixture_hold(struct fixture *f, const char *user, const char *what, unsigned kinds,
                  uint32_t op);
/* fixture_delete - qdel of "12", "12.3", "12.3-9:2", a name or a pattern */
void fixture_delete(struct fixture *f, const char *user, const char *what);
/* fixture_delete_forced - the same with -f */
void fixture_delete_forced(struct fixture *f, const char *user, const char *what);
/* fixture_set_queue - qconf -mattr of all.q by the manager; true if it was not refused */
bool fixture_set_queue(struct fixture *f, const char *attr, const char *value);
/* fixture_put_group - the manager's request that the host group NAME means HOSTS, whether it exists
 * or not; true if it was not refused
 * fixture_set_group - the same; asserts that it was not refused */
bool fixture_put_group(struct fixture *f, const char *name, const char *hosts);
void fixture_set_group(struct fixture *f, const char *name, const char *hosts);
/* fixture_select - what a request of USER for WHAT means: the handler's own selection, freed by the
 * caller */
struct selection;
void fixture_select(struct fixture *f, const char *user, const char *what, struct selection *out);
/* fixture_put_quota - the resource quota set "r1" is enabled and has this RULE alone */
void fixture_put_quota(struct fixture *f, const char *rule);

#endif
