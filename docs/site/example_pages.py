#!/usr/bin/env python3
"""Doxygen's filter for examples: a page with the comment at the top of the file and its code.

usage: example_pages.py FILE
"""
import pathlib
import sys

import header_comments
import markdown_pages


def main(name):
    path = pathlib.Path(name).resolve()
    lines = path.read_text(encoding="utf-8").splitlines()
    comment = [line[3:] for line in lines[:next(i for i, line in enumerate(lines)
                                                if not line.startswith("//"))]]
    page = markdown_pages.page_name(path.relative_to(markdown_pages.ROOT))
    print(f"/// @page {page} {path.name}")
    print("\n".join(header_comments.documentation(comment)))
    print(f"///\n/// @include {path.name}")


if __name__ == "__main__":
    main(sys.argv[1])
