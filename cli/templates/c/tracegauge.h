/* The tracegauge reader protocol. With this header, an adapter is a single function. It requires
   C11 or C++11 and has no dependencies. Include it in only one file of your program.

   If the last argument is a path, the program reads that file (mode once). Without arguments, it
   answers requests on standard input (mode serve). If the reader crashes, the process must end, so
   that the harness detects the crash. Do not write anything else to standard output. */

#ifndef TRACEGAUGE_H
#define TRACEGAUGE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define TG_UNUSED __attribute__((unused))
#else
#define TG_UNUSED
#endif
#define TG_FUNCTION TG_UNUSED static

/* The function that an adapter provides. It reads the bytes of a trace, reports each record between
   tg_begin and tg_end, and returns the verdict. */
typedef int (*tg_reader)(const unsigned char *data, size_t size, const char *format);

/* Whether a comma is needed before the next value. */
static int tg_comma;

static void tg_die(int status, const char *why, const char *about) {
    fprintf(stderr, "%s: %s\n", why, about);
    exit(status);
}

/* The line being written. It is printed only when it is complete, so that a reader may stop in the
   middle of a record. */
static char *tg_line_text;
static size_t tg_line_size, tg_line_room;

TG_FUNCTION void tg_write(const void *bytes, size_t length) {
    if (tg_line_room - tg_line_size < length) {
        tg_line_room = 2 * tg_line_room + length + 256;
        tg_line_text = (char *)realloc(tg_line_text, tg_line_room);
        if (!tg_line_text) tg_die(71, "cannot allocate memory for", "a line");
    }
    memcpy(tg_line_text + tg_line_size, bytes, length);
    tg_line_size += length;
}

TG_FUNCTION void tg_put(char c) {
    tg_write(&c, 1);
}

TG_FUNCTION void tg_puts(const char *text) {
    tg_write(text, strlen(text));
}

/* Prints the line. */
TG_FUNCTION void tg_print(void) {
    tg_put('\n');
    if (fwrite(tg_line_text, 1, tg_line_size, stdout) != tg_line_size) tg_die(74, "cannot write", "a line");
    tg_line_size = 0;
    tg_comma = 0;
}

TG_FUNCTION void tg_before(void) {
    if (tg_comma) tg_put(',');
    tg_comma = 1;
}

/* Returns the length in bytes of the character at the start of `text`, or 0 if it is not UTF-8. */
TG_FUNCTION size_t tg_character(const unsigned char *text, size_t left) {
    unsigned char first = text[0];
    size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
    if (length == 0 || length > left) return 0;
    for (size_t at = 1; at < length; at++)
        if ((text[at] & 0xc0) != 0x80) return 0;
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f)) return 0;
    if ((first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f)) return 0;
    return length;
}

/* Writes a quoted text. Parts that are not UTF-8 are replaced, because bytes are not allowed. */
TG_FUNCTION void tg_quoted(const char *text, size_t length) {
    const unsigned char *raw = (const unsigned char *)text;
    char code[8];
    tg_put('"');
    for (size_t at = 0, step; at < length; at += step ? step : 1) {
        unsigned char c = raw[at];
        step = tg_character(raw + at, length - at);
        if (step == 0) tg_puts("\\ufffd");
        else if (c == '"' || c == '\\') tg_put('\\'), tg_put((char)c);
        else if (c < 0x20 || c == 0x7f) snprintf(code, sizeof code, "\\u%04x", c), tg_puts(code);
        else tg_write(raw + at, step);
    }
    tg_put('"');
}

/* Begins a record of this kind. */
TG_FUNCTION void tg_begin(const char *kind) {
    tg_comma = 1;
    tg_puts("{\"record\":");
    tg_quoted(kind, strlen(kind));
}

/* Ends the record. If the reader stops before a record is ended, the record is not reported. */
TG_FUNCTION void tg_end(void) {
    tg_put('}');
    tg_print();
}

/* Writes the name of a member, which has `length` bytes. Its value must follow. */
TG_FUNCTION void tg_key_of(const char *name, size_t length) {
    tg_before();
    tg_quoted(name, length);
    tg_put(':');
    tg_comma = 0;
}

/* Writes the name of a member. Its value must follow. */
TG_FUNCTION void tg_key(const char *name) {
    tg_key_of(name, strlen(name));
}

/* Opens a list '[' or a structure '{'. Maps and fields that the file defines must be lists of lists
   of a name and a value. */
TG_FUNCTION void tg_open(char bracket) {
    tg_before();
    tg_put(bracket);
    tg_comma = 0;
}

/* Closes a list ']' or a structure '}'. */
TG_FUNCTION void tg_close(char bracket) {
    tg_put(bracket);
    tg_comma = 1;
}

TG_FUNCTION void tg_unsigned(uint64_t value) {
    char digits[24];
    tg_before();
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    tg_puts(digits);
}

TG_FUNCTION void tg_signed(int64_t value) {
    char digits[24];
    tg_before();
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    tg_puts(digits);
}

TG_FUNCTION void tg_bool(int value) {
    tg_before();
    tg_puts(value ? "true" : "false");
}

TG_FUNCTION void tg_null(void) {
    tg_before();
    tg_puts("null");
}

/* Writes a double or a float, which a double represents exactly. */
TG_FUNCTION void tg_float(double value) {
    char text[40];
    int digits = 15;
    tg_before();
    if (isnan(value)) tg_puts("\"NaN\"");
    else if (isinf(value)) tg_puts(value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else if (value == 0) tg_puts(signbit(value) ? "-0.0" : "0.0");
    else {
        do snprintf(text, sizeof text, "%.*g", digits, value);
        while (strtod(text, NULL) != value && ++digits <= 17);
        /* Some locales use a decimal comma, for strtod too. */
        for (char *at = text; *at; at++)
            if (*at == ',') *at = '.';
        tg_puts(text);
    }
}

/* Writes JSON embedded in the trace, as the raw text of one value. */
TG_FUNCTION void tg_json(const char *text, size_t length) {
    tg_before();
    /* Line ends can occur only between tokens, so they can be replaced by spaces. */
    for (size_t at = 0; at < length; at++)
        tg_put(text[at] == '\n' || text[at] == '\r' ? ' ' : text[at]);
}

TG_FUNCTION void tg_bytes(const void *bytes, size_t length) {
    static const char hex[] = "0123456789abcdef";
    const unsigned char *raw = (const unsigned char *)bytes;
    tg_before();
    tg_puts("{\"hex\":\"");
    for (size_t at = 0; at < length; at++) tg_put(hex[raw[at] >> 4]), tg_put(hex[raw[at] & 15]);
    tg_puts("\"}");
}

/* Writes text in UTF-8. Text that is not well-formed is written as its bytes. */
TG_FUNCTION void tg_text(const void *text, size_t length) {
    const unsigned char *raw = (const unsigned char *)text;
    for (size_t at = 0, step; at < length; at += step) {
        step = tg_character(raw + at, length - at);
        if (step == 0) {
            tg_bytes(text, length);
            return;
        }
    }
    tg_before();
    tg_quoted((const char *)text, length);
}

/* Writes text in a place where the protocol does not allow bytes, such as a reason. */
TG_FUNCTION void tg_words(const char *text, size_t length) {
    tg_before();
    tg_quoted(text, length);
}

static int tg_closed(int status) {
    tg_put('}');
    tg_print();
    /* The harness waits for this line. */
    fflush(stdout);
    return status;
}

/* Begins a closing line. A record that has not been ended is dropped. */
TG_FUNCTION void tg_closing(const char *start) {
    tg_line_size = 0;
    tg_puts(start);
}

/* Accepts the trace. */
TG_FUNCTION int tg_accept(void) {
    tg_closing("{\"end\":\"accept\"");
    return tg_closed(0);
}

/* Rejects the trace, with a reason of `length` bytes in the reader's own words. `kind` is
   "malformed", "incomplete", "unsupported" or NULL. `offset` is the offset of the fault or -1. */
TG_FUNCTION int tg_reject_of(const char *why, size_t length, const char *kind, long long offset) {
    tg_closing("{\"end\":\"reject\"");
    tg_comma = 1;
    tg_key("why"), tg_words(why, length);
    if (kind) tg_key("class"), tg_words(kind, strlen(kind));
    if (offset >= 0) tg_key("offset"), tg_signed(offset);
    return tg_closed(65);
}

/* Rejects the trace, with a reason that ends with a NUL. */
TG_FUNCTION int tg_reject(const char *why, const char *kind, long long offset) {
    return tg_reject_of(why, strlen(why), kind, offset);
}

/* Reports that the reader does not support a feature. It does not mean that the trace is faulty. */
TG_FUNCTION int tg_unsupported(const char *feature) {
    tg_closing("{\"end\":\"unsupported\"");
    tg_comma = 1;
    tg_key("feature"), tg_words(feature, strlen(feature));
    return tg_closed(69);
}

/* Reads one case and returns the exit status for mode `once`. */
static int tg_case(const char *path, const char *format, tg_reader read) {
    FILE *file = fopen(path, "rb");
    unsigned char *data = NULL;
    size_t size = 0, room = 0, got;
    if (!file) tg_die(66, "cannot open", path);
    do {
        if (size == room) {
            room = room ? 2 * room : 4096;
            data = (unsigned char *)realloc(data, room);
            if (!data) tg_die(71, "cannot allocate memory for", path);
        }
        got = fread(data + size, 1, room - size, file);
        size += got;
    } while (got > 0);
    if (ferror(file)) tg_die(66, "cannot read", path);
    fclose(file);
    /* Shrinks the buffer to the size of the trace, so that sanitizers detect reads past its end. */
    unsigned char *exact = (unsigned char *)realloc(data, size ? size : 1);
    int status = read(exact ? exact : data, size, format);
    free(exact ? exact : data);
    return status;
}

static unsigned tg_hex4(const char *digits) {
    char text[5] = {0};
    strncpy(text, digits, 4);
    return (unsigned)strtoul(text, NULL, 16);
}

/* Decodes the escape sequence after `\u` and writes the character as UTF-8. */
static char *tg_unescape(const char **at, char *out) {
    unsigned long code = tg_hex4(*at);
    *at += 4;
    if (code >= 0xd800 && code < 0xdc00 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        code = 0x10000 + ((code - 0xd800) << 10) + (tg_hex4(*at + 2) - 0xdc00);
        *at += 6;
    }
    if (code < 0x80) *out++ = (char)code;
    else if (code < 0x800) *out++ = (char)(0xc0 | code >> 6);
    else if (code < 0x10000) *out++ = (char)(0xe0 | code >> 12);
    else *out++ = (char)(0xf0 | code >> 18), *out++ = (char)(0x80 | (code >> 12 & 63));
    if (code >= 0x800) *out++ = (char)(0x80 | (code >> 6 & 63));
    if (code >= 0x80) *out++ = (char)(0x80 | (code & 63));
    return out;
}

/* Parses a text that starts at its quote into `out`. Returns the position after it. */
static const char *tg_string(const char *at, char *out) {
    static const char from[] = "ntrbf", to[] = "\n\t\r\b\f";
    const char *known;
    for (at++; *at && *at != '"'; ) {
        if (*at != '\\') *out++ = *at++;
        else if (at[1] == 'u' && strlen(at) >= 6) at += 2, out = tg_unescape(&at, out);
        else if (!at[1]) break;
        else {
            known = strchr(from, at[1]);
            *out++ = known ? to[known - from] : at[1];
            at += 2;
        }
    }
    *out = 0;
    return *at ? at + 1 : at;
}

/* Copies the string value of a member of a request to `out`, which has room
   for the whole line. */
static int tg_find(const char *line, const char *member, char *out) {
    int is_value = 0, is_meant = 0;
    while (*line) {
        if (*line == '"') {
            line = tg_string(line, out);
            if (is_value && is_meant) return 1;
            is_meant = !is_value && strcmp(out, member) == 0;
        } else {
            if (*line == ':') is_value = 1;
            if (*line == ',') is_value = is_meant = 0;
            line++;
        }
    }
    return 0;
}

/* Returns the next line of standard input without its line end, or NULL if there is none. */
static const char *tg_line(char **line, size_t *room) {
    size_t length = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (length + 2 > *room) {
            *room = *room ? 2 * *room : 1024;
            *line = (char *)realloc(*line, *room);
            if (!*line) tg_die(71, "cannot allocate memory for", "a request");
        }
        (*line)[length++] = (char)c;
    }
    if (c == EOF && length == 0) return NULL;
    if (length == 0) return "";
    (*line)[length] = 0;
    return *line;
}

/* Runs the adapter. Return its result from main. */
TG_FUNCTION int tg_run(const char *name, const char *version, tg_reader read, int argc, char **argv) {
    char *line = NULL;
    const char *request;
    size_t room = 0;
    if (argc > 1 && (!strcmp(argv[argc - 1], "--help") || !strcmp(argv[argc - 1], "-h"))) {
        printf("usage: %s [TRACE]; without TRACE, answers requests on standard input\n", name);
        return 0;
    }
    if (argc > 1) {
        const char *format = getenv("TRACEGAUGE_FORMAT");
        return tg_case(argv[argc - 1], format ? format : "", read);
    }
    while ((request = tg_line(&line, &room))) {
        size_t length = strlen(request) + 1;
        char *file = (char *)malloc(length), *format = (char *)malloc(length);
        if (!file || !format) tg_die(71, "cannot allocate memory for", "a request");
        if (tg_find(request, "file", file)) {
            if (!tg_find(request, "format", format)) *format = 0;
            tg_case(file, format, read);
        } else if (strstr(request, "\"hello\"")) {
            tg_closing("{\"tracegauge\":1");
            tg_comma = 1;
            tg_key("name"), tg_words(name, strlen(name));
            tg_key("version"), tg_words(version, strlen(version));
            tg_key("reports"), tg_words("records", 7);
            tg_closed(0);
        } else if (*request) {
            tg_die(76, "not a request", request);
        }
        free(file);
        free(format);
    }
    free(line);
    return 0;
}

#endif
