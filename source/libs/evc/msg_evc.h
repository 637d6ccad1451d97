#ifndef EVC_MSG_EVC_H
#define EVC_MSG_EVC_H

/* The texts of this room. */
#define MSG_EVC_PACKAGE_UU "event package %llu received where %llu was expected"
#define MSG_EVC_TRAILING_U "%zu bytes follow the record in a frame of kind %u"
#define MSG_EVC_FRAME_U    "frame of kind %u is not meant for an event client"

#endif
