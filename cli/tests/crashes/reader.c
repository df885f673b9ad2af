/* A reader of the toy format with bugs. Its first argument selects the bug that a byte EE triggers.
   With a file argument it reads the file and exits; without one it serves requests. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static volatile int shared;
static void *volatile kept;

NOINLINE static int past_end(const unsigned char *bytes, long size)
{
    return bytes[size];
}

NOINLINE static void put(unsigned char *bytes, long at)
{
    bytes[at] = 1;
}

static void *count(void *unused)
{
    for (int i = 0; i < 1000; i++)
        shared++;
    return unused;
}

NOINLINE static void bug(const char *kind, unsigned char *bytes, long size)
{
    if (!strcmp(kind, "read"))
        shared = past_end(bytes, size);
    else if (!strcmp(kind, "write"))
        put(bytes, size);
    else if (!strcmp(kind, "null"))
        put(NULL, 16);
    else if (!strcmp(kind, "free"))
        free(bytes + 1);
    else if (!strcmp(kind, "undefined"))
        shared = (int)size + 0x7fffffff;
    else if (!strcmp(kind, "leak")) {
        kept = malloc(100);
        kept = NULL;
    } else if (!strcmp(kind, "race")) {
        pthread_t one, other;
        pthread_create(&one, NULL, count, NULL);
        pthread_create(&other, NULL, count, NULL);
        pthread_join(one, NULL);
        pthread_join(other, NULL);
    } else if (!strcmp(kind, "assert"))
        assert(size < 2);
    else if (!strcmp(kind, "abort"))
        abort();
}

/* Returns whether the trace is valid. */
static int check(const char *kind, const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        exit(70);
    unsigned char *bytes = malloc(4096);
    long size = (long)fread(bytes, 1, 4096, file);
    bytes = realloc(bytes, size + !size);
    fclose(file);
    int valid = size >= 4 && !memcmp(bytes, "TOY1", 4) && !memchr(bytes, 0xff, size);
    if (memchr(bytes, 0xee, size))
        bug(kind, bytes, size);
    free(bytes);
    return valid;
}

static int serve(const char *kind)
{
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        char *name = strstr(line, "\"file\":\"");
        if (!name) {
            puts("{\"tracegauge\":1,\"name\":\"toy\",\"reports\":\"verdict\"}");
        } else {
            name += 8;
            *strchr(name, '"') = 0;
            puts(check(kind, name) ? "{\"end\":\"accept\"}" : "{\"end\":\"reject\"}");
        }
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return serve(argv[1]);
    int valid = check(argv[1], argv[2]);
    puts(valid ? "{\"end\":\"accept\"}" : "{\"end\":\"reject\"}");
    return valid ? 0 : 65;
}
