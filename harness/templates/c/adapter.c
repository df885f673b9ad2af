/* Shows @NAME@ to tracegauge. `read_trace` is all that is yours; tracegauge.h speaks the
   protocol. */

#include "tracegauge.h"

/* Reads one trace; `format` is its name in tracegauge. */
static int read_trace(const unsigned char *data, size_t size, const char *format) {
    /* Call your reader here, and report each record that it read by the names that
       `tracegauge spec docs ID` lists:

           tg_begin("event");
           tg_key("name"), tg_text(event.name, event.name_length);
           tg_key("timestamp"), tg_unsigned(event.timestamp);
           tg_end();

       Where it accepts the trace, `return tg_accept();`. Where it says no,
       `return tg_reject("in its own words", NULL, -1);` */
    (void)data, (void)size, (void)format;
    return tg_reject("no reader is called yet: call yours in adapter.c", NULL, -1);
}

int main(int argc, char **argv) {
    return tg_run("@NAME@", "0.1.0", read_trace, argc, argv);
}
