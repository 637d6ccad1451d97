#ifndef CLIENTS_COMMON_RESOURCE_REQUEST_H
#define CLIENTS_COMMON_RESOURCE_REQUEST_H

#include "clients/common/option_table.h"
#include "libs/resource/availability.h"

/* -l of the commands that show: requests of the form NAME=VALUE, or NAME for what shall be true; a
 * name may be a shortcut. Pure. */
struct answer;

/* resource_requests_check - is all that REQUESTS name in COMPLEX? Returns 0, or -1 with ans. */
int resource_requests_check(const struct name_list *requests, const struct CE_Type_list *complex,
                            struct answer *ans);
/* resource_requests_suit - has WHAT as much as each of them asks for? */
bool resource_requests_suit(const struct name_list *requests, const struct offering *what);

#endif
