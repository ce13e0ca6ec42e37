#!/usr/bin/env python3
"""Opens the pages of the documentation site as a phone shows them, in light and dark colours.

usage: pages_test.py SITE TESTS [--every-page]

SITE is the folder that site_test.py has built, TESTS the folder of browser.py.
"""
import pathlib
import re
import sys
import unittest

SITE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import browser  # pylint: disable=wrong-import-position

EVERY_PAGE = "--every-page" in sys.argv
PHONE = (390, 844)  # CSS pixels
NAMES = ("index", "install", "choosing", "recipes", "migrating", "performance", "questions",
         "durability", "measurements", "programs", "architecture", "changelog",
         "example-keep_journal", "pages", "annotated", "files", "namespacesluice",
         "classsluice_1_1Writer", "structsluice_1_1WriterOptions", "c_8h", "options_8h")
MIN_CONTRAST = 4.5
MIN_TEXT_PX = 12

# What a reader has to scroll sideways to see. A table or a block of code scrolls by itself.
TOO_WIDE = """(() => {
  const shown = [document.documentElement, document.body,
                 ...document.querySelectorAll("#doc-content, .contents, .header, #top")];
  return shown.filter((part) => part && part.scrollWidth > Math.max(part.clientWidth, 1) + 1)
    .map((part) => `${part.tagName}#${part.id}: ${part.scrollWidth} > ${part.clientWidth}`);
})()"""

# What a reader has to scroll up and down beside the page itself.
TOO_HIGH = """[...document.querySelectorAll(".contents *")].filter((part) =>
  ["auto", "scroll"].includes(getComputedStyle(part).overflowY) && part.clientHeight > 0
  && part.scrollHeight > part.clientHeight + 1)
  .map((part) => `${part.tagName}.${part.className}: ${part.scrollHeight} > ${part.clientHeight}`)
  .slice(0, 5)"""

# Each text whose colour is too near to the colour behind it, and each text that is too small.
UNREADABLE = """((minContrast, minPx) => {
  const parsed = (text) => {
    const parts = text.match(/[\\d.]+/g).map(Number);
    return parts.length === 3 ? [...parts, 1] : parts;
  };
  const over = (front, back) =>
    [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3]));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(parsed(getComputedStyle(at).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((back, layer) => over(layer, back), [255, 255, 255]);
  };
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (front, back) => {
    const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim();
    const isShown = element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    if (!text || !isShown || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const ratio = contrast(over(parsed(style.color), back), back);
    const name = `${element.tagName}.${element.className} "${text.slice(0, 20)}"`;
    if (ratio < minContrast) found.add(`${name}: contrast ${ratio.toFixed(2)}`);
    if (parseFloat(style.fontSize) < minPx) found.add(`${name}: ${style.fontSize}`);
  }
  return [...found].slice(0, 10);
})"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reader = browser.Browser(browser.find())
        cls.addClassCleanup(cls.reader.close)
        cls.reader.resize(*PHONE)
        paths = sorted(SITE.glob("*.html")) if EVERY_PAGE else [SITE / f"{name}.html"
                                                                for name in NAMES]
        cls.paths = [path for path in paths if "http-equiv=\"refresh\"" not in path.read_text()]

    def open(self, path):
        self.reader.open(path)
        self.assertEqual(self.reader.messages, [], path.name)
        self.assertEqual([request for request in self.reader.requests
                          if not request.startswith(("file://", "data:"))], [], path.name)

    def test_fit_on_a_phone_and_can_be_read(self):
        for path in self.paths:
            with self.subTest(path=path.name):
                self.reader.prefer("dark")
                self.open(path)
                self.assertEqual(self.reader.evaluate(TOO_WIDE), [])
                self.assertEqual(self.reader.evaluate(TOO_HIGH), [])
                for scheme in ("dark", "light"):
                    self.reader.prefer(scheme)
                    found = self.reader.evaluate(f"{UNREADABLE}({MIN_CONTRAST}, {MIN_TEXT_PX})")
                    self.assertEqual(found, [], scheme)

    def wait_for(self, condition):
        """Waits until an expression is true in the page. Its scripts run on after it is loaded."""
        found = self.reader.evaluate(f"""new Promise((done) => {{
          const look = (frames) => {{
            if ({condition}) done(true);
            else if (frames === 0) done(false);
            else requestAnimationFrame(() => look(frames - 1));
          }};
          look(600);
        }})""")
        self.assertTrue(found, condition)

    def test_menu_leads_to_every_part(self):
        self.open(SITE / "index.html")
        self.wait_for("document.querySelector('#MSearchField')")
        self.reader.evaluate("document.querySelector('#main-menu-state').click()")
        for part in ("sluice", "Pages", "Classes", "Functions", "Headers"):
            self.wait_for("[...document.querySelectorAll('#main-menu > li > a')].some((link) => "
                          f"link.checkVisibility() && link.textContent === '{part}')")
        self.assertEqual(self.reader.evaluate(f"{UNREADABLE}({MIN_CONTRAST}, {MIN_TEXT_PX})"), [])

    def test_search_finds_a_call(self):
        self.open(SITE / "index.html")
        self.wait_for("document.querySelector('#MSearchField')")
        self.reader.evaluate("document.querySelector('#MSearchField').focus()")
        self.reader.type("write_value_at")
        self.reader.press("Enter")
        self.wait_for("document.querySelector('#MSearchResultsWindow').style.display === 'block'")
        # The results are in a frame, and a page on a disk may not read the text of a frame.
        indexes = []
        for _ in range(1000):
            indexes = [url for url in self.reader.requests if re.search("/search/all_.*js$", url)]
            if indexes:
                break
            self.wait_for("true")
        self.assertNotEqual(indexes, [], "the search looks into no index")
        self.assertIn("write_value_at", (SITE / "search" / indexes[0].split("/")[-1]).read_text())

    def test_are_dark_in_the_dark(self):
        background = "getComputedStyle(document.body).backgroundColor"
        self.open(SITE / "index.html")
        self.reader.prefer("light")
        light = self.reader.evaluate(background)
        self.reader.prefer("dark")
        self.assertNotEqual(light, self.reader.evaluate(background))


if __name__ == "__main__":
    if browser.find() is None or not (SITE / "index.html").exists():
        print("SKIPPED, all of it: there is no Chromium, or no site", file=sys.stderr)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
