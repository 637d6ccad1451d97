/* The C library's names for the heap of a small program (small_heap.h), in place of musl's. They
 * are for static programs with one thread: `./aimk check` looks that none of them starts another.
 * The C library's own functions come here, too, posix_memalign and memalign by aligned_alloc. The
 * one variable is the program's heap. */
#include <malloc.h>
#include <stdlib.h>

#include "libs/uti/small_heap.h"

/* Common data comes last in a program's zeroed memory, so that the variables before it and the
 * first blocks of the heap share a page. */
extern struct small_heap small_heap_of_program;
__attribute__((common, visibility("hidden"))) struct small_heap small_heap_of_program;

void *malloc(size_t bytes)
{
    return small_heap_alloc(&small_heap_of_program, bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return small_heap_calloc(&small_heap_of_program, count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return small_heap_realloc(&small_heap_of_program, old, bytes);
}

void free(void *block)
{
    small_heap_free(&small_heap_of_program, block);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return small_heap_aligned(&small_heap_of_program, align, bytes);
}

size_t malloc_usable_size(void *block)
{
    return small_heap_usable(&small_heap_of_program, block);
}
