/* Reports the values of a case of values.json through the kit. Compiles as C and as C++. */

#include "tracegauge.h"

static const unsigned char *at;

static const unsigned char *take(size_t size) {
    at += size;
    return at - size;
}

static int32_t number(void) {
    const unsigned char *raw = take(4);
    return (int32_t)((uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24);
}

static const char *words(size_t *length) {
    int32_t units = number();
    take(units > 0 ? 2 * (size_t)units : 0);
    *length = (size_t)number();
    return (const char *)take(*length);
}

static void integer(void) {
    char digits[40];
    size_t length;
    const char *text = words(&length);
    memcpy(digits, text, length);
    digits[length] = 0;
    if (length > 20 || (length == 20 && strcmp(digits, "18446744073709551615") > 0 && *digits != '-'))
        tg_json(digits, length); /* C has no integer type for it */
    else if (*digits == '-') tg_signed(strtoll(digits, NULL, 10));
    else tg_unsigned(strtoull(digits, NULL, 10));
}

static void value(void) {
    size_t length;
    const char *text;
    unsigned char tag = *take(1);
    if (tag == 'n') tg_null();
    else if (tag == 'T' || tag == 'F') tg_bool(tag == 'T');
    else if (tag == 'i') integer();
    else if (tag == 'd') {
        double wide;
        memcpy(&wide, take(8), 8);
        tg_float(wide);
    } else if (tag == 'g') {
        float narrow;
        memcpy(&narrow, take(4), 4);
        tg_float(narrow);
    } else if (tag == 's' || tag == 'G') text = words(&length), tg_text(text, length);
    else if (tag == 'b') length = (size_t)number(), tg_bytes(take(length), length);
    else if (tag == 'P' || tag == 'V') { /* C has only one type for each value */
        tg_open('[');
        value();
        if (tag == 'P') value();
        tg_close(']');
    } else if (tag == '[' || tag == '{') {
        int32_t left = number();
        tg_open((char)tag);
        for (; left > 0; left--) {
            if (tag == '{') text = words(&length), tg_key_of(text, length);
            value();
        }
        tg_close(tag == '[' ? ']' : '}');
    } else if (tag == 'J') text = words(&length), tg_json(text, length);
    else {
        int32_t depth = number();
        for (int32_t done = 0; done < depth; done++) tg_open('[');
        for (int32_t done = 0; done < depth; done++) tg_close(']');
    }
}

static int read_trace(const unsigned char *data, size_t size, const char *format) {
    (void)format;
    at = data;
    while (at < data + size) {
        size_t length, of_kind;
        const char *text, *kind;
        char class_name[16] = {0};
        unsigned char tag = *take(1);
        if (tag == 'R') {
            tg_begin("row");
            for (int32_t left = number(); left > 0; left--) {
                text = words(&length), tg_key_of(text, length);
                value();
            }
            tg_end();
        } else if (tag == 'H') {
            tg_begin("row");
            tg_key("a"), tg_open('['), tg_text("half", 4);
        } else if (tag == 'X') {
            text = words(&length), kind = words(&of_kind);
            memcpy(class_name, kind, of_kind);
            return tg_reject_of(text, length, of_kind ? class_name : NULL, number());
        } else if (tag == 'U') {
            char feature[64] = {0};
            text = words(&length);
            memcpy(feature, text, length);
            return tg_unsupported(feature);
        }
    }
    return tg_accept();
}

int main(int argc, char **argv) {
    return tg_run("replay", "1.0.0", read_trace, argc, argv);
}
