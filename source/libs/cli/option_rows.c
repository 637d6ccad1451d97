/* The option tables, expanded from sge_optionL.h and sge_argumentL.h.
 * Invariant: a name stands at most once for each program. Source: submit(1), qdel(1), qmod(1). */
#include "libs/cli/option.h"
#include "libs/cli/parse_options.h"
#include "libs/sgeobj/rows.h"

#define OPTION(name, argument, sets, parse, where, documented)                                     \
    {                                                                                              \
        name, argument, sets, parse, where, documented,
#define HELP(words)                                                                                \
    OPTION_ACTS, words                                                                             \
    }                                                                                              \
    ,
#define HIDDEN()                                                                                   \
    OPTION_ACTS, NULL                                                                              \
    }                                                                                              \
    ,
#define LATER(words)                                                                               \
    OPTION_KEPT, words                                                                             \
    }                                                                                              \
    ,
#define WAITS(words)                                                                               \
    OPTION_WAITS, words                                                                            \
    }                                                                                              \
    ,
const struct option_row option_rows[] = {
#include "libs/sgeobj/sge_optionL.h"
};
const unsigned option_rows_n = ARRAY_LEN(option_rows);

#define ARGUMENT(name, shown, syntax, where) { name, shown, syntax, where },
const struct argument_row argument_rows[] = {
#include "libs/cli/sge_argumentL.h"
};
const unsigned argument_rows_n = ARRAY_LEN(argument_rows);
