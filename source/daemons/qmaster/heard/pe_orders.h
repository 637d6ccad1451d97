#ifndef QMASTER_HEARD_PE_ORDERS_H
#define QMASTER_HEARD_PE_ORDERS_H

#include "daemons/qmaster/jobs/slots.h"

/* What an order for a parallel job must keep to, besides what every order must. Pure. */

/* pe_order_refusal - why no task of the job REQUEST may have the slots of PLACES, which are those
 * of GRANTED, in its parallel environment, or without one; NULL if it may
 * O(places log places) */
const char *pe_order_refusal(const struct JG_Type_list *granted, const struct places *places,
                             const struct JB_Type *request);
/* pe_order_has_room - are as many slots left in the environment of PLACES? */
bool pe_order_has_room(const struct places *places);

#endif
