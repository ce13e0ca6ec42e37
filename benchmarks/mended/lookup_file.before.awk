# Reads a small file again for each of some lines.
BEGIN { for (i = 0; i < 100; ++i) print i > "codes"; close("codes") }
NR % 20 == 0 {
  n = 0
  while ((getline code < "codes") > 0) n += code
  close("codes")
  sum += n + $2
}
END { print sum }
