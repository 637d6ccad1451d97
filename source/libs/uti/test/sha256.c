/* Digests of FIPS 180-4 and of lengths around the end of a block. */
#include "libs/uti/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void assert_digest(const char *text, const char *wanted)
{
    char out[SHA256_TEXT_BYTES];
    sha256_text(text, strlen(text), out);
    assert_string_equal(out, wanted);
    assert_true(sha256_text_is(out));
}

static void known_texts_have_the_known_digests(void **state)
{
    (void)state;
    assert_digest("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_digest("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* one byte less than leaves room for the length, and a whole block and more */
static void lengths_around_a_block_are_padded_right(void **state)
{
    (void)state;
    char text[120];
    memset(text, 'a', sizeof text);
    text[55] = '\0';
    assert_digest(text, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    text[55] = 'a';
    text[64] = '\0';
    assert_digest(text, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

static void other_texts_are_no_digests(void **state)
{
    (void)state;
    assert_false(sha256_text_is(NULL));
    assert_false(sha256_text_is("e3b0"));
    assert_false(
        sha256_text_is("E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts_have_the_known_digests),
        cmocka_unit_test(lengths_around_a_block_are_padded_right),
        cmocka_unit_test(other_texts_are_no_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
