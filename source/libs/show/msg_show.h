#ifndef SHOW_MSG_SHOW_H
#define SHOW_MSG_SHOW_H

/* Texts of listings. */
#define MSG_SCHEDD_INFO_OFF  "(Collecting of scheduler job information is turned off)"
#define MSG_SCHEDD_INFO_NONE "There are no messages available"

#endif
