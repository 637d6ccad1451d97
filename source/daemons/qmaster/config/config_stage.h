#ifndef QMASTER_CONFIG_CONFIG_STAGE_H
#define QMASTER_CONFIG_CONFIG_STAGE_H

#include "daemons/qmaster/tables/qmaster.h"

/* The administrator's objects on their way to the spool: after a change and in a new cell. */
void config_stage_names(struct qmaster *q, enum name_list list);
void config_stage_text(struct qmaster *q, const struct TX_Type *rec);
void config_stage_text_gone(struct qmaster *q, const struct TX_Type *rec);

#endif
