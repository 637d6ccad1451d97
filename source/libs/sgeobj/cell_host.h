#ifndef SGEOBJ_CELL_HOST_H
#define SGEOBJ_CELL_HOST_H

/* not a host: its complex_values and load values are those of the cell, which all hosts share. It
 * exists once it is added, or a load value of it is reported. */
#define HOST_OF_CELL "global"

#endif
