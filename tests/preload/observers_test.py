#!/usr/bin/env python3
"""Whichever call lets a program or others look at its files, the files are up to date."""
import both_ways

COALESCING = ("--coalesce",)


class Observers(both_ways.BothWaysTest):

    def seen(self, last, words, *options):
        """A line for each case: the files as another process sees them."""
        words = [self.subject("observers"), last, *words]
        result = self.run_fast(words, *options) if options else self.execute(words)
        self.assertEqual(0, result.returncode, result.stderr[-500:])
        return result.stdout.decode().splitlines()

    def expect_same_seen(self, last, *options):
        plain, fast = self.seen(last, []), self.seen(last, [], *options)
        self.assertGreater(len(plain), 250)
        self.assertEqual(len(plain), len(fast))
        differing = [a.split(":")[0] for a, b in zip(plain, fast) if a != b]
        # Without such a call something must be held back; otherwise the test proves nothing.
        self.assertEqual(["nothing seen"], differing)

    def test_see_coalesced_bytes(self):
        for options in (COALESCING, (*COALESCING, "--unlocked")):
            with self.subTest(options=options):
                self.expect_same_seen("write", *options)

    def test_by_rare_calls_see_coalesced_bytes(self):
        words = [self.subject("rare_observers")]
        plain = self.execute(words).stdout.decode().splitlines()
        fast = self.run_fast(words, *COALESCING).stdout.decode().splitlines()
        self.assertGreater(len(plain), 60)
        differing = [a.split(":")[0] for a, b in zip(plain, fast, strict=True) if a != b]
        self.assertEqual(["nothing", "nothing"], differing)

    def test_see_the_same_by_default(self):
        for last in ("write", "stdio"):
            self.assertEqual(self.seen(last, []), self.seen(last, [], "--no-children"))


if __name__ == "__main__":
    both_ways.main()
