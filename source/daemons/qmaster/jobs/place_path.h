#ifndef QMASTER_JOBS_PLACE_PATH_H
#define QMASTER_JOBS_PLACE_PATH_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/resource/supply.h"

/* The supplies in which a task at a place books: of its queue instance, its host, the cell. */
enum { OF_QUEUE, OF_HOST, OF_CELL, LEVELS };

/* place_path - those of QI, also in AT; what they offer may be outdated
 * place_path_now - the same, up to date
 * cell_offers - what the cell has of resources; borrowed */
struct path place_path(struct qmaster *q, struct qinstance *qi, struct supply *at[LEVELS]);
struct path place_path_now(struct qmaster *q, struct qinstance *qi, struct supply *at[LEVELS]);
const struct CE_Type_list *cell_offers(struct qmaster *q);

#endif
