#!/usr/bin/env python3
"""Doxygen's filter for Markdown: gives every heading a name, and makes links follow these names.

usage: markdown_pages.py FILE

A link to a folder leads to the folder's README, and a link to an example to the example's page.
The names are those of GitHub, behind the name of the page: `docs/durability.md#marks` is
`durability-marks`. README.md is the main page.
"""
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = pathlib.Path("examples")
HEADING = re.compile(r"(#+) (.*)")
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
BOLD_CODE = re.compile(r"\*\*([^*`]*`[^*]*)\*\*")  # Doxygen knows no code in bold text
BAR_IN_A_TABLE = r"\|"
BAR = "@htmlonly&#124;@endhtmlonly"
CODE = re.compile(r"(``? .*? ``?|`[^`]*`)")


def page_name(path):
    """The name of the page of a file, which is given by its path from the root."""
    if path == pathlib.Path("README.md"):
        return "mainpage"
    parts = [part for part in path.with_suffix("").parts if part not in ("docs", "README")]
    if path.suffix != ".md":
        parts = ["example", path.stem]
    return "-".join(parts).lower()


def heading_name(page, text):
    words = re.sub(r"[^\w\- ]", "", text.lower())
    return f"{page}-{words.replace(' ', '-')}"


def code_span(text):
    """Doxygen takes a backtick and an apostrophe for quotation marks, but not two backticks. In a
    table, Markdown writes a vertical bar as a backslash and a bar."""
    if BAR_IN_A_TABLE in text:
        return f"<code>{html.escape(text.strip('` ')).replace(BAR_IN_A_TABLE, BAR)}</code>"
    return f"`{text}`" if "'" in text and not text.startswith("``") else text


class Page:
    def __init__(self, path):
        self.names = set()
        path = path.resolve()
        self.path = path.relative_to(ROOT) if path.is_relative_to(ROOT) else pathlib.Path(path.name)
        self.name = page_name(self.path)
        self.lines = path.read_text(encoding="utf-8").splitlines()

    def converted(self):
        fenced, blank = False, True
        for line in self.lines:
            is_code = fenced or (blank and line.startswith("    "))
            if line.startswith("```"):
                fenced = not fenced
            elif not is_code and HEADING.match(line):
                yield from self.heading(*HEADING.match(line).groups())
                line = ""
            elif not is_code:
                line = self.text(line)
            blank = not line.strip() or (is_code and not fenced)
            yield line
        if self.path == EXAMPLES / "README.md":
            yield from self.examples()

    def examples(self):
        """The pages of the programs, below this page."""
        yield ""
        for path in sorted((ROOT / EXAMPLES).glob("*.c*")):
            yield f"- @subpage {page_name(path.relative_to(ROOT))}"

    def text(self, line):
        parts = CODE.split(BOLD_CODE.sub(r"<b>\1</b>", line))
        parts[::2] = [LINK.sub(self.link, part) for part in parts[::2]]
        parts[1::2] = map(code_span, parts[1::2])
        return "".join(parts)

    def heading(self, marks, text):
        """A heading with its name. The navigation shows those of all pages but the main one."""
        name = self.name if marks == "#" else self.unused(heading_name(self.name, text))
        text = self.text(text)
        if self.name == "mainpage" and marks != "#":
            yield from (f"@anchor {name}", "", f"{marks} {text}")
        else:
            yield f"{marks} {text} {{#{name}}}"

    def unused(self, name):
        """The name, with a number if an earlier heading has it."""
        names = (name, *(f"{name}-{number}" for number in range(1, 100)))
        unused = next(each for each in names if each not in self.names)
        self.names.add(unused)
        return unused

    def link(self, match):
        """The link with the name of the page or heading that it leads to."""
        target = self.path
        if match[1]:
            target = (ROOT / self.path.parent / match[1]).resolve().relative_to(ROOT)
        if (ROOT / target).is_dir():
            target /= "README.md"
        if target.suffix == ".png":
            return f"]({target.name})"
        name = page_name(target)
        return f"](@ref {heading_name(name, match[2]) if match[2] else name})"


def main(path):
    print("\n".join(Page(pathlib.Path(path)).converted()))


if __name__ == "__main__":
    main(sys.argv[1])
