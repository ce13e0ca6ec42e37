# Puts each line at the end of the file, which stays open.
NR <= 300000 {
  print $2, $1 >> "out"
}
