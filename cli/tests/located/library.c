/* Built without symbols, so the stack frames of a crash in this file have no function names. */
#include <stdlib.h>

static __attribute__((noinline)) unsigned last(const unsigned char *copy, unsigned size)
{
    return copy[size];
}

unsigned checksum(const unsigned char *body, unsigned size)
{
    unsigned char *copy = malloc(4);
    for (unsigned at = 0; at < 4; at++)
        copy[at] = at < size ? body[at] : 0;
    unsigned sum = last(copy, size > 4 ? 4 : 0);
    free(copy);
    return sum;
}
