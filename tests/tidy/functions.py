"""Finds functions in C++ text by counting braces: good enough to rank them by length."""
import re
from typing import NamedTuple

# Parts that a reader of code skips: comments, strings, characters (not 1'000), preprocessor lines.
SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*",
    re.DOTALL | re.MULTILINE)
OPENS_A_SCOPE = re.compile(r'\b(namespace|class|struct|union|enum|extern)\b')
NAME = re.compile(r"((?:[\w~]+(?:<[^<>()]*>)?::)*(?:operator\s*[^\s\w(]+|operator\(\)|~?\w+))\s*\(")


class Function(NamedTuple):
    name: str
    line: int
    lines: int


def in_text(text):
    """Every function with a body in `text`. A lambda belongs to the function that it stands in."""
    plain = SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return list(_functions(plain))


def _functions(plain):
    head_start = 0  # the text from the last ; { or } to the next brace tells the kind of this brace
    position = 0
    while position < len(plain):
        character = plain[position]
        if character == "{":
            head = plain[head_start:position]
            if _is_scope(head):
                head_start = position + 1
            elif _is_function(head):
                end = _end_of_body(plain, position)
                yield _function(plain, head_start + len(head) - len(head.lstrip()), end, head)
                position = end
                head_start = position + 1
            else:
                position = _matching_brace(plain, position)  # data and arguments stay in the head
        elif character in ";}":
            head_start = position + 1
        position += 1


def _function(plain, start, end, head):
    line = plain.count("\n", 0, start) + 1
    return Function(_name_in(head), line, plain.count("\n", start, end) + 1)


def _is_scope(head):
    before_parenthesis = head.split("(")[0]
    without_template = re.sub(r"template\s*<[^{]*?>(?=\s)", "", before_parenthesis)
    return bool(OPENS_A_SCOPE.search(without_template))


def _is_function(head):
    """False for data, and for braces among the arguments of a call or a declaration."""
    return 0 < head.count("(") == head.count(")") and not head.rstrip().endswith("=")


def _name_in(head):
    """The first name before a parenthesis; for a test, which is a macro, all of the macro."""
    test = re.search(r"\b(TEST(?:_[FP])?|TYPED_TEST(?:_P)?)\s*(\([^)]*\))", head)
    if test:
        return test[1] + test[2]
    match = NAME.search(re.sub(r"__attribute__\s*\(\(.*?\)\)+", "", head))
    return match[1] if match else head.strip()


def _end_of_body(plain, position):
    """The closing brace of a body; the braces of member initialisers come before it."""
    while True:
        position = _matching_brace(plain, position)
        following = re.compile(r"\s*[,{]").match(plain, position + 1)
        if not following:
            return position
        position = plain.find("{", position)


def _matching_brace(plain, position):
    depth = 0
    for index in range(position, len(plain)):
        if plain[index] == "{":
            depth += 1
        elif plain[index] == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(plain) - 1
