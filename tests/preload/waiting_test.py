#!/usr/bin/env python3
"""The report of `sluice trace` says for how long the calls of a program waited."""
import json

import both_ways


class Waiting(both_ways.BothWaysTest):

    def expect_to_be_most_of_the_time(self, script, call):
        path = self.root / "report"
        self.execute([both_ways.COMMAND, "trace", "--json", path, "--", "sh", "-c", script])
        [use] = [use for use in json.loads(path.read_text())["call_sites"] if use["call"] == call]
        time = use["time"]
        self.assertGreater(time["sleep_s"], time["system_s"] + time["copying_s"])

    def test_of_a_scan_for_a_pipe_is_no_work(self):
        script = f"(sleep 0.5; echo 7) | {self.subject('scan_numbers')}"
        self.expect_to_be_most_of_the_time(script, "fscanf")

    def test_of_a_print_for_a_pipe_is_no_work(self):
        # The pipe is full before the first print.
        script = (f"(head -c 65536 /dev/zero; exec {self.subject('prints')} 20000) | "
                  "(sleep 0.5; cat > /dev/null)")
        self.expect_to_be_most_of_the_time(script, "fprintf")

    def test_of_a_few_long_calls_among_many_short_ones_is_no_work(self):
        # A write waits for the reader whenever the pipe is full: after some 1,000 others.
        writer = "import os\nfor _ in range(20000): os.write(1, bytes(64))"
        reader = ("import os, time\nwhile os.read(0, 65536): time.sleep(0.03)")
        script = f"/usr/bin/python3 -c '{writer}' | /usr/bin/python3 -c '{reader}'"
        self.expect_to_be_most_of_the_time(script, "write")


if __name__ == "__main__":
    both_ways.main()
