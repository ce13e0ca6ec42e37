#!/usr/bin/env python3
"""`sluice trace` gives advice about calls that wait for the disk after each record."""
import both_ways
from advice_test import AdviceTest


class Syncs(AdviceTest):
    """On a fast disk a sync takes 20 us: there are so many that they are worth advice there too."""

    def test_of_mapped_memory(self):
        # Each sync names the whole mapping, in which a page was changed.
        advice, report = self.expect("sync-after-each", "records", "mapped-synced", "file", 3_000)
        self.assertIn("3,000 syncs of mapped memory", advice["seen"])
        self.assertRegex(advice["seen"], "for at most [4-5][0-9]{3} changed bytes")
        [use] = self.uses(report, "msync")
        self.assertEqual((3_000, "(mapped memory)"), (use["calls"], use["file"]))
        self.expect_none("sync-after-each", "records", "mapped-gathered", "file", 1_000_000)

    def test_of_more_than_a_file(self):
        for how, call, times, words in (
                ("all-synced", "sync", 2_000, "files of all programs"),
                ("disk-synced", "syncfs", 2_000, "files of all programs"),
                ("range-synced", "sync_file_range", 5_000, "makes no record durable")):
            with self.subTest(how=how):
                advice, report = self.expect("sync-after-each", "records", how, "file", times)
                self.assertIn(words, advice["fix"])
                [use] = self.uses(report, call)
                self.assertEqual((times, 0), (use["calls"], use["failures"]))

    def test_have_the_same_results(self):
        for how in ("mapped-synced", "all-synced", "disk-synced", "range-synced"):
            self.expect_same([self.subject("records"), how, "file", 5])


if __name__ == "__main__":
    both_ways.main()
