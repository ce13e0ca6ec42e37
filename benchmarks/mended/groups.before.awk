# Puts each line at the end of the file, and closes the file each time.
NR <= 300000 {
  print $2, $1 >> "out"
  close("out")
}
