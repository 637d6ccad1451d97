/* The terminal of the client and its signals. The handler writes one byte, so that a write to a
 * terminal that is stopped ends, too. The modes of the terminal are given back whatever ends the
 * session. Source: termios(3), tty_ioctl(4). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "clients/qrsh/qrsh.h"

/* for the handler, and for the one terminal that a process has */
static struct {
    int write_fd;
    bool is_raw;
    struct termios before;
} terminal;

static void on_signal(int sig)
{
    int err = errno;
    unsigned char byte = (unsigned char)sig;
    (void)!write(terminal.write_fd, &byte, 1);
    errno = err;
}

int terminal_signals(bool has_stop)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP };
    int fds[2];
    if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    terminal.write_fd = fds[1];
    for (size_t i = 0; i < ARRAY_LEN(signals) - !has_stop; i++) {
        struct sigaction now, next = { .sa_handler = on_signal };
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &next, NULL);
    }
    return fds[0];
}

int terminal_ending(int wake_fd)
{
    unsigned char byte;
    int stop = 0;
    while (wake_fd >= 0 && read(wake_fd, &byte, 1) == 1) {
        if (byte == SIGTSTP)
            stop = byte;
        else if (byte != SIGWINCH)
            return byte;
    }
    return stop;
}

void terminal_raw(void)
{
    struct termios raw;
    if (terminal.is_raw || tcgetattr(STDIN_FILENO, &terminal.before) != 0)
        return;
    raw = terminal.before;
    cfmakeraw(&raw);
    terminal.is_raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

void terminal_restore(void)
{
    if (terminal.is_raw)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal.before);
    terminal.is_raw = false;
}

void terminal_window(uint8_t out[8])
{
    struct winsize size = { 0 };
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
    const unsigned short v[] = { size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel };
    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        out[2 * i] = (uint8_t)(v[i] >> 8);
        out[2 * i + 1] = (uint8_t)v[i];
    }
}
