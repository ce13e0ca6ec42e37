# Reads a small file once.
BEGIN {
  for (i = 0; i < 100; ++i) print i > "codes"; close("codes")
  while ((getline code < "codes") > 0) codes[++count] = code
}
NR % 20 == 0 {
  n = 0
  for (i = 1; i <= count; ++i) n += codes[i]
  sum += n + $2
}
END { print sum }
