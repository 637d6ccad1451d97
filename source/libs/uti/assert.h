#ifndef UTI_ASSERT_H
#define UTI_ASSERT_H

#include "common/basis.h"

/* ASSERT states what must be true whatever users do. It stays on in releases: the process says the
 * place and aborts rather than go on with a state it knows to be wrong; inside a program of
 * an external one the call ends (guard.h). Input never trips one. */
#define ASSERT(claim) ((claim) ? (void)0 : uti_assert_failed(#claim, __FILE__, __LINE__, __func__))

/* uti_assert_failed - what a failed ASSERT calls: say it and abort */
void uti_assert_failed(const char *claim, const char *file, int line,
                       const char *func) SGE_NORETURN;

typedef void (*uti_assert_failure_fn)(const char *claim, const char *file, int line,
                                      const char *func);
/* uti_assert_on_failure - FN says which claim failed, and where; if it returns, the process aborts
 * NULL: one line on stderr. All threads; log_open() installs one that writes to the messages
 * file. */
void uti_assert_on_failure(uti_assert_failure_fn fn);

#endif
