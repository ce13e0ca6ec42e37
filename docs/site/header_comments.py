#!/usr/bin/env python3
"""Doxygen's filter for the public headers: makes their plain comments comments of Doxygen.

usage: header_comments.py HEADER

Some lines become more, so the line numbers of Doxygen's warnings are too large.
 - The comment at the top documents the class that it names first ("Writer: ..."), or the file.
 - A comment right above declarations documents all of them up to the next blank line or comment,
   except those with a comment behind them. In an enum it documents the next name alone.
 - A comment behind a declaration documents that declaration.
 - What follows "Implementation details follow." is hidden to the end of its scope, and so are the
   private members of a class and the bodies of functions.
"""
import pathlib
import re
import sys

DETAILS = "// Implementation details follow."
COMMENT = re.compile(r"\s*//( (?P<text>.*))?$")
SEPARATOR = re.compile(r"\s*// ----")
# A comment above such a definition is about its body: the contract is where the class is.
DEFINITION_OF_A_MEMBER = re.compile(r"\b[A-Z]\w*::~?\w+\(")
STRING = re.compile(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])+\'')
ACCESS = re.compile(r"\s*(public|protected|private):")
STARTS_PARAGRAPH = re.compile(r"(Threads|fork\(\)|pthread_cancel\(\)): ")
BEHIND = re.compile(r"(.*\S)\s\s+// (.*)$")
CODE_INDENT = 2  # behind "// "
SCOPES = ((re.compile(r"\benum\b"), "names"), (re.compile(r"^\s*typedef struct\b"), "names"),
          (re.compile(r"\b(class|struct|namespace)\b|extern ''"), "declarations"))


def escaped(text):
    """Text as Doxygen has to read it to show it as it stands. Text in backticks needs nothing."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\<>@#%])", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [f"`{part}`" if "'" in part else part for part in parts[1::2]]
    return "`".join(parts)


def code_lines(texts):
    """For each line whether it belongs to an example. A list's lines do not."""
    flags, in_list = [], False
    for text in texts:
        indent = len(text) - len(text.lstrip())
        in_list = bool(re.match(r" +- ", text)) or in_list and indent > 0
        flags.append(indent >= CODE_INDENT and not in_list)
    for number in range(1, len(texts) - 1):  # a blank line inside an example
        if not texts[number] and flags[number - 1] and flags[number + 1]:
            flags[number] = True
    return flags


def documentation(texts):
    """The lines of a comment of Doxygen, with their examples as code."""
    flags = code_lines(texts)
    for number, text in enumerate(texts):
        if not flags[number]:
            if STARTS_PARAGRAPH.match(text):
                yield "///"
            yield "/// " + escaped(text)
            continue
        if number == 0 or not flags[number - 1]:
            yield "/// @code{.cc}"
        yield "/// " + text[CODE_INDENT:]
        if number + 1 == len(texts) or not flags[number + 1]:
            yield "/// @endcode"


def code_of(line):
    """The line without its texts and its comment."""
    return STRING.sub("''", line).split("//")[0]


class Header:
    """Converts the lines one after another. `scopes` says what the braces around a line hold."""

    def __init__(self, name, lines):
        self.name = name
        self.lines = lines
        self.scopes = []
        self.parentheses = 0
        self.statement = ""      # the code since the last ';', '{' or '}'
        self.hidden_from = None  # the number of scopes at "Implementation details follow."
        self.repeated = {}       # comments by the line before which they are repeated

    def converted(self):
        number = next(i for i, line in enumerate(self.lines) if not COMMENT.match(line))
        yield from self.top(self.lines[:number])
        while number < len(self.lines):
            if self.is_comment(number):
                end = self.end_of_comment(number)
                yield from self.comment(number, end)
            else:
                end = number + self.lines_of_member_definition(number)
                yield from [""] * (end - number)
                if end == number:
                    yield from self.repeated.get(number, [])
                    yield self.declaration(number)
                    end += 1
            number = end

    def top(self, lines):
        """The contract of the header."""
        texts = [COMMENT.match(line)["text"] or "" for line in lines]
        name = texts[0].split(":")[0]
        is_class = any(re.match(rf"class (\[\[\w+\]\] )?{name}\b.*{{", line) for line in self.lines)
        target = f"@file {self.name}"
        if is_class:
            target = f"@class sluice::{name} {self.name} <sluice/{self.name}>"
            brief = escaped(re.split(r"\.(?: |$)", " ".join(texts))[0])
            yield f"/** @file {self.name} @brief {brief}. */"
        yield f"/// {target}"
        yield from documentation(texts)

    def is_hidden(self):
        return self.hidden_from is not None or "bodies" in self.scopes or self.parentheses > 0

    def is_comment(self, number):
        return (not self.is_hidden() and COMMENT.match(self.lines[number])
                and not SEPARATOR.match(self.lines[number]))

    def end_of_comment(self, number):
        while number < len(self.lines) and COMMENT.match(self.lines[number]):
            number += 1
        return number

    def comment(self, begin, end):
        """A comment on lines of its own, which documents what follows it without a blank line."""
        lines = self.lines[begin:end]
        if lines[0].strip() == DETAILS:
            self.hidden_from = len(self.scopes)
            yield "/// @cond"
            yield from lines[1:]
            return
        following = self.following(end)
        if not following or self.lines_of_member_definition(end):
            yield from lines
            return
        documented = list(documentation([COMMENT.match(line)["text"] or "" for line in lines]))
        yield from documented
        if self.in_names():
            return
        for number, declaration in enumerate(following[1:], 1):
            if not BEHIND.match(declaration[-1]):
                self.repeated[end + sum(map(len, following[:number]))] = documented

    def in_names(self):
        return bool(self.scopes) and self.scopes[-1] == "names"

    def following(self, number):
        """The declarations from a line on, each a list of lines, to a blank line or comment."""
        found, lines, depth = [], [], 0
        for line in self.lines[number:]:
            code = code_of(line)
            if line.startswith("#define") and not found:
                return [[line]]
            if not lines and (not code.strip() or code.startswith("#") or code.strip()[0] == "}"
                             or ACCESS.match(code)):
                break
            lines.append(line)
            depth += len(re.findall(r"[({]", code)) - len(re.findall(r"[)}]", code))
            if depth < 0:
                break
            if depth == 0 and code.rstrip().endswith((";", "}", ",")):
                found.append(lines)
                lines = []
        return found

    def lines_of_member_definition(self, number):
        """How many lines define a member outside its class. The class has its declaration."""
        if self.is_hidden() or self.statement.strip():
            return 0
        following = self.following(number)
        head = " ".join(map(code_of, following[0])).split("{")[0] if following else ""
        return len(following[0]) if DEFINITION_OF_A_MEMBER.search(head) else 0

    def declaration(self, number):
        line = self.lines[number]
        was_hidden = self.hidden_from is not None or "bodies" in self.scopes
        code = code_of(line)
        if self.leaves_hidden_scope(code):
            self.hidden_from = None
            line = "/** @endcond */ " + line
        self.follow(code)
        behind = BEHIND.match(line)
        if behind and not was_hidden and self.parentheses == 0 and self.is_declaration(code):
            return f"{behind[1]}  ///< {escaped(behind[2])}"
        return line

    def is_declaration(self, code):
        """True if a comment behind this code is about a name that the code declares."""
        code = code.strip()
        if code.startswith(("#", "}")):
            return code.startswith("#define")
        return code.endswith((";", ",", "}")) or self.in_names()

    def leaves_hidden_scope(self, code):
        return (self.hidden_from is not None and len(self.scopes) == self.hidden_from
                and code.count("}") > code.count("{"))

    def follow(self, code):
        """Notes which scopes a line opens and closes. Macros have no scopes."""
        if code.startswith("#") or code.endswith("\\"):
            return
        for mark in re.findall(r"[^(){};]+|[(){};]", ACCESS.sub("", code)):
            if mark == "{":
                self.scopes.append(self.kind())
            elif mark == "}" and self.scopes:
                self.scopes.pop()
            elif mark in "()":
                self.parentheses += 1 if mark == "(" else -1
            elif mark != ";":
                self.statement += mark + " "
                continue
            if mark in "{};":
                self.statement = ""

    def kind(self):
        """What the brace after the present statement opens."""
        if self.parentheses > 0:
            return "bodies"
        statement = re.sub(r"template\s*<[^{]*?>\s", "", self.statement)
        return next((kind for word, kind in SCOPES if word.search(statement)), "bodies")


def main(path):
    header = pathlib.Path(path)
    lines = header.read_text(encoding="utf-8").splitlines()
    print("\n".join(Header(header.name, lines).converted()))


if __name__ == "__main__":
    main(sys.argv[1])
