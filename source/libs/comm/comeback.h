#ifndef COMM_COMEBACK_H
#define COMM_COMEBACK_H

/* Says when a unix socket has come to its path, so that nobody has to try again and again. */
struct comeback;
struct loop;

/* comeback_new - call CAME whenever a file of that name is made at PATH, or moved there
 *
 *   l, ctx  borrowed until comeback_free; CAME is called in the loop
 *   path    copied
 *
 * Who watches before it tries to connect misses nothing. Names beside PATH cost a read and a
 * comparison. Returns new: comeback_free; NULL where the kernel cannot tell (no directory, no
 * watches left): then only trying helps. */
struct comeback *comeback_new(struct loop *l, const char *path, void (*came)(void *ctx), void *ctx);
/* comeback_free - NULL is fine; not from within CAME */
void comeback_free(struct comeback *c);

#endif
