#ifndef UTI_ASSERT_H
#define UTI_ASSERT_H

#include "common/basis.h"

/* ASSERT states what must be true whatever users do. It stays on in releases: the process logs the
 * place and aborts rather than go on with a state it knows to be wrong. Input never trips one. */
#define ASSERT(claim) ((claim) ? (void)0 : uti_assert_failed(#claim, __FILE__, __LINE__, __func__))

void uti_assert_failed(const char *claim, const char *file, int line,
                       const char *func) SGE_NORETURN;

#endif
