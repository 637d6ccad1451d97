#ifndef CLIENTS_COMMON_ALTER_H
#define CLIENTS_COMMON_ALTER_H

#include "libs/cli/option.h"

/* alter_main - qalter, and qhold and qrls, which are qalter -h under other names: one GDI_MOD with
 * the fields that were named
 * Prints the qmaster's texts on stdout and returns the exit status: qalter's failures are 1, those
 * of qhold and qrls the number that the kind of failure has (answer.h). Source: submit(1),
 * qhold(1), qrls(1). */
int alter_main(unsigned program, int argc, char **argv);

#endif
