"""Your reader, as the tests call it. This file is yours: exporting again does not touch it."""

# How your reader says no. Narrow this down, or an oversight of its own counts as a rejection.
REJECTIONS = (Exception,)


def read(path):
    """Reads the trace at `path`; returns its records, or raises one of REJECTIONS.

    A record is a dict: `record` is its kind, and its members have the names that the `.json`
    beside each trace shows. Members may be left out. None instead of a list: it cannot tell
    what it read, and only its verdict is tested.
    """
    raise NotImplementedError("call your reader here")
