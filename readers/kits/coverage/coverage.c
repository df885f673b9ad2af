/* Reports to `tracegauge fuzz --coverage` which edges of a reader a trace reaches.
 *
 * Link this file into a reader that is built with SanitizerCoverage's trace-pc-guard:
 *
 *   clang -g -fsanitize-coverage=edge,trace-pc-guard,pc-table reader.c coverage.c -o reader
 *
 * It requires only the C library of a system with mmap. If TRACEGAUGE_COVERAGE is not set or does
 * not name a file created by tracegauge, nothing is written. The file is mapped into memory, so
 * that edges reached before a crash are recorded, and nothing has to be flushed with an answer.
 *
 * The layout of the file, with numbers in the byte order of the machine:
 *
 *   0   8 bytes   "tg-cover"
 *   8   32 bits   the version of this layout, 1
 *   12  32 bits   the number of edges that the file has room for, a multiple of 8
 *   16  32 bits   the number of the program's edges, or 0 before it has started
 *   20  44 bytes  zero
 *   64            one byte per edge, as far as there is room: 1 if it was reached
 *   64 + room     64 bits per edge, as far as there is room: its address in the program's file,
 *                 or 0 if the address is unknown
 *
 * tracegauge creates the file at its full size and clears the bytes of edges before each trace. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#endif

/* Prevents instrumentation, because this file may be built with the same options as the reader. */
#if defined(__clang__)
#define NOT_COUNTED __attribute__((no_sanitize("coverage")))
#else
#define NOT_COUNTED
#endif

#define HEADER 64

/* The marks of the program's edges, or NULL if coverage is not requested. */
static unsigned char *edges;
static uint64_t *places;
static uint32_t *announced;
static uint32_t room;
/* The number of edges that have been assigned a number, starting with 1, and the index of the
 * next edge whose address is to be recorded. */
static uint32_t numbered;
static uint32_t placed;

NOT_COUNTED static void open_file(void) {
  static int tried;
  if (tried) return;
  tried = 1;
  const char *name = getenv("TRACEGAUGE_COVERAGE");
  if (!name || !*name) return;
  int file = open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  struct stat known;
  unsigned char header[HEADER];
  uint32_t numbers[2];
  if (fstat(file, &known) == 0 && pread(file, header, HEADER, 0) == HEADER &&
      memcmp(header, "tg-cover", 8) == 0) {
    memcpy(numbers, header + 8, sizeof numbers);
    uint64_t size = HEADER + 9 * (uint64_t)numbers[1];
    if (numbers[0] == 1 && numbers[1] % 8 == 0 && (uint64_t)known.st_size == size) {
      void *mapped = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (mapped != MAP_FAILED) {
        room = numbers[1];
        edges = (unsigned char *)mapped + HEADER;
        places = (uint64_t *)(edges + room);
        announced = (uint32_t *)((unsigned char *)mapped + 16);
        *announced = 0;
      }
    }
  }
  close(file);
}

/* This function is called when a module of the program is loaded, possibly more than once per
 * module. */
NOT_COUNTED void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  open_file();
  if (!edges || start == stop || *start) return;
  placed = numbered;
  for (uint32_t *guard = start; guard < stop; guard++) *guard = ++numbered;
  *announced = numbered;
}

/* This function is called at each edge. Guards have no number if coverage is not requested. */
NOT_COUNTED void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  uint32_t number = *guard;
  if (number && number <= room) edges[number - 1] = 1;
}

#ifdef __linux__
/* The start and end addresses of the loaded program file. */
struct program {
  uintptr_t base;
  uintptr_t end;
};

NOT_COUNTED static int first_module(struct dl_phdr_info *module, size_t size, void *out) {
  struct program *program = out;
  (void)size;
  program->base = module->dlpi_addr;
  for (int i = 0; i < module->dlpi_phnum; i++) {
    uintptr_t end = module->dlpi_addr + module->dlpi_phdr[i].p_vaddr + module->dlpi_phdr[i].p_memsz;
    if (module->dlpi_phdr[i].p_type == PT_LOAD && end > program->end) program->end = end;
  }
  return 1;
}
#endif

/* Called after the function for guards, with an address and flags for each guard. */
NOT_COUNTED void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
#ifdef __linux__
  struct program program = {0, 0};
  if (!edges) return;
  dl_iterate_phdr(first_module, &program);
  for (const uintptr_t *pair = start; pair < stop && placed < numbered; pair += 2, placed++)
    if (placed < room && pair[0] >= program.base && pair[0] < program.end)
      places[placed] = pair[0] - program.base;
#else
  (void)start;
  (void)stop;
#endif
}
