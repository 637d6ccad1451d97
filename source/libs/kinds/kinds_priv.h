#ifndef KINDS_KINDS_PRIV_H
#define KINDS_KINDS_PRIV_H

#include "libs/kinds/kinds.h"

/* Of kind_forms.c, for the table in kinds.c: queues, hosts, configurations, the scheduler's, and
 * the kinds of libs/config/object.h. */
extern const struct kind_form kind_queue_form, kind_host_form, kind_conf_form, kind_sched_conf_form,
    kind_object_form;
extern const struct kind_attrs kind_queue_attrs, kind_host_attrs, kind_conf_attrs,
    kind_object_attrs;

#endif
