# A capture file in the classic format: 660,000 packets of Ethernet, IPv4, and UDP or TCP.
perl -e '
binmode STDOUT; my $s = 7;
sub r { $s = ($s * 1103515245 + 12345) & 0x7fffffff; return ($s >> 8) % $_[0] }
print pack("VvvVVVV", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1);
for my $i (1 .. 660000) {
    my $p = r(3) ? 6 : 17; my $h = $p == 6 ? 20 : 8; my $n = r(100);
    my $l4 = $p == 6 ? pack("nnNNCCnnn", 1024 + r(400), (80, 443, 22, 25)[r(4)], $i, 0, 0x50,
        (2, 16, 24, 17)[r(4)], 8192, 0, 0)
        : pack("nnnn", 5000 + r(300), (53, 123)[r(2)], 8 + $n, 0);
    my $d = pack("NNn", 0x02000000, 0x00010200, 0) . pack("n", 2) . pack("n", 0x0800)
        . pack("CCnnnCCnNN", 0x45, 0, 20 + $h + $n, $i & 65535, 0, 64, $p, 0,
            0x0a000000 + r(60), 0xc0a80100 + r(40)) . $l4 . ("x" x $n);
    print pack("VVVV", 1700000000 + int($i / 200), $i % 200 * 5000, length $d, length $d), $d;
}' > capture.pcap
