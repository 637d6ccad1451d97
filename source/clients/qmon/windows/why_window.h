#ifndef CLIENTS_QMON_WINDOWS_WHY_WINDOW_H
#define CLIENTS_QMON_WINDOWS_WHY_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

/* Why: what `qstat -j JOB -why` says, to be followed from job to job. */
struct why_window;

/* why_window_new - not seen yet; new: why_window_free, which takes NULL
 * why_window_open - ask about the job of that NUMBER */
struct why_window *why_window_new(struct qmon *q);
void why_window_open(struct why_window *w, uint32_t number);
void why_window_free(struct why_window *w);

#endif
