# Reads a file line by line by the shell.
count=0
while read -r name number rest; do
  count=$((count + number))
  [ "$name" = line-150000 ] && break
done < lines
echo "$count"
