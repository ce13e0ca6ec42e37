#!/usr/bin/env python3
"""Adds up the deliveries of a fruit cooperative. The state (what was processed, and the sums) is
kept in state.json, so that the next run can go on with the new deliveries only (option
--continue)."""
import json
import os
import statistics
import sys

FOLDER = "deliveries"
STATE = "state.json"


class State:
    def __init__(self, path, old):
        self.path = path
        if old and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.data = json.load(file)
        else:
            self.data = {"processed": {}, "farms": {}}

    def save(self):
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(self.data, file, indent=2, sort_keys=True)
        os.replace(temporary, self.path)

    def is_processed(self, name):
        return name in self.data["processed"]

    def add(self, name, delivery):
        farm = self.data["farms"].setdefault(delivery["farm"], {})
        for crate in delivery["crates"]:
            grades = farm.setdefault(crate["fruit"], {})
            grade = str(crate["grade"])
            grades[grade] = round(grades.get(grade, 0) + crate["kilograms"], 1)
        self.data["processed"][name] = len(delivery["crates"])


def read_delivery(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return json.load(file)


def process(state):
    new = 0
    for name in sorted(os.listdir(FOLDER)):
        if state.is_processed(name):
            continue
        delivery = read_delivery(name)
        if not delivery["crates"]:
            print(name, "is empty")
        state.add(name, delivery)
        state.save()
        new += 1
    state.save()
    return new


def report(state):
    for farm, fruits in sorted(state.data["farms"].items()):
        print(farm)
        for fruit, grades in sorted(fruits.items()):
            total = sum(grades.values())
            print(f"  {fruit:10} {total:9.1f} kg", *(f"{g}: {w / total:6.1%}"
                                                   for g, w in sorted(grades.items())))
    crates = list(state.data["processed"].values())
    print(f"{statistics.mean(crates):.2f} crates per delivery, "
          f"deviation {statistics.stdev(crates):.3f}")


def main():
    state = State(STATE, "--continue" in sys.argv[1:])
    print(process(state), "new deliveries")
    report(state)


if __name__ == "__main__":
    main()
