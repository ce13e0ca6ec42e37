# Reads the settings once, and takes the bytes apart each time.
import sys

with open("settings", "w", encoding="ascii") as file:
    for i in range(40):
        print(f"key{i}={i * 7}", file=file)
with open("settings", encoding="ascii") as file:
    LINES = file.readlines()


def settings():
    values = {}
    for line in LINES:
        key, value = line.rstrip("\n").split("=")
        values[key] = int(value)
    return values


total = 0
for number, line in enumerate(sys.stdin):
    if number % 10 == 0:
        total += settings()[f"key{number % 40}"] + len(line)
print(total)
