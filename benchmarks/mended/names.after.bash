# Lets awk read the lines.
awk '{ count += $2 } $1 == "line-150000" { exit } END { print count }' lines
