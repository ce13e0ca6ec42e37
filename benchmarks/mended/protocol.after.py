"""audit: checks the accesses on standard input against a few rules and logs each decision in
audit.log
"""
import hashlib
import sys
from collections import Counter


class AuditLog:
    def __init__(self, path):
        self.last = ""
        self.log = open(path, "w")

    def write(self, level, *fields):
        text = "%-7s %s" % (level, " ".join(map(str, fields)))
        self.last = hashlib.sha256((self.last + text).encode()).hexdigest()[:12]
        self.log.write("%s %s\n" % (self.last, text))

    def close(self):
        self.log.close()


def decide(user, action, size, history):
    history[user, action] += 1
    if action == "delete" and history[user, action] > 50:
        return "refused"
    if action == "write" and size > 600:
        return "held"
    return "granted"


def main():
    log = AuditLog("audit.log")
    history, results = Counter(), Counter()
    for line in sys.stdin:
        number, user, action, size = line.rstrip("\n").split(";")
        result = decide(user, action, int(size), history)
        results[result] += 1
        if result == "granted":
            log.write("info", number, user, action, result)
        else:
            log.write("warning", number, user, action, result, "size", size)
    log.close()
    for name, count in sorted(results.items()):
        print(name, count)
    print("seal", log.last)


main()
