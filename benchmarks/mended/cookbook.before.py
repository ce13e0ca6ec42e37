#!/usr/bin/env python3
"""Makes an index of a cookbook: the position of each recipe in the file, the recipes that use an
ingredient, and prints some recipes by means of the index."""
import collections
import json
import re

INGREDIENT = re.compile(r"- (\d+) g (\w+)")


class Entry:
    def __init__(self, title, position):
        self.title = title
        self.position = position
        self.weight = 0
        self.ingredients = set()

    def add(self, amount, ingredient):
        self.weight += amount
        self.ingredients.add(ingredient)


class Cookbook:
    def __init__(self, path):
        self.path = path
        self.file = open(path, encoding="utf-8")
        self.entries = {}
        self.uses = collections.defaultdict(list)

    def build_index(self):
        entry = None
        while True:
            position = self.file.tell()
            line = self.file.readline()
            if not line:
                break
            if line.startswith("= "):
                entry = Entry(line[2:].strip(), position)
                self.entries[entry.title] = entry
            elif line.startswith("- "):
                match = INGREDIENT.match(line)
                if match and entry:
                    if match[2] not in entry.ingredients:
                        self.uses[match[2]].append(entry.title)
                    entry.add(int(match[1]), match[2])

    def recipe(self, title):
        """The text of a recipe."""
        self.file.seek(self.entries[title].position)
        lines = [self.file.readline()]
        while True:
            line = self.file.readline()
            if not line or line.startswith("= "):
                return "".join(lines)
            lines.append(line)

    def save_index(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({e.title: e.position for e in self.entries.values()}, file, indent=1)


def main():
    book = Cookbook("recipes.txt")
    book.build_index()
    book.save_index("recipes.index")
    print(len(book.entries), "recipes")
    for ingredient in sorted(book.uses):
        titles = book.uses[ingredient]
        heaviest = max(titles, key=lambda title: (book.entries[title].weight, title))
        print(f"{ingredient}: {len(titles)} recipes, the heaviest is {heaviest}")
    for title in sorted(book.entries)[::400]:
        print(book.recipe(title))


if __name__ == "__main__":
    main()
