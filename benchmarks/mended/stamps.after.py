# Writes the day of each order, which the module datetime computes.
import datetime
import itertools
import sys

for line in itertools.islice(sys.stdin, 300):
    number = int(line.split()[0].split("-")[1])
    seconds = 1_600_000_000 + number * 86_400
    day = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d")
    print(day, line, end="")
