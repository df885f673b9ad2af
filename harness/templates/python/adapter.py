"""Shows @NAME@ to tracegauge. `read` is all that is yours; tracegauge.py speaks the protocol."""

import tracegauge


def read(data, reporter):
    """Reads one trace: `data` is its bytes, `reporter.format` the name of its format."""
    # Call your reader here, and report each record that it read by the names that
    # `tracegauge spec docs ID` lists:
    #
    #     for event in my_reader.parse(data):
    #         reporter.record({"record": "event", "name": event.name})
    #
    # Return where it accepts the trace. Where it says no, say so in its own words:
    #
    #     raise tracegauge.Rejection(str(error))
    raise tracegauge.Rejection("no reader is called yet: call yours in adapter.py")


tracegauge.run(name="@NAME@", version="0.1.0", read=read)
