#ifndef QMASTER_CONFIG_CONFIG_STAGE_H
#define QMASTER_CONFIG_CONFIG_STAGE_H

#include "daemons/qmaster/tables/qmaster.h"

/* The administrator's objects on their way to the spool: after a change and in a new cell. */
/* config_stage_names - one of the lists of names, as it is now
 * config_stage_text, config_stage_text_gone - a plain object is as REC says, or has gone */
void config_stage_names(struct qmaster *q, enum name_list list);
void config_stage_text(struct qmaster *q, const struct TX_Type *rec);
void config_stage_text_gone(struct qmaster *q, const struct TX_Type *rec);

#endif
