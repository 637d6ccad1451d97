/* Which bytes are characters. One place, for XML, JSON and what is shown on terminals. Source: RFC
 * 3629, table 3-7 of Unicode. */
#include "libs/uti/utf8.h"

#include "libs/uti/dstr.h"

/* how many bytes a character of several has, as its FIRST one says; 0 if none begins with that */
static size_t announced_bytes(unsigned char first)
{
    return first >= 0xC2 && first <= 0xDF   ? 2
           : (first & 0xF0) == 0xE0         ? 3
           : first >= 0xF0 && first <= 0xF4 ? 4
                                            : 0;
}

/* the second byte shows spellings that could be shorter, surrogates and what lies above U+10FFFF */
static bool second_suits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second <= 0x9F;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second <= 0x8F;
    default:
        return true;
    }
}

size_t utf8_bytes(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    size_t len = announced_bytes(s[0]);
    for (size_t i = 1; i < len; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return len > 0 && second_suits(s[0], s[1]) ? len : 0;
}

bool utf8_is_valid(const char *text)
{
    for (size_t len; *text != '\0'; text += len) {
        len = utf8_bytes(text);
        if (len == 0)
            return false;
    }
    return true;
}

void utf8_add_valid(struct dstr *out, const char *text)
{
    for (size_t len; *text != '\0'; text += len > 0 ? len : 1) {
        len = utf8_bytes(text);
        dstr_addn(out, len > 0 ? text : "?", len > 0 ? len : 1);
    }
}
