#ifndef QMASTER_SLICE_H
#define QMASTER_SLICE_H

#include "daemons/qmaster/qmaster.h"

/* The time that a step of the core has (work.h). */
/* slice_is_over - asked by a step between two of its jobs: has it had its time? Where nobody measures, never. */
bool slice_is_over(const struct qmaster *q);

#endif
