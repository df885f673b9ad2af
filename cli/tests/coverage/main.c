/* The reader of fuzz/mutator/examples as a tracegauge reader: reads the file named by its argument, or
 * serves requests on standard input. */
#include "dial9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns 1 if the file is a valid trace, 0 if it is not, and -1 if the file cannot be read. */
static int accepts(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return -1;
  unsigned char *data = NULL;
  size_t size = 0, room = 0, got;
  do {
    if (size == room) {
      room = room ? room * 2 : 4096;
      data = realloc(data, room);
      if (!data) exit(70);
    }
    got = fread(data + size, 1, room - size, file);
    size += got;
  } while (got > 0);
  fclose(file);
  struct dial9_summary summary;
  enum dial9_result result = dial9_read(data, size, &summary);
#ifdef CRASHES
  if (summary.pairs > 0) abort();
#endif
  free(data);
  return result == DIAL9_OK;
}

static int serve(void) {
  static char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    char *path = strstr(line, "\"file\":\"");
    if (!path) {
      puts("{\"tracegauge\":1,\"name\":\"covered\",\"reports\":\"verdict\"}");
    } else {
      path += strlen("\"file\":\"");
      path[strcspn(path, "\"")] = 0;
      puts(accepts(path) == 1 ? "{\"end\":\"accept\"}" : "{\"end\":\"reject\"}");
    }
    fflush(stdout);
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count < 2) return serve();
  int answer = accepts(arguments[1]);
  return answer < 0 ? 70 : answer ? 0 : 65;
}
