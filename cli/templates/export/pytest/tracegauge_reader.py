"""Calls your reader. You own this file: exporting again leaves it unchanged."""


class Rejection(Exception):
    """Raised if the reader rejects a trace."""


class Unsupported(Exception):
    """Raised if the reader does not support a feature. It does not mean that the trace is faulty."""


# Exceptions with which your reader rejects a trace. Any other exception is a crash, and the test
# fails.
REJECTIONS = (Rejection,)

# Members ("event.timestamp") and kinds of records ("stack") that your reader cannot report;
# "event.fields when empty" if it omits values that are empty, zero or false. Any other missing
# member is wrong.
OMITS = ()


def read(path):
    """Reads the trace at `path` and returns its records, or raises one of REJECTIONS.

    A record is a dict with its kind under "record". Its members have the names in the `.json` file
    next to each trace. Return None instead of a list if the reader cannot report records: only its
    verdicts are then tested.
    """
    # import my_reader; return [{"record": "event", "name": e.name, ...} for e in my_reader.parse(path)]
    raise NotImplementedError("call your reader in `read` of tracegauge_reader.py")
