#!/usr/bin/env python3
"""Cuts the genes out of a compressed chromosome and looks at their codons."""
import gzip
from collections import Counter

COMPLEMENT = str.maketrans("ACGT", "TGCA")


def genes():
    with open("genes.txt") as f:
        for line in f:
            name, start, end, strand = line.split()
            yield name, int(start), int(end), strand


def cut(chromosome, start, end, strand):
    seq = chromosome[start:end].decode()
    if strand == "-":
        seq = seq.translate(COMPLEMENT)[::-1]
    return seq


def main():
    usage = Counter()
    with gzip.open("chr.seq.gz", "rb") as f:
        chromosome = f.read()
    with open("genes.fa", "w") as out:
        for name, start, end, strand in genes():
            seq = cut(chromosome, start, end, strand)
            gc = (seq.count("G") + seq.count("C")) / len(seq)
            out.write(">%s %d-%d %s gc=%.3f\n" % (name, start, end, strand, gc))
            for i in range(0, len(seq), 60):
                out.write(seq[i:i + 60] + "\n")
            usage.update(seq[i:i + 3] for i in range(0, len(seq) - 2, 3))
    total = sum(usage.values())
    for codon, n in sorted(usage.items()):
        print("%s %6d %.4f" % (codon, n, n / total))


main()
