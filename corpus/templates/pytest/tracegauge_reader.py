"""Your reader, as the tests call it. This file is yours: exporting again leaves it as it is."""


class Rejection(Exception):
    """The reader says no."""


class Unsupported(Exception):
    """The reader does not read this feature, which is not to say that it is wrong."""


# How your reader says no: its own exceptions belong here. Anything else that it raises is a crash,
# and the test fails.
REJECTIONS = (Rejection,)

# Members ("event.timestamp") and kinds of records ("stack") that your reader has no way to report;
# "event.fields when empty" where it leaves out what is empty, zero or false. What else is missing is wrong.
OMITS = ()


def read(path):
    """Reads the trace at `path`; returns its records, or raises one of REJECTIONS.

    A record is a dict: "record" is its kind, and its members have the names that stand in the
    `.json` beside each trace. None instead of records: the reader cannot tell what it read, and
    only its verdict is tested.
    """
    # import my_reader; return [{"record": "event", "name": e.name, ...} for e in my_reader.parse(path)]
    raise NotImplementedError("call your reader in `read` of tracegauge_reader.py")
