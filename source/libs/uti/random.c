/* Random bytes: up to 256 come whole, whatever signals do (getrandom(2)). */
#include "libs/uti/random.h"

#include <errno.h>
#include <sys/random.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/msg_uti.h"

enum { WHOLE_BYTES = 256 };

int random_bytes(void *out, size_t n, struct answer *ans)
{
    if (getrandom(out, n, 0) == (ssize_t)n)
        return 0;
    return ans_sys(ans, errno, MSG_NO_RANDOM);
}

int random_text(struct dstr *out, size_t n, struct answer *ans)
{
    uint8_t bytes[WHOLE_BYTES];
    if (random_bytes(bytes, n, ans) != 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        dstr_addc(out, "0123456789abcdef"[bytes[i] >> 4]);
        dstr_addc(out, "0123456789abcdef"[bytes[i] & 15]);
    }
    return 0;
}
