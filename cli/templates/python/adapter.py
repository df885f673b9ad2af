"""The tracegauge adapter for @NAME@.

You only have to implement `read`. tracegauge.py implements the protocol.
"""

import tracegauge


def read(data, reporter):
    """Reads one trace. `data` is its bytes, and `reporter.format` is the name of its format."""
    # Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
    # records and members:
    #
    #     for event in my_reader.parse(data):
    #         reporter.record({"record": "event", "name": event.name})
    #
    # Return if your reader accepts the trace. If it rejects the trace, pass on its message:
    #
    #     raise tracegauge.Rejection(str(error))
    raise tracegauge.Rejection("this adapter does not call a reader yet: call yours in adapter.py")


tracegauge.run(name="@NAME@", version="0.1.0", read=read)
