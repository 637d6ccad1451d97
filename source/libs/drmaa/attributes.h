#ifndef DRMAA_ATTRIBUTES_H
#define DRMAA_ATTRIBUTES_H

#include "common/basis.h"

/* The attributes of a job template: one row each says its name, whether it is a vector, and what
 * it may hold. Source: drmaa_attributes(3) */
struct answer;
struct texts;

enum attribute_id {
    ATTRIBUTE_REMOTE_COMMAND,
    ATTRIBUTE_JS_STATE,
    ATTRIBUTE_WD,
    ATTRIBUTE_JOB_CATEGORY,
    ATTRIBUTE_NATIVE,
    ATTRIBUTE_BLOCK_EMAIL,
    ATTRIBUTE_START_TIME,
    ATTRIBUTE_JOB_NAME,
    ATTRIBUTE_INPUT_PATH,
    ATTRIBUTE_OUTPUT_PATH,
    ATTRIBUTE_ERROR_PATH,
    ATTRIBUTE_JOIN_FILES,
    ATTRIBUTE_TRANSFER_FILES,
    ATTRIBUTE_SUBMIT_AS_EUID,
    ATTRIBUTE_ARGV,
    ATTRIBUTE_ENV,
    ATTRIBUTE_EMAIL,
    ATTRIBUTES
};
/* the most bytes of one value, and values of a vector */
enum { ATTRIBUTE_BYTES_MOST = 1 << 20, ATTRIBUTE_VALUES_MOST = 100000 };

/* attribute_find - the attribute NAME, or -1 without one of this kind */
int attribute_find(const char *name, bool is_vector);
/* attribute_name - its name, as the host program knows it */
const char *attribute_name(enum attribute_id id);
/* attribute_check - may the attribute have VALUE, or a value of a vector? Returns
 * DRMAA_ERRNO_SUCCESS, or the number of the error with ans. */
int attribute_check(enum attribute_id id, const char *value, struct answer *ans);
/* attribute_needs_staging - is it there only in cells that stage files? */
bool attribute_needs_staging(enum attribute_id id);
/* attributes_list - append the names of those that a cell with or without staging has, vectors or
 * not */
void attributes_list(bool is_vector, bool has_staging, struct texts *out);

/* start_time_parse - a partial timestamp of DRMAA: [[[[CC]YY/]MM/]DD] hh:mm[:ss] [{-|+}UU:uu]
 *
 *   now_s  what is missing is taken from there, such that the time lies ahead; local time without
 *          an offset
 *
 * Returns START_TIME_GOOD and sets *out (seconds since 1970), or leaves it: not of this form, or of
 * this form and no such day or time. */
enum start_time_end { START_TIME_GOOD = 0, START_TIME_NO_FORM, START_TIME_NO_TIME };
enum start_time_end start_time_parse(const char *text, uint64_t now_s, uint64_t *out) SGE_MUST_USE;

#endif
