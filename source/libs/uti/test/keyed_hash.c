/* The values that another implementation of SipHash-1-3 gives, at every kind of end; and keys. */
#include "libs/uti/hash.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void values_of_another_implementation(void **state)
{
    static const struct hash_key key = { UINT64_C(0x0706050403020100),
                                         UINT64_C(0x0f0e0d0c0b0a0908) };
    uint8_t bytes[15];
    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    assert_true(uti_keyed_hash(key, bytes, 0) == UINT64_C(0xabac0158050fc4dc));
    assert_true(uti_keyed_hash(key, bytes, 7) == UINT64_C(0xd3927d989bb11140));
    assert_true(uti_keyed_hash(key, bytes, 8) == UINT64_C(0x369095118d299a8e));
    assert_true(uti_keyed_hash(key, bytes, 15) == UINT64_C(0xd320d86d2a519956));
}

static void each_table_has_a_key_of_its_own(void **state)
{
    (void)state;
    struct hash_key one = hash_key_new(), two = hash_key_new();
    assert_true(uti_keyed_hash(one, "id", 2) != uti_keyed_hash(two, "id", 2));
    assert_true(uti_keyed_hash(one, "id", 2) == uti_keyed_hash(one, "id", 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_another_implementation),
        cmocka_unit_test(each_table_has_a_key_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
