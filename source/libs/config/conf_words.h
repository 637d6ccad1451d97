#ifndef CONFIG_CONF_WORDS_H
#define CONFIG_CONF_WORDS_H

#include "libs/sgeobj/rows.h"

/* What a configuration says that nothing reads. Other Grid Engines have attributes and settings of
 * their own, and people mistype: both are kept, and named. Pure. */
struct answer;

/* conf_words_warn - a warning for each thing in CONF that has no effect: an attribute that is not
 * known, a setting of qmaster_params or execd_params that is not known, with the known one that is
 * nearest to it, and a value that its setting cannot have
 *
 *   before  as it was: what it says already is not named again; NULL: it is new
 *
 * The first few are named. O(settings). Source: sge_conf(5) */
void conf_words_warn(const struct CONF_Type *conf, const struct CONF_Type *before,
                     struct answer *ans);

#endif
