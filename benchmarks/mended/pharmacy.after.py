#!/usr/bin/env python3
"""pharmacy: checks prescriptions.csv against the drugs in stock (a file for each in stock/)."""
import os
from collections import Counter


stock = set(os.listdir("stock"))


def in_stock(drug):
    return drug + ".txt" in stock


def main():
    needed = Counter()
    missing = Counter()
    patients = {}

    with open("prescriptions.csv") as f:
        for line in f:
            patient, drug, dose, days = line.rstrip("\n").split(";")
            pills = int(dose) * int(days)
            if in_stock(drug):
                needed[drug] += pills
                patients.setdefault(patient, []).append(f"{drug} x {pills}")
            else:
                missing[drug] += 1
    for patient in sorted(patients):
        print(f"{patient:12} {', '.join(patients[patient])}")
    for drug in sorted(needed):
        with open(f"stock/{drug}.txt") as f:
            left = int(f.read()) - needed[drug]
        print(f"{drug} {needed[drug]:6} {'order ' + str(-left) if left < 0 else 'enough'}")
    for drug, times in missing.most_common():
        print(f"{drug} not in stock, asked for {times} times")


main()
