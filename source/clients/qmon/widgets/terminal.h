#ifndef CLIENTS_QMON_WIDGETS_TERMINAL_H
#define CLIENTS_QMON_WIDGETS_TERMINAL_H

#include "clients/qmon/widgets/qmon.h"

/* A program in a terminal of its own, which stays when qmon ends. */
struct answer;
struct words;

/* terminal_start - PROGRAM, a command of this installation, with the words behind the first of
 * WORDS, in the terminal that the resource "terminal" names; if it fails, the terminal stays until
 * Return is pressed. Returns 0, or -1 with ans: there is no such terminal. */
int terminal_start(struct qmon *q, const char *program, const struct words *words,
                   struct answer *ans);

#endif
