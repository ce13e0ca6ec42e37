# Writes the day of each order, which the command date computes.
import itertools
import subprocess
import sys

for line in itertools.islice(sys.stdin, 300):
    number = int(line.split()[0].split("-")[1])
    seconds = 1_600_000_000 + number * 86_400
    day = subprocess.run(["date", "-u", "-d", f"@{seconds}", "+%Y-%m-%d"],
                         capture_output=True, text=True, check=True).stdout.strip()
    print(day, line, end="")
