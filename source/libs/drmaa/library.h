#ifndef DRMAA_LIBRARY_H
#define DRMAA_LIBRARY_H

#include "libs/drmaa/handles.h"
#include "libs/japi/japi.h"
#include "libs/uti/answer.h"

/* The library within a host program: its one session, the objects it has given out, and the
 * boundary that every call passes. */

/* text_copy - as much of TEXT as fits into the BYTES of BUF, the host program's, with a NUL;
 * nothing if there are no bytes */
void text_copy(char *buf, size_t bytes, const char *text);

/* What a function of the interface does. Returns a DRMAA_ERRNO_...; the diagnosis is the first
 * error of ANS, else the text of the number. */
typedef int (*api_fn)(void *args, struct answer *ans);
/* library_run - call FN so that refused memory and broken claims come back as numbers
 *   diag, len  of the host program, filled when the number is not 0; NULL is fine */
int library_run(api_fn fn, void *args, char *diag, size_t len);

/* The same with the active session, which stays until FN has returned; without one the number is
 * DRMAA_ERRNO_NO_ACTIVE_SESSION. */
typedef int (*api_session_fn)(struct japi *session, void *args, struct answer *ans);
int library_run_in_session(api_session_fn fn, void *args, char *diag, size_t len);

/* number_of - the DRMAA_ERRNO_... for how a call of the session ended; JAPI_WRONG_STATE, whose
 * number depends on what was asked for, is an INTERNAL_ERROR here */
int number_of(enum japi_end end);

/* library_lock - for handles; short, and nothing that waits. With guard_lock's rules.
 * library_handles - the table, under that lock */
void library_lock(void);
void library_unlock(void);
struct handles *library_handles(void);

/* library_give - a handle for OBJECT of the host program; NULL with ans: there are too many
 * library_take - the object of a handle that the host program gives back; NULL: it is another, or
 * gone */
void *library_give(enum handle_kind kind, void *object, struct answer *ans);
void *library_take(enum handle_kind kind, const void *handle);
/* library_refuse_null - WHAT is NULL and must not be: DRMAA_ERRNO_INVALID_ARGUMENT with ANS */
int library_refuse_null(const char *what, struct answer *ans);

/* library_begin - from now on no other thread may begin or end a session; library_set follows.
 * Returns 0, or the number of the error.
 * library_set - the change is over, SESSION, taken, is the session; NULL: there is none
 * library_end - from now on lookups do not find the session; calls at work in it get a sign to stop
 * (japi_stop) and have left when this returns; library_set follows. Returns the session, the
 * caller's, or NULL with ANS: there is none. */
int library_begin(void);
void library_set(struct japi *session);
struct japi *library_end(struct answer *ans);

#endif
