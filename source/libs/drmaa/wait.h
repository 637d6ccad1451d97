#ifndef DRMAA_WAIT_H
#define DRMAA_WAIT_H

/* The int that drmaa_wait gives and drmaa_wif... take. It is the program's: it says all by itself,
 * so that it is good after the session, too. */
struct japi_ended;

/* status_of - how E ended, as such a number */
int status_of(const struct japi_ended *e);
/* the signal that ended it; 0: none did */
int status_signal(int stat);

#endif
