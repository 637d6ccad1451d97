#ifndef SGEOBJ_CELL_HOST_H
#define SGEOBJ_CELL_HOST_H

/* not a host: its complex_values and load values are those of the cell, which all hosts share. It
 * is there once somebody adds it, or says a load value of it. */
#define HOST_OF_CELL "global"

#endif
