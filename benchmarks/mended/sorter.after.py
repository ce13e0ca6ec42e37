"""Sorts the lines of a text by their last number, and lets the file gather them."""
import sys

numbers = [[] for _ in range(1000)]
for line in sys.stdin:
    numbers[int(line.split()[1])].append(line)
with open("out", "wb") as out:
    for lines in numbers:
        for line in lines:
            out.write(line.encode())
