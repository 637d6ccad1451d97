#ifndef COMM_TCP_H
#define COMM_TCP_H

#include "common/basis.h"

/* TCP sockets over IPv4 and IPv6. libc alone. */

/* room for the text of any address with its port */
enum { TCP_ADDRESS_BYTES = 64 };

/* how long the other end may be silent before a connection counts as lost, unless the caller says
 * otherwise */
enum { TCP_SILENT_S = 60 };

/* tcp_listen - a new non-blocking listener at PORT of all addresses, IPv6 and IPv4; 0: any free
 * port
 * Returns the descriptor, or -1 with errno. */
int tcp_listen(uint16_t port);
/* tcp_port - the port that FD has */
uint16_t tcp_port(int fd);
struct tcp_address { /* of IPv6; IPv4 is ::ffff:a.b.c.d */
    uint8_t at[16];
};
/* tcp_accept - the next connection of the listener FD, non-blocking
 *
 *   from     of TCP_ADDRESS_BYTES; gets address and port as text
 *   address  gets the address
 *
 * Returns the descriptor, or -1 with errno. */
int tcp_accept(int fd, char *from, struct tcp_address *address);
/* tcp_network_of - what ADDRESS has in common with others of the same owner: its first 64 bits, or
 * all of it if it is IPv4, or of one link only */
struct tcp_address tcp_network_of(const struct tcp_address *address);
/* tcp_same_host - do two such texts have the same address, whatever the ports? */
bool tcp_same_host(const char *a, const char *b);
/* tcp_set_silence - FD fails with ETIMEDOUT when its other end has said nothing for SILENT_S
 * seconds, whether or not something is to be sent: a host that is dead or cut off is noticed. Small
 * writes leave at once. */
void tcp_set_silence(int fd, uint32_t silent_s);

/* tcp_set_patience - as tcp_set_silence for a connection whose other end may leave bytes unread for
 * as long as it likes; what is not acknowledged is then for tcp_is_silent
 * tcp_is_silent - has the other end of such an FD acknowledged nothing for SILENT_S seconds, though
 * something waits for that? Of an end that reads nothing it may take minutes until that is known,
 * since the system asks it ever more seldom. */
void tcp_set_patience(int fd, uint32_t silent_s);
bool tcp_is_silent(int fd, uint32_t silent_s);

struct sockaddr;
/* tcp_connect - a new non-blocking socket on its way to ADDRESS of LEN bytes. Returns the
 * descriptor, or -1 with errno. */
int tcp_connect(const struct sockaddr *address, size_t len);

/* A host and a port to connect to. Its addresses are asked for in a thread of its own, so that a
 * name service that hangs does not delay others. */
struct tcp_place;

/* tcp_place_new - HOST, a name or an address, is copied. Returns new: tcp_place_free. */
struct tcp_place *tcp_place_new(const char *host, uint16_t port);
/* tcp_place_free - a question under way is abandoned; NULL is fine */
void tcp_place_free(struct tcp_place *p);
/* tcp_place_connect - a new non-blocking socket on its way to the next of the addresses; after the
 * last of them they are asked for anew, since a host may come back with another
 * Returns the descriptor; or -1 with *WHY, borrowed until the next call, or NULL there while the
 * addresses are being asked for: call again. Never blocks. */
int tcp_place_connect(struct tcp_place *p, const char **why);

#endif
