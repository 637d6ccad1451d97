#ifndef CONFIG_COMPLEX_H
#define CONFIG_COMPLEX_H

#include "libs/sgeobj/rows.h"

/* The complex: definitions of resources, as complex(5) and `qconf -sc` show them. Pure. */
struct answer;
struct dstr;

/* CE_valtype */
enum complex_type {
    COMPLEX_INT = 1,
    COMPLEX_STRING = 2,
    COMPLEX_TIME = 3,
    COMPLEX_MEMORY = 4,
    COMPLEX_BOOL = 5,
    COMPLEX_CSTRING = 6,
    COMPLEX_HOST = 7,
    COMPLEX_DOUBLE = 8,
    COMPLEX_RESTRING = 9,
    COMPLEX_RSMAP = 10 /* named devices (devices.h) */
};
/* CE_relop */
enum complex_relop {
    COMPLEX_EQ = 1,
    COMPLEX_GE = 2,
    COMPLEX_GT = 3,
    COMPLEX_LT = 4,
    COMPLEX_LE = 5,
    COMPLEX_NE = 6,
    COMPLEX_EXCL = 7
};
enum complex_request {
    COMPLEX_REQUEST_NO = 1,
    COMPLEX_REQUEST_YES = 2,
    COMPLEX_REQUEST_FORCED = 3
}; /* CE_requestable */
enum complex_consumable {
    COMPLEX_CONSUMABLE_NO = 0,
    COMPLEX_CONSUMABLE_YES = 1,
    COMPLEX_CONSUMABLE_JOB = 2,
    COMPLEX_CONSUMABLE_HOST = 3
}; /* CE_consumable */

/* complex_template - append the resources that every cluster starts with to LIST; cull_clear..
 * frees them */
void complex_template(struct CE_Type_list *list);
/* complex_parse - read the table into LIST (empty), sorted by name
 * Returns 0, or -1 with one line in ans and LIST empty. */
int complex_parse(const char *text, struct CE_Type_list *list, struct answer *ans);
/* complex_check - is this, perhaps from a foreign sender, a valid table? 0 or -1 with ans */
int complex_check(const struct CE_Type_list *list, struct answer *ans);
/* complex_text - append the table as `qconf -sc` prints it */
void complex_text(const struct CE_Type_list *list, struct dstr *out);
/* complex_list_clear - free the elements and the array */
void complex_list_clear(struct CE_Type_list *list);

/* The same as objects (object.h): one for each resource. complex_read_... read a word of the
 * table into a CE_Type: 0, or -1 with ans. */
int complex_read_type(void *ce, const char *value, struct answer *ans);
int complex_read_relop(void *ce, const char *value, struct answer *ans);
int complex_read_request(void *ce, const char *value, struct answer *ans);
int complex_read_consumable(void *ce, const char *value, struct answer *ans);
int complex_read_default(void *ce, const char *value, struct answer *ans);
/* complex_check_entry - do the columns of one resource suit each other? 0, or -1 with ans */
int complex_check_entry(const void *ce, struct answer *ans);
/* complex_value - what the column ATTR ("type", "default" ...) says, as the table prints it;
 * borrowed, NULL if there is none */
const char *complex_value(const struct CE_Type *ce, const char *attr);
/* complex_sort - by name, as the table is printed */
void complex_sort(struct CE_Type_list *list);

/* complex_find - by name or shortcut; borrowed, NULL if there is none. O(n) */
const struct CE_Type *complex_find(const struct CE_Type_list *list, const char *name);
/* complex_value_parse - read VALUE as TYPE: a number for all but strings and hosts (then 0)
 * Returns 0, or -1 with ans naming resource, value and type. */
int complex_value_parse(const struct CE_Type *ce, const char *value, double *out,
                        struct answer *ans);

#endif
