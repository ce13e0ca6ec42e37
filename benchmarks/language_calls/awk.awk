# Pairs of programs for language_calls.py. This part is common to all of them.
# PAIR write 200000 print and fflush
BEGIN { for (i = 0; i < CALLS; ++i) { print i, "text"; fflush() } }
# AFTER
BEGIN { for (i = 0; i < CALLS; ++i) print i, "text" }
# PAIR write 200000 print to a file, and fflush
BEGIN { for (i = 0; i < CALLS; ++i) { print i, "text" > "out"; fflush("out") } }
# AFTER
BEGIN { for (i = 0; i < CALLS; ++i) print i, "text" > "out" }
# PAIR open 30000 print and close
BEGIN { for (i = 0; i < CALLS; ++i) { print i, "text" >> "out"; close("out") } }
# AFTER
BEGIN { for (i = 0; i < CALLS; ++i) print i, "text" >> "out" }
# PAIR open 30000 getline and close
BEGIN { for (i = 0; i < CALLS; ++i) { getline line < "lines"; close("lines") } }
# AFTER
BEGIN { for (i = 0; i < CALLS; ++i) getline line < "lines" }
