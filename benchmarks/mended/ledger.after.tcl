# Writes the running total of a text's numbers.
set in [open lines r]
set out [open out w]
set total 0
while {[gets $in line] >= 0} {
  incr total [lindex $line 1]
  puts $out $total
}
close $in
close $out
