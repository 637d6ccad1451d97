#ifndef SYSTEM_ATTACK_H
#define SYSTEM_ATTACK_H

#include "peer.h"

/* What attack.c has in its table. Each act has its arguments in ARGV, as many as the table says,
 * and returns an exit status: 0 when it was carried out, whatever the qmaster did about it. */
typedef int (*act_fn)(char *const *argv);

/* attack_number - an argument that must be a number; ends the program if it is none */
uint32_t attack_number(const char *text);
/* attack_hold - print "ready" and keep everything as it is until stdin ends */
void attack_hold(void);
/* attack_ask - one request on a connection of its own; prints `agreed`, `refused: TEXT` or `lost`
 * */
int attack_ask(const struct GR_Type *request);

/* attack_bytes.c: frames that no client would send */
int attack_count(char *const *argv);
int attack_fill(char *const *argv);
int attack_half(char *const *argv);
int attack_unsorted(char *const *argv);
int attack_kinds(char *const *argv);
int attack_garbage(char *const *argv);
int attack_idle(char *const *argv);
int attack_pipe(char *const *argv);

/* attack_requests.c: well-formed requests of a size or a shape that no client would send */
int attack_empty(char *const *argv);
int attack_words(char *const *argv);
int attack_pattern(char *const *argv);
int attack_queue_pattern(char *const *argv);
int attack_users(char *const *argv);
int attack_ranges(char *const *argv);
int attack_context(char *const *argv);
int attack_barrier(char *const *argv);
int attack_list(char *const *argv);
int attack_id(char *const *argv);
int attack_owner(char *const *argv);
int attack_script(char *const *argv);
int attack_strings(char *const *argv);
int attack_readers(char *const *argv);
int attack_leak(char *const *argv);
int attack_inject(char *const *argv);

/* attack_sessions.c: sessions that keep ends */
int attack_sessions(char *const *argv);
int attack_session_array(char *const *argv);
int attack_watch(char *const *argv);
int attack_take(char *const *argv);
int attack_session(char *const *argv);

/* attack_sockets.c: descriptors, bytes out of band, halves of connections */
int attack_linger(char *const *argv);
int attack_edges(char *const *argv);

#endif
