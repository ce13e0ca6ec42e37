# Opens a log for each line of it.
import sys
for number, line in enumerate(sys.stdin):
    if number == 60000:
        break
    with open("out", "a", encoding="ascii") as log:
        log.write(f"{number}: {line}")
