"""Tests the readers of NetPerf and NetTrace 4 on files written by the .NET runtime. These are
third-party files and not part of this repository. TRACEGAUGE_REAL names their folder."""

import collections
import io
import os
import pathlib
import unittest
import zipfile

from support import answer

import netperf
import nettrace4

REAL = os.environ.get("TRACEGAUGE_REAL")


@unittest.skipUnless(REAL, "TRACEGAUGE_REAL is not set")
class RealFiles(unittest.TestCase):
    def records(self, read, path):
        data = (pathlib.Path(REAL) / path).read_bytes()
        if path.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                data = archive.read(archive.namelist()[0])
        records, closing = answer(read, data)
        self.assertEqual(closing, {"end": "accept"})
        kinds = collections.defaultdict(list)
        for record in records:
            kinds[record["record"]].append(record)
        return kinds

    def counted(self, kinds):
        return {kind: len(records) for kind, records in kinds.items()}

    def test_netperf_2(self):
        kinds = self.records(netperf.read, "netperf/eventpipe-dotnetcore2.0-linux-objver2.netperf.zip")
        self.assertEqual(self.counted(kinds), {"trace": 1, "metadata": 35, "event": 272332})
        events = kinds["event"]
        self.assertEqual(len({event["thread_id"] for event in events}), 19)
        self.assertEqual(sum(event["stack"] != [] for event in events), 212816)
        providers = collections.Counter(event["provider"] for event in events)
        self.assertEqual(providers["Microsoft-DotNETCore-SampleProfiler"], 163801)
        self.assertEqual(providers["System.Threading.Tasks.TplEventSource"], 545)
        self.assertEqual(providers["TestEventSource"], 56)
        # The first AllocationTick, at 27.4818 ms.
        trace = kinds["trace"][0]
        self.assertEqual((events[0]["timestamp"] - trace["sync_time_ticks"]) // 100, 274818)
        names = collections.Counter(event.get("name") for event in events)
        self.assertEqual((names["RequestStart"], names["RequestStop"]), (28, 28))

    def test_netperf_3(self):
        kinds = self.records(netperf.read, "netperf/eventpipe-dotnetcore2.1-linux-x64-objver3.netperf")
        self.assertEqual(self.counted(kinds), {"trace": 1, "metadata": 9, "event": 26146})
        trace = kinds["trace"][0]
        self.assertEqual((trace["pointer_size"], trace["process_id"]), (8, 80749))

    def test_nested_objects(self):
        kinds = self.records(netperf.read, "netperf/eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf")
        self.assertEqual(self.counted(kinds), {"trace": 1, "metadata": 8, "event": 12})
        fields = {event["name"]: event["fields"] for event in kinds["event"]}
        self.assertEqual(fields["TestEventMethod"], [["i", 1], ["s", "Hello World!"]])
        self.assertEqual(fields["TestEvent"], [["", [["field1", "Hello"], ["field2", 3], ["field3", 6]]]])
        self.assertEqual(fields["TestNestedStructs"], [["", [["structVal", [["field17", "hello world!"]]], ["i", 42]]]])

    def test_nettrace_4(self):
        kinds = self.records(nettrace4.read, "nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace")
        self.assertEqual(self.counted(kinds), {"trace": 1, "metadata": 39, "event": 105540, "sequence_point": 18})
        events = kinds["event"]
        self.assertEqual(len({event["thread_id"] for event in events}), 17)
        self.assertEqual(sum(event["is_sorted"] for event in events), 173)
        providers = collections.Counter(event["provider"] for event in events)
        self.assertEqual(providers["Microsoft-DotNETCore-SampleProfiler"], 35161)
        self.steady(events)

    def test_nettrace_4_of_linux(self):
        kinds = self.records(nettrace4.read, "nettrace/only_managed_samples.nettrace")
        self.assertEqual(self.counted(kinds), {"trace": 1, "metadata": 18, "event": 37603, "sequence_point": 6})
        self.steady(kinds["event"])

    def test_nettrace_5(self):
        kinds = self.records(nettrace4.read, "nettrace/eventpipe-dotnetcore6.0-win-x64-executioncheckpoints.nettrace")
        self.assertEqual(self.counted(kinds), {"trace": 1, "metadata": 1, "event": 3, "sequence_point": 1})
        self.steady(kinds["event"])
        threads = [{"thread_id": 25112, "sequence_number": 3}]
        self.assertEqual(kinds["sequence_point"][0]["threads"], threads)

    def steady(self, events):
        """Checks that no event is lost: the numbers of each thread are 1, 2, 3 and so on."""
        last = collections.Counter()
        for event in events:
            thread = event["capture_thread_id"]
            self.assertEqual(event["sequence_number"], last[thread] + 1)
            last[thread] += 1


if __name__ == "__main__":
    unittest.main()
