#!/usr/bin/env python3
"""The pages of --html in a browser without a network: the things that a reader sees and can do."""
import json
import os
import shutil
import unittest

import browser
import html_command
from html_command import HtmlTest

# The number of pixels of a canvas that have nearly the colour of a name in the style sheet.
PIXELS = """((canvas, name) => {
  const wanted = colour(name).match(/[0-9a-f]{2}/g).map((digits) => parseInt(digits, 16));
  const copy = Object.assign(document.createElement("canvas"),
    { width: canvas.width, height: canvas.height }).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const far = wanted.reduce((sum, value, c) => sum + Math.abs(value - data[i + c]), 0);
    if (data[i + 3] > 128 && far < 40) ++count;
  }
  return count;
})"""
# A page learns of a change with the next frame, and has drawn it by the frame after.
NEXT_FRAMES = ("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame("
               "() => done(0))))")
ROWS = ("[...document.querySelectorAll('table[aria-label=\"Call sites\"] tbody tr:not(.detail)')]"
        ".filter((row) => !row.hidden)")


class PageTest(HtmlTest):
    reader = None

    @classmethod
    def setUpClass(cls):
        cls.reader = browser.Browser(browser.find())
        cls.reader.resize(1200, 900)

    @classmethod
    def tearDownClass(cls):
        cls.reader.close()

    def open(self):
        """Opens the page. An error in it, or a request for anything else, is a failure."""
        self.reader.open(self.html)
        self.expect_quiet()

    def expect_quiet(self):
        self.assertEqual([], self.reader.messages)
        self.assertEqual([self.html.resolve().as_uri()], self.reader.requests)

    def value(self, script):
        return self.reader.evaluate(script)

    def text(self, selector="body"):
        return self.value(f"document.querySelector({selector!r}).textContent")

    def expect_drawn(self, canvas, colour):
        count = self.value(f"{PIXELS}(document.querySelectorAll('canvas')[{canvas}], '{colour}')")
        self.assertGreater(count, 20, f"canvas {canvas} shows nothing in the colour {colour}")

    def column(self, index):
        return self.value(f"{ROWS}.map((row) => row.cells[{index}].textContent)")

    def expect_to_fit(self):
        """No chart is wider than the window, even a narrow one, or than paper."""
        self.addCleanup(self.reader.resize, 1200, 900)
        self.reader.resize(420, 800)
        self.value(NEXT_FRAMES)
        widest = "Math.max(...[...document.querySelectorAll('canvas')].map((c) => c.width))"
        self.assertLess(self.value(widest), 420)
        self.reader.resize(1200, 900)
        self.value(NEXT_FRAMES)
        self.assertGreater(self.value(widest), 900)
        self.value("dispatchEvent(new Event('beforeprint'))")
        self.assertLess(self.value(widest), 720)
        self.value("dispatchEvent(new Event('afterprint'))")
        self.assertGreater(self.value(widest), 900)
        self.expect_quiet()

    def trace_lines(self):
        """A traced program with several call sites."""
        result = self.trace("sh", "-c", f"{html_command.subject('flushed_lines')} lines 100000; "
                                        f"{html_command.subject('one_byte')} bytes 3000000")
        self.assertEqual(0, result.returncode, result.stderr)
        self.open()


class TracePage(PageTest):

    def test_has_everything(self):
        self.trace_lines()
        text = self.text()
        for part in ("sluice trace: sh -c", "exit code", "wall time", "copying", "waiting", "other",
                     "What could be saved", "Over time", "Stacks of the calls",
                     "Sizes of the calls", "Call sites",
                     "Leon Sorokin", "Permission is hereby granted"):
            self.assertIn(part, text)

    def test_has_every_part_of_the_advice(self):
        self.trace_lines()
        parts = self.value("[...document.querySelectorAll('.advice li:first-child dt')]"
                           ".map((part) => part.textContent)")
        self.assertEqual(["seen", "why", "fix", "saves", "check"], parts)
        texts = self.value("[...document.querySelectorAll('.advice dd')]"
                           ".map((part) => part.textContent)")
        self.assertNotIn("", texts)
        self.assertRegex(texts[3], r"^\d.*, predicted; the traced program took \d")

    def test_draws_its_charts(self):
        self.trace_lines()
        self.assertEqual(3, self.value("document.querySelectorAll('canvas').length"))
        self.expect_drawn(0, "written")
        self.expect_drawn(1, "system")
        self.expect_drawn(2, "system")

    def test_draws_them_in_the_dark_and_on_paper(self):
        self.addCleanup(self.reader.prefer)
        self.trace_lines()
        light = self.value("colour('written')")
        self.prefer("dark")
        self.assertNotEqual(light, self.value("colour('written')"))
        self.expect_drawn(0, "written")
        self.prefer("dark", "print")
        self.assertEqual(light, self.value("colour('written')"))
        self.expect_drawn(0, "written")
        self.expect_quiet()

    def prefer(self, *how):
        self.reader.prefer(*how)
        self.value(NEXT_FRAMES)

    def test_sorts_by_a_click_and_by_enter(self):
        self.trace_lines()
        calls = "document.querySelectorAll('thead th')[3]"
        numbers = []
        button = f"{calls}.querySelector('button')"
        for press in (lambda: self.value(f"{button}.click()"), self.press_enter):
            self.value(f"{button}.focus()")
            press()
            numbers.append([int(count.replace(",", "")) for count in self.column(3)])
        self.assertGreater(len(numbers[0]), 2)
        self.assertEqual(sorted(numbers[0], reverse=True), numbers[0])
        self.assertEqual(sorted(numbers[1]), numbers[1])
        self.assertEqual("ascending", self.value(f"{calls}.getAttribute('aria-sort')"))
        self.value("document.querySelectorAll('thead th button')[2].click()")
        self.assertIsNone(self.value(f"{calls}.getAttribute('aria-sort')"))
        files = self.column(2)
        self.assertEqual(sorted(files), files)
        self.expect_quiet()

    def press_enter(self):
        self.reader.press("Enter")

    def test_filters(self):
        self.trace_lines()
        everything = len(self.column(0))
        self.value("document.getElementById('filter').focus()")
        self.reader.type("FLUSHED_LINES.cc")
        self.assertTrue(0 < len(self.column(0)) < everything)
        self.assertTrue(all(file.endswith("lines") for file in self.column(2)), self.column(2))
        self.assertEqual(f"{len(self.column(0))} of {everything}", self.text("output"))
        self.reader.type(" there is no such thing")
        self.assertEqual([], self.column(0))
        self.expect_quiet()

    def test_opens_a_row_to_its_stack_and_sizes(self):
        self.trace_lines()
        button = f"{ROWS}.at(-1).querySelector('button')"
        site = self.value(f"{ROWS}.at(-1).cells[1].textContent")
        self.value(f"{button}.focus()")
        self.press_enter()
        self.assertEqual("true", self.value(f"{button}.getAttribute('aria-expanded')"))
        self.assertGreater(self.value("document.querySelectorAll('tr.detail li').length"), 0)
        self.assertIn(site, self.value("[...document.querySelectorAll('h3')].at(-1).textContent"))
        self.press_enter()
        self.assertEqual(0, self.value("document.querySelectorAll('tr.detail').length"))
        self.expect_quiet()

    def test_moves_the_cursor_of_a_chart_by_the_keyboard(self):
        self.trace_lines()
        self.value("document.querySelector('.chart').focus()")
        self.reader.press("ArrowRight")
        self.assertEqual("0.000 s", self.text(".u-legend .u-value"))
        self.expect_quiet()

    def test_fits_the_window_and_paper(self):
        self.trace_lines()
        self.expect_to_fit()

    def test_of_a_program_that_was_not_seen(self):
        self.assertEqual(0, self.trace(html_command.subject("environment_static")).returncode)
        self.open()
        self.assertIn("Nothing was seen: it is statically linked", self.text())

    def test_of_a_program_that_was_killed(self):
        self.trace(html_command.subject("endings"), "kill", "file", 100_000)
        self.open()
        self.assertIn("ended by signal", self.text(".facts"))


class FlameGraph(PageTest):
    BARS = "[...document.querySelectorAll('.flames button')]"

    def bars(self):
        """The bars by their functions: their texts, and lengths in percent."""
        found = self.value(f"{self.BARS}.map((bar) => [bar.textContent, bar.title, "
                           "parseFloat(bar.style.width), bar.getAttribute('aria-label')])")
        for _, title, _, label in found:
            self.assertEqual(title, label)
        return {name: (title, length) for name, title, length, _ in found}

    def focused(self):
        return self.value("document.activeElement.textContent")

    def test_has_the_stacks_that_are_written(self):
        stacks = self.root / "stacks"
        words = (html_command.subject("flushed_lines"), "file", 100_000)
        result = self.execute("trace", "--html", self.html, "--stacks", stacks, "--", *words)
        self.assertEqual(0, result.returncode, result.stderr)
        self.open()
        written = {}
        for line in stacks.read_text().splitlines():
            stack, microseconds = line.rsplit(" ", 1)
            written[stack] = int(microseconds)
        drawn = {}
        for names, seconds in self.value("stacksOfCalls().map((each) => [each.names.join(';'), "
                                         "each.seconds])"):
            drawn[names] = drawn.get(names, 0) + seconds * 1e6
        for stack, microseconds in written.items():
            self.assertAlmostEqual(microseconds, drawn[stack], delta=1)
        self.assertGreater(len(written), 2)
        bars = self.bars()
        self.assertEqual(100, bars["flushed_lines"][1])
        self.assertRegex(bars["flushed_lines"][0], r"^flushed_lines: \d.*s, 100\.0 %$")
        lengths = self.value(f"{self.BARS}.filter((bar) => bar.textContent === 'write')"
                             ".map((bar) => parseFloat(bar.style.width))")
        shares = [100 * spent / sum(written.values()) for stack, spent in written.items()
                  if stack.endswith(";write")]
        self.assertEqual(2, len(shares))
        for length, share in zip(sorted(lengths), sorted(shares), strict=True):
            self.assertAlmostEqual(share, length, delta=0.1)

    def test_zooms_by_a_click_and_by_enter(self):
        self.trace_lines()
        before = self.bars()
        self.assertLess(before["one_byte"][1], 100)
        click = f"{self.BARS}.find((bar) => bar.textContent === 'one_byte').click()"
        self.value(click)
        zoomed = self.bars()
        self.assertEqual(100, zoomed["one_byte"][1])
        self.assertEqual(before["one_byte"][0], zoomed["one_byte"][0])
        self.assertIn("all", zoomed)
        self.assertNotIn("flushed_lines", zoomed)
        self.assertEqual("one_byte", self.focused())
        self.reader.press("ArrowDown")
        self.reader.press("Enter")
        self.assertEqual(before, self.bars())
        self.value(click)
        self.reader.press("Escape")
        self.assertEqual(before, self.bars())
        self.assertEqual("all", self.focused())
        self.expect_quiet()

    def test_is_walked_by_the_arrow_keys(self):
        self.trace_lines()
        stops = f"{self.BARS}.filter((bar) => bar.tabIndex === 0)"
        self.value(f"{stops}[0].focus()")
        walk = [self.focused()]
        for key in ("ArrowUp", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown"):
            self.reader.press(key)
            walk.append(self.focused())
            self.assertEqual(1, self.value(f"{stops}.length"))
        first, second = walk[1:3]
        self.assertEqual(["all", first, second, first, first, "all", "all"], walk)
        self.assertEqual({"one_byte", "flushed_lines"}, {first, second})
        self.expect_quiet()

    def test_shows_names_as_text(self):
        name = "<img src=x onerror=window.owned=1>;&lt;"
        program = self.root / name
        shutil.copy(html_command.subject("one_byte"), program)
        self.assertEqual(0, self.trace(program, "file", 100_000).returncode)
        self.open()
        self.assertTrue(any(title.startswith(name) for title, _ in self.bars().values()))
        self.assertEqual(0, self.value("document.querySelectorAll('img').length"))
        self.assertIsNone(self.value("window.owned ?? null"))

    def page_with(self, change):
        """A page whose report was changed."""
        self.assertEqual(0, self.trace(html_command.subject("one_byte"), "file", 1000).returncode)
        begin, end = '<script type="application/json" id="data">', "</script>"
        text = self.html.read_text()
        before, rest = text.split(begin, 1)
        data, after = rest.split(end, 1)
        report = json.loads(data)
        change(report)
        self.html.write_text(before + begin + json.dumps(report) + end + after)
        self.open()

    def test_has_only_bars_that_can_be_seen(self):
        def many(report):
            [site] = [site for site in report["call_sites"] if site["call"] == "fwrite"]
            frame = report["stacks"][site["stack"]][-1]
            sites = []
            report["stacks"] = []
            for i in range(5_000):
                stack = [{**frame, "function": f"f{i % 7 ** level}"} for level in range(20, 0, -1)]
                time = {**site["time"], "copying_s": 20.0 if i == 0 else 0.001}
                report["stacks"].append(stack)
                sites.append({**site, "stack": i, "time": time})
            report["call_sites"] = sites
        self.page_with(many)
        count = self.value(f"{self.BARS}.length")
        self.assertTrue(20 < count < 5_000, count)
        too_long = ("bar.offsetWidth - parseFloat(bar.style.width) / 100 * "
                    "bar.parentElement.clientWidth")
        self.assertLess(self.value(f"Math.max(...{self.BARS}.map((bar) => {too_long}))"), 2)
        self.value(f"{self.BARS}.at(-1).click()")
        self.assertGreater(self.value(f"{self.BARS}.length"), 20)
        self.expect_quiet()

    def test_is_left_out_without_stacks(self):
        def without_calls(report):
            report["call_sites"], report["advice"] = [], []

        def without_time(report):
            for site in report["call_sites"]:
                site["time"] = {"copying_s": 0, "system_s": 0, "sleep_s": 0}
        for change in (without_calls, without_time):
            self.page_with(change)
            self.assertEqual(0, self.value("document.querySelectorAll('.flames').length"))
            self.assertNotIn("Stacks of the calls", self.text("main"))


class Names(PageTest):
    """File names come from other people: they are shown, and no markup in them takes effect."""

    def expect_shown(self, name, shown=None):
        path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        result = self.trace(html_command.subject("one_byte"), os.fsencode(name), 1000)
        self.assertEqual(0, result.returncode, result.stderr)
        self.open()
        self.assertIn(shown or name, self.text("main"))
        self.assertIn(shown or name, "".join(self.column(2)))
        self.assertIn("sluice trace", self.value("document.title"))
        self.assertEqual(0, self.value("document.querySelectorAll('img, iframe').length"))
        self.assertIsNone(self.value("window.owned ?? null"))
        self.assertEqual(3, self.value("document.scripts.length"))

    def test_that_would_end_the_script(self):
        for end in ("</script>", "</script >", "</SCRIPT\t>", "</script/>"):
            with self.subTest(end=end):
                self.expect_shown(f"{end}<img src=x onerror=window.owned=1>")

    def test_that_would_begin_a_comment(self):
        for begin in ("<!--<script>", "<!-- <script "):
            with self.subTest(begin=begin):
                self.expect_shown(begin + "window.owned=1")

    def test_with_quotes(self):
        self.expect_shown("\"'`;window.owned=1;${window.owned=1}\\\"&quot;&lt;")

    def test_with_line_ends(self):
        self.expect_shown("a\nwindow.owned=1\n\u2028window.owned=1\u2029\r\tb")

    def test_like_parts_of_the_template(self):
        self.expect_shown("{{report}}{{uplot.js}}@CONTENT@")

    def test_that_are_no_utf_8(self):
        self.expect_shown(b"caf\xe9 \xff<b>", "caf\ufffd \ufffd<b>")

    def test_of_programs_and_folders(self):
        hostile = "</title ><img src=x onerror=window.owned=1>&amp;"
        program = self.folder / hostile
        program.parent.mkdir()
        program.symlink_to("/bin/true")
        self.assertEqual(0, self.trace(program).returncode)
        self.open()
        self.assertEqual(f"sluice trace: {program}", self.value("document.title"))
        self.assertEqual(0, self.value("document.querySelectorAll('img').length"))
        program.unlink()
        program.mkdir()
        self.bench("write-lines", "--size", "64K", "--rounds", "1", folder=program)
        self.open()
        self.assertIn(hostile, self.text("h1"))
        self.assertEqual(0, self.value("document.querySelectorAll('img').length"))


class BenchPage(PageTest):

    def measure(self, *words):
        result = self.bench(*words)
        self.assertEqual(0, result.returncode, result.stderr)
        self.open()

    def test_draws_a_bar_for_each_strategy(self):
        self.measure("write-lines", "--size", "64K", "--rounds", "1")
        groups = self.value("document.querySelectorAll('section section').length")
        self.assertGreater(groups, 0)
        self.assertEqual(groups, self.value("document.querySelectorAll('canvas').length"))
        for canvas in range(groups):
            self.expect_drawn(canvas, "sluice")
            self.expect_drawn(canvas, "baseline")
        self.assertIn("ofstream << '\\n' ", self.value(
            "document.querySelector('.chart').getAttribute('aria-label')"))

    def test_draws_curves_over_the_size_of_the_buffer(self):
        self.measure("bytes", "--size", "1M", "--rounds", "1", "--rows", "setvbuf")
        self.assertGreater(self.value("document.querySelectorAll('.curves canvas').length"), 0)
        names = self.value("[...document.querySelectorAll('.curves .u-label')]"
                           ".map((label) => label.textContent)")
        self.assertIn("fwrite_unlocked setvbuf", names)
        self.expect_to_fit()

    def test_has_the_figures(self):
        self.measure("write-lines", "--size", "64K", "--rounds", "1")
        self.assertIn("sluice print", self.text("details table"))


def main():
    html_command.take_arguments()
    if browser.find() is None:
        html_command.skip_all("Chromium is not installed (Debian's package chromium)")
    if not html_command.has_charts():
        html_command.skip_all("this build has no charts")
    unittest.main()


if __name__ == "__main__":
    main()
