/*
 * A reader that tries to keep more than it may, or to leave something that is hard to remove. It
 * exits with 0 if it was stopped in time, and otherwise with 65.
 *
 * Usage: hoarder WAY LIMIT FILE. LIMIT is the number of megabytes that must not be exceeded.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MEGABYTE (1 << 20)

static char piece[MEGABYTE];
static int limit;

/* Writes megabytes to a file until the system refuses. Returns the number of megabytes written. */
static int fill(int fd, int most) {
    int written = 0;
    while (written < most && write(fd, piece, MEGABYTE) == MEGABYTE) written++;
    return written;
}

static int reserve(void) {
    int total = 0;
    for (int i = 0; i < 64; i++) {
        char name[16];
        sprintf(name, "f%d", i);
        int fd = open(name, O_CREAT | O_RDWR, 0600);
        if (fd < 0 || fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 64L * MEGABYTE)) break;
        total += 64;
    }
    return total;
}

static int unlinked(void) {
    int total = 0;
    for (int i = 0; i < 16; i++) {
        int fd = open("file", O_CREAT | O_RDWR, 0600);
        if (fd < 0) break;
        unlink("file");
        int written = fill(fd, 64);
        total += written;
        if (written < 64) break;
    }
    return total;
}

static int deep(void) {
    char name[201];
    memset(name, 'd', 200);
    name[200] = 0;
    for (int i = 0; i < 5000; i++) {
        if (mkdir(name, 0700) || chdir(name)) break;
    }
    /* The path of this file is far too long for it to be measured from outside. */
    int fd = open("file", O_CREAT | O_RDWR, 0600);
    return fd < 0 ? 0 : fill(fd, 200);
}

static int closed(void) {
    mkdir("a", 0700);
    mkdir("a/b", 0700);
    close(open("a/b/file", O_CREAT | O_RDWR, 0600));
    chmod("a/b", 0);
    chmod("a", 0);
    return 0;
}

static int many(void) {
    int made = 0;
    for (; made < 30000; made++) {
        char name[16];
        sprintf(name, "f%d", made);
        int fd = open(name, O_CREAT | O_RDWR, 0600);
        if (fd < 0) break;
        close(fd);
    }
    return made > 20000 ? limit + 1 : 0;
}

static int in_memory(void) {
    int total = 0;
    for (int i = 0; i < 64; i++) {
        int fd = syscall(SYS_memfd_create, "hoard", 0);
        if (fd < 0) break;
        int written = fill(fd, 64);
        total += written;
        if (written < 64) break;
    }
    return total;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    memset(piece, 1, sizeof piece);
    limit = atoi(words[2]);
    struct { const char *name; int (*way)(void); } ways[] = {
        {"reserve", reserve}, {"unlinked", unlinked}, {"deep", deep},
        {"closed", closed},   {"many", many},         {"memory", in_memory},
    };
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(ways[i].name, words[1])) continue;
        int kept = ways[i].way();
        fprintf(stderr, "kept %d\n", kept);
        return kept > limit ? 65 : 0;
    }
    return 2;
}
