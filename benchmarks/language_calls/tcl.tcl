# Pairs of programs for language_calls.py. This part is common to all of them.
# PAIR write 100000 puts and flush
proc main {} { set out [open out w]; for {set i 0} {$i < CALLS} {incr i} { puts $out "$i text"; flush $out } }
main
# AFTER
proc main {} { set out [open out w]; for {set i 0} {$i < CALLS} {incr i} { puts $out "$i text" } }
main
# PAIR write 100000 puts without a buffer
proc main {} { set out [open out w]; fconfigure $out -buffering none; for {set i 0} {$i < CALLS} {incr i} { puts -nonewline $out "$i text" } }
main
# AFTER
proc main {} { set out [open out w]; for {set i 0} {$i < CALLS} {incr i} { puts -nonewline $out "$i text" } }
main
# PAIR seek 50000 seek and read
proc main {} { set text [open lines]; for {set i 0} {$i < CALLS} {incr i} { seek $text [expr {$i * 7919 % 4000000}]; set piece [read $text 16] } }
main
# AFTER
proc main {} { set text [open lines]; set all [read $text]; for {set i 0} {$i < CALLS} {incr i} { set at [expr {$i * 7919 % 4000000}]; set piece [string range $all $at $at+15] } }
main
# PAIR seek 50000 seek and gets
proc main {} { set text [open lines]; for {set i 0} {$i < CALLS} {incr i} { seek $text [expr {$i * 7919 % 4000000}]; gets $text line } }
main
# AFTER
proc main {} { set text [open lines]; set all [read $text]; for {set i 0} {$i < CALLS} {incr i} { set at [expr {$i * 7919 % 4000000}]; set line [string range $all $at [string first \n $all $at]] } }
main
# PAIR seek 100000 tell of a file that is written
proc main {} { set out [open out w]; for {set i 0} {$i < CALLS} {incr i} { set position [tell $out]; puts -nonewline $out "a record" } }
main
# AFTER
proc main {} { set out [open out w]; set position 0; for {set i 0} {$i < CALLS} {incr i} { incr position 8; puts -nonewline $out "a record" } }
main
# PAIR open 30000 open, puts and close
proc main {} { for {set i 0} {$i < CALLS} {incr i} { set out [open out a]; puts $out "$i text"; close $out } }
main
# AFTER
proc main {} { set out [open out a]; for {set i 0} {$i < CALLS} {incr i} { puts $out "$i text" } }
main
