#ifndef CLIENTS_SGE_SHARE_MON_MSG_SHARE_MON_H
#define CLIENTS_SGE_SHARE_MON_MSG_SHARE_MON_H

#define MSG_MON_OPTION_C    "invalid option -- '%c'"
#define MSG_MON_NEEDS_C     "option requires an argument -- '%c'"
#define MSG_MON_ARGUMENT_CS "option -%c: \"%s\" is not a valid value"
#define MSG_MON_NO_TREE     "no sharetree element"
#define MSG_MON_OUTPUT_S    "cannot open %s"

#endif
