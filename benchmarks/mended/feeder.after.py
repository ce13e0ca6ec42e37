# Cleans the names of a text and gives them to sort, which counts as a child process.
import re
import subprocess
import sys

clean = re.compile(r"[^a-z0-9 ]+")
with open("out", "wb") as out:
    sort = subprocess.Popen(["sort", "-u"], stdin=subprocess.PIPE, stdout=out, text=True)
    for number, line in enumerate(sys.stdin):
        if number == 300000:
            break
        words = clean.sub(" ", line.lower()).split()
        print(" ".join(reversed(words)), file=sort.stdin)
    sort.stdin.close()
    sort.wait()
