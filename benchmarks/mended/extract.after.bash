# Cuts the sections out of an archive, and notes the checksum and the compressed size of each.
size=30000
for section in 0 1 2 3 4 5 6 7 8 9 10 11; do
  dd if=table of=section ibs=1 obs=64K skip=$((section * 700000 + 17)) count=$size 2>/dev/null
  sum=$(cksum <section)
  packed=$(gzip -9 <section | wc -c)
  echo "section $section: ${sum% *} $packed"
done >out
