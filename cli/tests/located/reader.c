/* A reader of the parts format with four bugs: one overflow in each of two functions, one in a function
   with two callers, and one in library.c. Each needs a part of its kind with more than four bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

unsigned checksum(const unsigned char *body, unsigned size);

static volatile unsigned seen;

NOINLINE static void read_name(const unsigned char *body, unsigned size)
{
    char *name = malloc(4);
    for (unsigned at = 0; at < size; at++)
        name[at] = body[at];
    seen = name[0];
    free(name);
}

NOINLINE static void read_value(const unsigned char *body, unsigned size)
{
    char *value = malloc(4);
    for (unsigned at = 0; at < size; at++)
        value[at] = body[at];
    seen = value[0];
    free(value);
}

NOINLINE static unsigned after(const unsigned char *copy, unsigned size)
{
    return copy[size];
}

NOINLINE static void read_first(const unsigned char *body, unsigned size)
{
    unsigned char *copy = malloc(4);
    memcpy(copy, body, 4);
    seen = after(copy, size) + 1;
    free(copy);
}

NOINLINE static void read_second(const unsigned char *body, unsigned size)
{
    unsigned char *copy = malloc(4);
    memcpy(copy, body, 4);
    seen = after(copy, size) + 2;
    free(copy);
}

NOINLINE static void part(unsigned kind, const unsigned char *body, unsigned size)
{
    if (size <= 4)
        return;
    switch (kind % 16) {
    case 1: read_name(body, size); break;
    case 3: read_value(body, size); break;
    case 5: read_first(body, 4); break;
    case 7: read_second(body, 4); break;
    case 9: seen = checksum(body, size); break;
    }
}

/* Returns whether the trace is valid. */
static int parts(const unsigned char *bytes, size_t size)
{
    if (size < 4 || memcmp(bytes, "PRT1", 4))
        return 0;
    for (size_t at = 4; at < size; at += 2 + bytes[at + 1]) {
        if (size - at < 2 || size - at - 2 < bytes[at + 1])
            return 0;
        part(bytes[at], bytes + at + 2, bytes[at + 1]);
        printf("{\"record\":\"part\",\"kind\":%u}\n", bytes[at]);
    }
    return 1;
}

int main(int argc, char **argv)
{
    FILE *file = fopen(argv[argc - 1], "rb");
    unsigned char *bytes = malloc(1 << 20);
    size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    int valid = parts(bytes, size);
    puts(valid ? "{\"end\":\"accept\"}" : "{\"end\":\"reject\"}");
    free(bytes);
    return valid ? 0 : 65;
}
