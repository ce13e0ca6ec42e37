#!/usr/bin/env python3
"""Builds the documentation site, and follows its links. pages_test.py opens the pages.

usage: site_test.py ROOT FOLDER   (the site is built in FOLDER/html)
"""
import functools
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(sys.argv[1]).resolve()
FOLDER = pathlib.Path(sys.argv[2]).resolve()
SITE = FOLDER / "html"
CODE = re.compile(r'<div class="fragment">.*?<!-- fragment -->|<(code|pre|script)\b.*?</\1>',
                  re.DOTALL)
STYLE = pathlib.Path("/usr/share/doxygen-awesome-css/doxygen-awesome.css")


class Page(html.parser.HTMLParser):
    """The links of a page, the places that links can lead to, and what the page loads."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.loaded = [], set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.places.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "link" and values.get("href"):
            self.loaded.append(values["href"])
        if tag in ("img", "script") and values.get("src"):
            self.loaded.append(values["src"])


@functools.cache
def page_of(path):
    return Page(path)


def build(folder, *inputs):
    return subprocess.run([ROOT / "docs" / "site" / "build.sh", folder, *inputs],
                          capture_output=True, text=True, check=False)


def build_of(name, text):
    """The result of a site of one file."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_text(text)
        return build(f"{folder}/site", path)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.built = build(FOLDER)
        cls.pages = sorted(SITE.glob("*.html"))

    def test_is_built_without_a_warning(self):
        self.assertEqual((self.built.returncode, self.built.stderr), (0, ""))
        self.assertGreater(len(self.pages), 50)

    def test_links_lead_somewhere(self):
        for path in self.pages:
            for link in page_of(path).links:
                self.expect_target(path, link)

    def expect_target(self, path, link):
        parts = urllib.parse.urlsplit(link)
        if parts.scheme in ("http", "https", "mailto", "javascript"):
            return
        target = (path.parent / urllib.parse.unquote(parts.path)) if parts.path else path
        self.assertTrue(target.is_file(), f"{path.name}: {link}: there is no such file")
        if parts.fragment and target.suffix == ".html":
            self.assertTrue(urllib.parse.unquote(parts.fragment) in page_of(target).places,
                            f"{path.name}: {link}: there is no such place")

    def test_shows_no_markup(self):
        """What Doxygen has not understood shows as text."""
        for path in self.pages:
            text = re.sub(r"<[^>]*>", "", CODE.sub("", path.read_text()))
            markup = re.findall(r".{0,30}(?:`|\\ilinebr|\]\(|\*\*|@ref|@anchor).{0,30}", text)
            self.assertEqual(markup, [], path.name)
            self.assertNotRegex(path.read_text(), r"<code>[^<]*\\\|", path.name)

    def test_needs_no_network(self):
        for path in self.pages:
            for name in page_of(path).loaded:
                self.assertTrue((SITE / name).is_file(), f"{path.name} loads {name}")
        for path in SITE.rglob("*.css"):
            loads = re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//\S*", path.read_text())
            self.assertEqual(loads, [], path.name)

    def test_has_every_page(self):
        for name in ("index", "choosing", "recipes", "migrating", "performance", "questions",
                     "durability", "measurements", "programs", "changelog", "architecture",
                     "example-keep_journal", "classsluice_1_1Writer", "c_8h"):
            self.assertIn(SITE / f"{name}.html", self.pages)

    def test_has_every_function_of_the_c_interface(self):
        header = re.sub(r"//.*", "", (ROOT / "include" / "sluice" / "c.h").read_text())
        names = set(re.findall(r"\b(sluice_\w+)\(", header))
        self.assertGreater(len(names), 100)
        shown = (SITE / "c_8h.html").read_text()
        self.assertEqual([name for name in sorted(names) if f">{name}<" not in shown], [])

    def test_has_every_call_of_readme(self):
        table = (ROOT / "README.md").read_text().split("## Which call for which job")[1]
        table = table.split("\n## ")[0]
        calls = set(re.findall(r"`(?:writer|reader|journal|journal_reader)\.(\w+)\(", table))
        self.assertGreater(len(calls), 15)
        shown = "".join((SITE / f"classsluice_1_1{name}.html").read_text()
                        for name in ("Writer", "Reader", "Journal", "JournalReader"))
        self.assertEqual([name for name in sorted(calls) if f">{name}<" not in shown], [])


class Warnings(unittest.TestCase):
    """What a build finds fault with."""

    def expect_failure(self, message, name, text):
        done = build_of(name, text)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(message, done.stderr)

    def header(self, declarations):
        return ("// A header of a test.\n#pragma once\n\n"
                f"namespace sluice {{\n\n{declarations}\n\n}}  // namespace sluice\n")

    def expect_undocumented(self, name, declarations):
        self.expect_failure(f"{name}: has no comment", "bare.h", self.header(declarations))

    def test_function_without_a_comment(self):
        self.expect_failure("Member bare(int number)", "bare.h",
                            self.header("void bare(int number);"))

    def test_class_without_a_comment(self):
        self.expect_undocumented("sluice::Bare", "class Bare {};")

    def test_member_without_a_comment(self):
        self.expect_failure("Member bare()", "bare.h", self.header(
            "// A class.\nclass Covered {\n public:\n  void bare();\n};"))

    def test_enumerator_without_a_comment(self):
        self.expect_undocumented("Number::bare", "// Numbers.\nenum class Number {\n"
                                 "  one,  // the first one\n  bare,\n};")

    def test_link_to_no_page(self):
        self.expect_failure("'missing'", "page.md", "# A page\n\n[this](missing.md)\n")

    def test_nothing_else(self):
        done = build_of("covered.h", self.header(
            "// A class.\nclass Covered {\n public:\n  // A call,\n  // and another one.\n"
            "  void call();\n  int other();\n\n private:\n  int hidden_;\n};"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    if not shutil.which("doxygen") or not STYLE.exists():
        print("SKIPPED, all of it: doxygen or doxygen-awesome-css is missing: ./dev docs installs "
              "them", file=sys.stderr)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
