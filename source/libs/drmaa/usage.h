#ifndef DRMAA_USAGE_H
#define DRMAA_USAGE_H

/* usage_texts - what a task has used, as drmaa_wait gives it: "name=value" each, values with four
 * decimals; new: texts_free */
struct japi_ended;
struct texts;
struct texts *usage_texts(const struct japi_ended *e);

#endif
