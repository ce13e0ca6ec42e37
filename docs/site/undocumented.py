#!/usr/bin/env python3
"""Lists the public names without a comment. Doxygen's own warnings leave out values of enums,
classes without members, and calls that are deleted.

usage: undocumented.py XML   (the folder of Doxygen's XML)
"""
import pathlib
import sys
import xml.etree.ElementTree

NAMED = ("class", "struct", "union", "concept", "namespace", "file")


def is_documented(element):
    parts = (element.find("briefdescription"), element.find("detaileddescription"))
    return any(part is not None and "".join(part.itertext()).strip() for part in parts)


def names(compound):
    """The compound itself, its members and their values, each with its name."""
    name = compound.findtext("compoundname")
    is_name = compound.get("kind") not in ("namespace", "file") or name.endswith(".h")
    if is_name:
        yield name, compound
    for member in compound.iter("memberdef"):
        if member.get("prot") != "public":
            continue
        yield f"{name}: {member.findtext('name')}{member.findtext('argsstring') or ''}", member
        for value in member.iter("enumvalue"):
            yield f"{name}: {member.findtext('name')}::{value.findtext('name')}", value


def undocumented(folder):
    for path in sorted(folder.glob("*.xml")):
        for compound in xml.etree.ElementTree.parse(path).getroot().iter("compounddef"):
            if compound.get("kind") in NAMED and compound.get("prot", "public") == "public":
                yield from (name for name, element in names(compound) if not is_documented(element))


def main(folder):
    found = list(undocumented(pathlib.Path(folder)))
    for name in found:
        print(f"{name}: has no comment", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
