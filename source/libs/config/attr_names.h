#ifndef CONFIG_ATTR_NAMES_H
#define CONFIG_ATTR_NAMES_H

#include "common/basis.h"

/* Names in configurations: what may be one, and lists of them. Pure. */
struct dstr;

/* the most bytes of a name of a queue, pe, calendar ..., and of a host */
enum { OBJECT_NAME_MAX = 256, HOST_NAME_MAX_BYTES = 255 };

/* attr_is_none - is it the word NONE, in any case? */
bool attr_is_none(const char *value);
/* object_name_is_valid - may an object (queue, pe, calendar ...) be called so? Not "template",
 * "all", "none". */
bool object_name_is_valid(const char *name);
/* host_identifier_is_valid - the form of a host name or of "@group"; nothing is resolved */
bool host_identifier_is_valid(const char *name);
/* user_name_is_valid - may a word of a list of names be this: a user, or an object whatever it
 * is called? */
bool user_name_is_valid(const char *word);
/* userset_entry_is_valid - a user, or "@group" for the users of a group of the system */
bool userset_entry_is_valid(const char *word);

/* attr_next_word - the next word of a list at *AT, which moves behind it; bytes of SEPARATORS
 * stand between words
 * Returns true with WORD replaced, or false at the end. */
bool attr_next_word(const char **at, const char *separators, struct dstr *word);
/* attr_next_element - the same of a list where the names of devices stand in parentheses
 * (devices.h): what begins with a name and has "(" goes on to ")", with one blank for any between
 * the names */
bool attr_next_element(const char **at, const char *separators, struct dstr *word);

#endif
