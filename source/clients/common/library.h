#ifndef CLIENTS_COMMON_LIBRARY_H
#define CLIENTS_COMMON_LIBRARY_H

/* The shared objects that write XML and JSON: loaded when a document of theirs is wanted, so that a
 * client which prints a plain table loads nothing but libc. */
struct answer;

/* library_load - the table of functions of a shared object, which begins with its version
 *
 *   file    "libsgexml.so"; looked for in lib/<arch> beside the program's bin/<arch>, and where a
 *           build tree has it
 *   symbol  the name of the table
 *
 * Returns it, valid permanently; NULL with ans. */
const void *library_load(const char *file, const char *symbol, int version, struct answer *ans);

#endif
