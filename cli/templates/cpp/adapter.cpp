// The tracegauge adapter for @NAME@. You only have to implement `read_trace`. tracegauge.h
// implements the protocol.

#include "tracegauge.h"

// Reads one trace. `format` is the tracegauge name of its format.
static int read_trace(const unsigned char *data, std::size_t size, const char *format) {
    // Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
    // records and members:
    //
    //     try {
    //         for (const auto &event : my_reader::parse(data, size)) {
    //             tg_begin("event");
    //             tg_key("name"), tg_text(event.name.data(), event.name.size());
    //             tg_key("timestamp"), tg_unsigned(event.timestamp);
    //             tg_end();
    //         }
    //     } catch (const my_reader::error &error) {
    //         return tg_reject(error.what(), nullptr, -1);
    //     }
    //     return tg_accept();
    //
    // Catch only exceptions that mean that the trace is faulty. Any other exception is a crash.
    (void)data, (void)size, (void)format;
    return tg_reject("this adapter does not call a reader yet: call yours in adapter.cpp", nullptr, -1);
}

int main(int argc, char **argv) {
    return tg_run("@NAME@", "0.1.0", read_trace, argc, argv);
}
