# Scans of fossils as point clouds: a header, then layers of points, little endian.
python3 - <<'P'
import random, struct
r = random.Random(6)
for n in range(6):
    with open(f"fossil{n}.pts", "wb") as f:
        f.write(b"PTS1" + struct.pack("<I", 60))
        for layer in range(60):
            count = 900 + r.randrange(800)
            f.write(struct.pack("<fI", layer * 0.25, count))
            for _ in range(count):
                f.write(struct.pack("<hhBB", r.randrange(-900, 900), r.randrange(-900, 900),
                                    r.randrange(256), r.randrange(4)))
P
