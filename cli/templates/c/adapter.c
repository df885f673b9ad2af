/* The tracegauge adapter for @NAME@. You only have to implement `read_trace`. tracegauge.h
   implements the protocol. */

#include "tracegauge.h"

/* Reads one trace. `format` is the tracegauge name of its format. */
static int read_trace(const unsigned char *data, size_t size, const char *format) {
    /* Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
       records and members:

           tg_begin("event");
           tg_key("name"), tg_text(event.name, event.name_length);
           tg_key("timestamp"), tg_unsigned(event.timestamp);
           tg_end();

       If your reader accepts the trace, `return tg_accept();`. If it rejects the trace,
       `return tg_reject("the reader's own message", NULL, -1);` */
    (void)data, (void)size, (void)format;
    return tg_reject("this adapter does not call a reader yet: call yours in adapter.c", NULL, -1);
}

int main(int argc, char **argv) {
    return tg_run("@NAME@", "0.1.0", read_trace, argc, argv);
}
