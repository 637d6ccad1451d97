#ifndef DRMAA_NUMBERS_H
#define DRMAA_NUMBERS_H

#include "libs/japi/japi.h"

/* number_of - the DRMAA_ERRNO_... for how a call of the session ended; JAPI_WRONG_STATE, whose
 * number depends on what was asked for, is an INTERNAL_ERROR here */
int number_of(enum japi_end end);

#endif
