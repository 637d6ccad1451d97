#ifndef CLIENTS_QMON_FORMS_FORM_REQUEST_H
#define CLIENTS_QMON_FORMS_FORM_REQUEST_H

#include "clients/qmon/widgets/qmon.h"
#include "libs/cli/words.h"
#include "libs/sgeobj/rows.h"

/* A form of Submit Job or Change as a request. Its words are read by the code that qsub and qalter
 * use, in a thread, because scripts, request files and host names may be far away; the request is
 * one of the window's others then. */
struct answer;
struct form_request {
    struct qmon *q;
    /* what became of it; SAID is what the command would print, borrowed */
    void (*done)(void *ctx, bool is_good, const char *said);
    void *ctx;
    bool is_open; /* it is under way */
    /* private */
    struct JB_Type job;
    bool is_terse;
    char *warnings;
};

/* form_request_send - send what WORDS say, a command line of qsub or qalter
 *   r  the caller's, with q, done and ctx set; not open
 * Returns 0, or -1 with ans: done is not called then. */
int form_request_send(struct form_request *r, const struct words *words, struct answer *ans);
/* form_request_free - after the answers are no longer taken */
void form_request_free(struct form_request *r);

#endif
