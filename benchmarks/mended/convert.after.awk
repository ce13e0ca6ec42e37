# Writes a report of all lines.
{ printf "%s\t%d\t%.1f\n", $1, $2, $2 / 7 > "out" }
