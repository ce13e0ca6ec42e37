# Prints each result at once.
import sys
for number, line in enumerate(sys.stdin):
    if number == 300000:
        break
    print(number, line.split()[1], flush=True)
