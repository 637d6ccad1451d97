/* Writes, when the room is built, the file that says which id our tables have: the id is the same
 * for as long as the program is, and computing it was a third of all that a qsub did. */
#include <inttypes.h>
#include <stdio.h>

#include "libs/gdi/message.h"

int main(void)
{
    printf("#include \"libs/gdi/message.h\"\n\n"
           "uint64_t gdi_schema_id(void)\n{\n    return UINT64_C(0x%016" PRIx64 ");\n}\n",
           cull_schema_id(gdi_schema()));
    return 0;
}
