#ifndef UTI_HOST_NAME_H
#define UTI_HOST_NAME_H

#include "common/basis.h"

/* Names of hosts: the one place that says what can be one, and which mean the same host. Case and
 * what follows the first "." do not count (ignore_fqdn of bootstrap(5)), but an address counts
 * whole; and a host may have aliases. Source: host_aliases(5) */
struct answer;

enum { HOST_NAME_BYTES = 256 };

/* host_name_is_valid - may NAME be a host's: 1 to 253 letters, digits, "-", "_" and ".", a letter
 * or digit first? */
bool host_name_is_valid(const char *name);

/* host_name_unique - what the host NAME is called: in small letters, without its domain, and by its
 * own name if NAME is an alias. OUT has HOST_NAME_BYTES. O(length) */
void host_name_unique(const char *name, char *out);
/* host_name_equal - do A and B name the same host? */
bool host_name_equal(const char *a, const char *b);
/* host_name_matches - does PATTERN of sge_types(1) mean NAME? A word without wildcards means that
 * host by any of its names; in others case does not count, and aliases are not looked for.
 * host_name_word_matches - the same of one word (pattern.h) of LEN bytes */
bool host_name_matches(const char *pattern, const char *name);
bool host_name_word_matches(const char *word, size_t len, const char *name);

/* host_aliases_use - which names are aliases, from now on and in all of this process: lines of a
 * host's own name and its aliases; "#" begins a comment line. To be called before others threads
 * begin; "" makes it forget all.
 *
 *   path  for messages
 *   ans   names file and line: what cannot be a name, or is one of two hosts
 *
 * Returns 0, or -1 with ans and the aliases as they were. O(length of TEXT) */
int host_aliases_use(const char *text, const char *path, struct answer *ans);

#endif
