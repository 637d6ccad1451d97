/* brackets N - seconds that a pattern of N words with brackets takes against a name that none of
 * them means, on average of TIMES. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { TIMES = 20 };

int main(int argc, char **argv)
{
    long n = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    struct dstr pattern = DSTR_INIT;
    if (n <= 0)
        return fprintf(stderr, "usage: brackets N\n"), 1;
    for (long i = 0; i < n; i++)
        dstr_addf(&pattern, "%s*[a-m][!%ld]*[xyz]_", i > 0 ? "|" : "", i % 10);
    double begin = now_s();
    for (int i = 0; i < TIMES; i++)
        if (pattern_match(dstr_get(&pattern), "node-abcdefghijklm-0123456789-xyz"))
            return fprintf(stderr, "brackets: it matches\n"), 1;
    printf("%.6f\n", (now_s() - begin) / TIMES);
    dstr_free(&pattern);
    return 0;
}
