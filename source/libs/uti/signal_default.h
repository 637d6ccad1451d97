#ifndef UTI_SIGNAL_DEFAULT_H
#define UTI_SIGNAL_DEFAULT_H

/* signal_default_all - every signal does what it does by default: handlers are forgotten, and what
 * the starting process ignored is not ignored any more */
void signal_default_all(void);

#endif
