# Opens a log once.
import sys
with open("out", "a", encoding="ascii") as log:
    for number, line in enumerate(sys.stdin):
        if number == 60000:
            break
        log.write(f"{number}: {line}")
