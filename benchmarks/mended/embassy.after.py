#!/usr/bin/env python3
"""embassy: makes the register of the visas in visas/, with the checksum of each application."""
import hashlib
import os


def checksum(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def read_visa(path):
    visa = {"notes": 0}
    with open(path) as f:
        for line in f:
            key, _, value = line.partition(": ")
            if key.startswith("note"):
                visa["notes"] += sum(int(word) % 7 for word in value.split())
            else:
                visa[key] = value.strip()
    return visa


def main():
    days = {}
    for name in sorted(os.listdir("visas")):
        path = os.path.join("visas", name)
        visa = read_visa(path)
        days[visa["country"]] = days.get(visa["country"], 0) + int(visa["days"])
        print(f"{name[:-4]} {visa['name']:6} {visa['days']:>3} days, {visa['notes']:5} "
              f"{checksum(path)}")
    for country in sorted(days, key=int):
        print(f"country {country}: {days[country]} days")


main()
