#ifndef CLIENTS_COMMON_REQUEST_H
#define CLIENTS_COMMON_REQUEST_H

#include <stdio.h>

#include "libs/cli/job_command.h"
#include "libs/cli/option.h"
#include "libs/cli/submitter.h"
#include "libs/gdi/client.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"

/* The frame of the clients that change jobs: who calls, what the command line says, one exchange
 * with the qmaster, its texts on the stream and with the exit status that users know. Nothing here
 * is thread safe. */
struct cell;
struct client {
    struct submitter by;
    struct job_command command;
    struct cell *cell;
    struct gdi *gdi;
    struct answer ans; /* what is to be said; emptied by the functions that print */
};

/* client_begin - who calls; returns 0, or the exit status after the reason was printed */
int client_begin(struct client *c, unsigned program, char *const *env);
/* client_end - frees C; the exit status: STATUS, unless what was printed could not be written
 * (output.h) */
int client_end(struct client *c, int status);

/* client_read - read the command line of a program other than qsub, with its -help and its usage
 * errors
 * Returns true to go on, or false with *status: all messages are printed. Needs operands or -u, or
 * for qmod actions. */
bool client_read(struct client *c, int argc, char *const *argv, int *status);

/* client_print_help - -help of the program on stdout */
void client_print_help(const struct client *c);

/* client_connect - to the qmaster, unless C is connected. Returns 0; -1 as client_call. */
int client_connect(struct client *c);
/* client_call - send GR to the qmaster, connecting first if need be
 *   fn, ctx  as gdi_call
 * Returns 0: its answer is in c->ans, agreed or not; -1: there was none, the detail has been
 * printed on stderr, and c->ans has the message that each command prints in its own manner, if
 * there is more to say. */
int client_call(struct client *c, struct GR_Type *gr, gdi_part_fn fn, void *ctx);

/* client_select - the operands and users of the command line into GR */
void client_select(const struct job_command *command, struct GR_Type *gr);
/* client_holds - -h of the command line into GR */
void client_holds(const struct job_command *command, struct GR_Type *gr);

/* client_change - the same for a request whose answer is texts alone: each is printed on stdout
 * when it comes, so that who deletes thousands sees it happen
 *
 *   status  of the last error, STATUS_OK if there was none
 *
 * Returns 0, or -1 if there was no whole answer. */
int client_change(struct client *c, struct GR_Type *gr, enum answer_status *status);

/* client_print - every entry of c->ans on OUT, a line each (on stderr what warns of names that mean
 * nothing); c->ans is empty afterwards
 * Returns the status of the last error, STATUS_OK if there is none. */
enum answer_status client_print(struct client *c, FILE *out);
/* client_print_errors - the same for its errors alone: the warnings of a command line that failed
 * are of no use */
enum answer_status client_print_errors(struct client *c, FILE *out);
/* client_print_warnings - what reading the command line found worth saying: stderr, but for what
 * users know from stdout */
void client_print_warnings(struct client *c);

/* submitted_print - the line that says a job's number: `Your job 5 ("x") has been submitted`, `Your
 * job-array 5.1-3:1 ("x") ...`, with
 * IS_TERSE `5` or `5.1-3:1`. Nearly every program that submits reads it. */
void submitted_print(FILE *out, const struct JB_Type *job, uint32_t number, bool is_terse);

/* alter_main - qalter, and qhold and qrls, which are qalter -h under other names: one GDI_MOD with
 * the fields that were named
 * Prints the qmaster's texts on stdout and returns the exit status: qalter's failures are 1, those
 * of qhold and qrls the number that the kind of failure has (answer.h). Source: submit(1),
 * qhold(1), qrls(1). */
int alter_main(unsigned program, int argc, char **argv);
/* delete_main - qdel and qrdel: one GDI_DEL of what was selected
 * Prints the qmaster's texts on stdout and returns the exit status: 1 if one of them is an error.
 * Source: qdel(1), qrdel(1). */
int delete_main(unsigned program, int argc, char **argv);

#endif
