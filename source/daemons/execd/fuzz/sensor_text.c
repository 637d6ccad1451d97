/* Whatever a load sensor prints, in whatever pieces: its memory stays within the limits, and what
 * counts as a value has a host and a name. */
#include <string.h>

#include "daemons/execd/host/sensor_text.h"
#include "libs/uti/assert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check_values(const struct sensor_values *l)
{
    ASSERT(l->n <= SENSOR_VALUES_MOST);
    for (uint32_t i = 0; i < l->n; i++) {
        ASSERT(strlen(l->v[i].host) - 1 < SENSOR_NAME_MOST);
        ASSERT(strlen(l->v[i].name) - 1 < SENSOR_NAME_MOST);
        ASSERT(strlen(l->v[i].value) <= SENSOR_LINE_MOST);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sensor_text t = { 0 };
    size_t piece = len > 0 ? data[0] % 64u + 1 : 1;
    for (size_t at = 0; at < len; at += piece) {
        (void)sensor_text_add(&t, (const char *)data + at, at + piece < len ? piece : len - at);
        ASSERT(t.line.len <= SENSOR_LINE_MOST + 1);
        check_values(&t.whole);
        check_values(&t.coming);
    }
    sensor_text_free(&t);
    return 0;
}
