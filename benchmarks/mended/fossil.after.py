"""Reads laser scans of fossils (layers of points) and prints measures of each piece and layer."""
import glob
import struct
import sys

MATERIALS = ["stone", "bone", "shell", "resin"]


class Scan:
    def __init__(self, path):
        self.path = path
        self.layers = []

    @property
    def points(self):
        return sum(len(points) for _, points in self.layers)


class Reader:
    def __init__(self, path):
        self.path = path
        self.file = open(path, "rb")

    def unpack(self, form):
        data = self.file.read(struct.calcsize(form))
        return struct.unpack(form, data)

    def scan(self):
        if self.file.read(4) != b"PTS1":
            raise ValueError(f"{self.path} is not a scan")
        scan = Scan(self.path)
        (layers,) = self.unpack("<I")
        for _ in range(layers):
            height, count = self.unpack("<fI")
            points = []
            for _ in range(count):
                points.append(self.unpack("<hhBB"))
            scan.layers.append((height, points))
        self.file.close()
        return scan


def extent(points):
    xs = [p[0] for p in points]
    ys = [p[1] for p in points]
    return max(xs) - min(xs), max(ys) - min(ys)


def report(scan):
    print(f"{scan.path}: {len(scan.layers)} layers, {scan.points} points")
    materials = [0] * len(MATERIALS)
    light = 0
    for height, points in scan.layers:
        width, depth = extent(points)
        for point in points:
            materials[point[3]] += 1
            light += point[2]
        print(f"  {height:6.2f} mm  {len(points):5d} points  {width / 100:.2f} x {depth / 100:.2f}")
    for name, count in zip(MATERIALS, materials):
        print(f"  {name}: {100 * count / scan.points:.1f} %")
    print(f"  mean light {light / scan.points:.2f}")


def main():
    paths = sorted(glob.glob("*.pts"))
    if not paths:
        sys.exit("no scans here")
    total = 0
    for path in paths:
        scan = Reader(path).scan()
        report(scan)
        total += scan.points
    print(f"{total} points in {len(paths)} scans")


if __name__ == "__main__":
    main()
