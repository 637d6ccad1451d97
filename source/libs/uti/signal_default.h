#ifndef UTI_SIGNAL_DEFAULT_H
#define UTI_SIGNAL_DEFAULT_H

/* signal_default_all - every signal does what it does by default: handlers are forgotten, and what
 * whoever started this program ignored is ignored no longer */
void signal_default_all(void);

#endif
