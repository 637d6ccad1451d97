#ifndef QMASTER_CONFIG_H
#define QMASTER_CONFIG_H

#include "daemons/qmaster/qmaster.h"

/* Staging of administrators' objects, for the setup of a new cell as well. */
void config_stage_names(struct qmaster *q, enum name_list list);
void config_stage_all(struct qmaster *q); /* every object: the spool is converted to our tables */
void config_stage_text(struct qmaster *q, const struct TX_Type *rec);

#endif
