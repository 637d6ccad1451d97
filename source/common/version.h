#ifndef COMMON_VERSION_H
#define COMMON_VERSION_H

/* The release, as `-help` prints it: clients look for "GE" and read the second word as version. */
#define SGE_PRODUCT      "SGE"
#define SGE_VERSION      "9.0.0"
#define SGE_VERSION_LINE SGE_PRODUCT " " SGE_VERSION

#endif
