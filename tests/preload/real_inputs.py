"""Input files for real programs: the same bytes wherever and whenever they are made."""
import os
import random
import struct

PACKET_BYTES = 100


def write_text(path, lines):
    """Lines of 10 to 130 bytes: a number, words, and one word in every tenth line."""
    numbers = random.Random(1)
    words = ["alpha", "beta", "gamma", "delta", "a", "of", "some", "considerable", "length", "42"]
    with open(path, "w", encoding="ascii") as file:
        for line in range(lines):
            chosen = numbers.choices(words, k=numbers.randrange(1, 20))
            mark = " needle" if line % 10 == 0 else ""
            file.write(f"{numbers.randrange(10**6)} {' '.join(chosen)}{mark}\n")


def write_binary(path, size):
    path.write_bytes(random.Random(2).randbytes(size))


def write_ppm(path, width, height):
    pixels = random.Random(3).randbytes(3 * width * height)
    path.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + pixels)


def write_sam(path, reads, bases):
    """Alignments of 50 bases, in order, on two references of `bases` each."""
    numbers = random.Random(4)
    with open(path, "w", encoding="ascii") as file:
        file.write("@HD\tVN:1.6\tSO:coordinate\n")
        for reference in ("one", "two"):
            file.write(f"@SQ\tSN:{reference}\tLN:{bases}\n")
        for reference in ("one", "two"):
            starts = sorted(numbers.randrange(1, bases - 50) for _ in range(reads // 2))
            for index, start in enumerate(starts):
                read = "".join(numbers.choices("ACGT", k=50))
                file.write(f"{reference}{index}\t0\t{reference}\t{start}\t60\t50M\t*\t0\t0\t"
                           f"{read}\t{'I' * 50}\n")


def write_pcap(path, packets):
    """A recording of UDP packets, one in a millisecond, as tcpdump writes it."""
    payload = random.Random(5).randbytes(PACKET_BYTES - 14 - 20 - 8)
    ethernet = bytes(range(12)) + b"\x08\x00"
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for index in range(packets):
            file.write(struct.pack("<IIII", index // 1000, index % 1000 * 1000,
                                   PACKET_BYTES, PACKET_BYTES))
            file.write(ethernet + ip_header(index % 65536)
                       + struct.pack(">HHHH", 1000 + index % 500, 4000, 8 + len(payload), 0)
                       + payload)


def ip_header(identity):
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, PACKET_BYTES - 14, identity, 0, 64, 17, 0,
                         bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    total = sum(struct.unpack(">10H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return header[:10] + struct.pack(">H", ~total & 0xFFFF) + header[12:]


def write_tree(folder, files, file_bytes):
    """Files of different lengths in folders; all of them as old as time itself."""
    content = random.Random(6).randbytes(2 * file_bytes)
    for index in range(files):
        path = folder / f"part{index % 7}" / f"file{index}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content[index:index + file_bytes * (index % 3) // 2 + 1])
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, (0, 0))
