/* The C library's name for reading a clock, for small programs that read one a few times in their
 * lives: a system call. What the C library does instead, in memory that the kernel shares with all
 * processes, touches three pages before it has read anything. No state. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* where seconds once had 32 bits, the call with those of today has a number of its own */
#ifdef SYS_clock_gettime64
enum { CLOCK_GETTIME = SYS_clock_gettime64 };
#else
enum { CLOCK_GETTIME = SYS_clock_gettime };
#endif

int clock_gettime(clockid_t clock, struct timespec *now)
{
    return (int)syscall(CLOCK_GETTIME, clock, now);
}
