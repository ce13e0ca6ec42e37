"""Sorts the lines of a text by their last number, and writes each line by itself."""
import os
import sys

numbers = [[] for _ in range(1000)]
for line in sys.stdin:
    numbers[int(line.split()[1])].append(line)
out = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
for lines in numbers:
    for line in lines:
        os.write(out, line.encode())
os.close(out)
