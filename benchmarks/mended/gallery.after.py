"""Copies pictures from the folders of several cameras into one gallery, named by day and number."""
import hashlib
import os
import re
import shutil

INCOMING = "incoming"
GALLERY = "gallery"
DATE = re.compile(rb"DATE(\d{4})-(\d\d)-(\d\d)\0")


def day_of(data):
    match = DATE.search(data, 0, 64)
    if match is None:
        return "undated"
    return "".join(part.decode() for part in match.groups())


class Names:
    def __init__(self):
        self.last = {}

    def free_name(self, day, extension):
        number = self.last.get((day, extension), 0) + 1
        self.last[day, extension] = number
        return os.path.join(GALLERY, f"{day}_{number:04d}{extension}")


def pictures(folder):
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if name.lower().endswith((".jpg", ".png")):
                yield os.path.join(root, name)


def page(entries):
    lines = ["<html><body>"]
    day = None
    for path, size in entries:
        if os.path.basename(path).split("_")[0] != day:
            day = os.path.basename(path).split("_")[0]
            lines.append(f"<h2>{day}</h2>")
        lines.append(f'<img src="{os.path.basename(path)}" title="{size} bytes">')
    lines.append("</body></html>")
    return "\n".join(lines) + "\n"


def main():
    shutil.rmtree(GALLERY, ignore_errors=True)
    os.mkdir(GALLERY)
    seen = {}
    names = Names()
    copied = []
    double = 0
    for source in pictures(INCOMING):
        with open(source, "rb") as f:
            data = f.read()
        digest = hashlib.sha1(data).hexdigest()
        if digest in seen:
            double += 1
            continue
        target = names.free_name(day_of(data), os.path.splitext(source)[1].lower())
        with open(target, "wb") as f:
            f.write(data)
        seen[digest] = target
        copied.append((target, len(data)))
    copied.sort()
    with open(os.path.join(GALLERY, "index.html"), "w") as f:
        f.write(page(copied))
    print(f"{len(copied)} pictures, {sum(size for _, size in copied)} bytes, {double} twice")
    days = {}
    for path, size in copied:
        day = os.path.basename(path).split("_")[0]
        days[day] = days.get(day, 0) + 1
    for day, count in sorted(days.items()):
        print(f"{day}: {count}")


if __name__ == "__main__":
    main()
