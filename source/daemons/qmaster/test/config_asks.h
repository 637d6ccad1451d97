#ifndef QMASTER_TEST_CONFIG_ASKS_H
#define QMASTER_TEST_CONFIG_ASKS_H

#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"

/* USER's request GR (emptied); what the answer says, entries divided by newlines */
const char *ask_as(struct fixture *f, const char *user, fixture_handler_fn handler,
                   enum gdi_target target, struct GR_Type *gr);
const char *delete_as(struct fixture *f, const char *user, enum gdi_target target,
                      const char *name);
const char *add_name(struct fixture *f, const char *user, enum gdi_target target, const char *name);
const char *put_queue(struct fixture *f, fixture_handler_fn handler, const char *name);
const char *put_host(struct fixture *f, fixture_handler_fn handler, const char *name,
                     const char *projects);
/* the configuration NAME as it is, or a new one, with PARAM set */
const char *put_conf(struct fixture *f, fixture_handler_fn handler, enum gdi_target target,
                     const char *name, const char *param, const char *value);
/* an object of the kind TARGET with its defaults; of one attribute VALUE instead, unless it is
 * NULL */
const char *put_object(struct fixture *f, fixture_handler_fn handler, enum gdi_target target,
                       const char *name, const char *attr, const char *value);
/* what a GET of TARGET brings; PATTERN may be NULL. AFTER (may be NULL): the batch that the answer
 * waits for */
struct GA_Type get_objects(struct fixture *f, enum gdi_target target, const char *pattern,
                           uint64_t *after);
uint32_t count_objects(struct fixture *f, enum gdi_target target, const char *pattern);
void restart_qmaster(struct fixture *f);

#endif
