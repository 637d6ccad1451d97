#ifndef CONFIG_PRIOR_WEIGHTS_H
#define CONFIG_PRIOR_WEIGHTS_H

#include "libs/sgeobj/prior.h"

/* prior_weights_of - the weights in the scheduler's configuration; NULL, and what is missing: the
 * defaults. Pure. */
struct prior_weights prior_weights_of(const struct CONF_Type *scheduler);

#endif
