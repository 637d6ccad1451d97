#ifndef COMMON_BASIS_H
#define COMMON_BASIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What every room may rely on: fixed-width types the compiler's help, and the smaller of two
 * numbers. */

/* The compiler checks format and arguments like printf's; positions count from 1. */
#define SGE_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
/* A result that must not be ignored. */
#define SGE_MUST_USE __attribute__((warn_unused_result))
#define SGE_NORETURN __attribute__((noreturn))
#define SGE_UNUSED   __attribute__((unused))

/* a macro's value as text, for messages that name a limit */
#define SGE_TEXT(value)  SGE_TEXT_(value)
#define SGE_TEXT_(value) #value

#define ARRAY_LEN(a)     (sizeof(a) / sizeof((a)[0]))

static inline uint64_t smaller_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
