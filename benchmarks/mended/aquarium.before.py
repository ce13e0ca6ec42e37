"""Splits the readings of an aquarium's probes into one table for each tank, and lists alarms."""
import os
import shutil
from collections import defaultdict

SOURCE = "readings.csv"
TARGET = "tanks"
LIMITS = {
    "temperature": (23.2, 26.8),
    "ph": (7.4, 8.6),
    "nitrate": (0, 12.9),
    "salinity": (31.5, 36.5),
    "oxygen": (6.5, 99),
}


class Statistics:
    def __init__(self):
        self.count = 0
        self.total = 0.0
        self.low = float("inf")
        self.high = float("-inf")

    def add(self, value):
        self.count += 1
        self.total += value
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    def __str__(self):
        return f"{self.count:6d} {self.low:8.2f} {self.total / self.count:8.2f} {self.high:8.2f}"


def clock(seconds):
    return f"{seconds // 86400}d {seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}"


def parse(line):
    time, tank, kind, value = line.rstrip("\n").split(",")
    if kind not in LIMITS:
        raise ValueError(kind)
    return int(time), tank, kind, float(value)


def save(tank, text):
    with open(os.path.join(TARGET, tank + ".csv"), "a") as f:
        f.write(text)


def main():
    shutil.rmtree(TARGET, ignore_errors=True)
    os.mkdir(TARGET)
    statistics = defaultdict(Statistics)
    alarms = defaultdict(int)
    skipped = 0
    with open(SOURCE) as readings:
        next(readings)
        for line in readings:
            try:
                time, tank, kind, value = parse(line)
            except ValueError:
                skipped += 1
                continue
            statistics[kind].add(value)
            low, high = LIMITS[kind]
            mark = ""
            if not low <= value <= high:
                mark = "!"
                alarms[tank] += 1
            save(tank, f"{clock(time)},{kind},{value:.2f},{mark}\n")
    for kind, s in sorted(statistics.items()):
        print(f"{kind:12} {s}")
    for tank, count in sorted(alarms.items()):
        print(f"{tank}: {count} alarms")
    print(f"{skipped} lines skipped")


if __name__ == "__main__":
    main()
