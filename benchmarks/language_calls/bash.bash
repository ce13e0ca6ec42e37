# Pairs of programs for language_calls.py. This part is common to all of them.
# PAIR write 50000 echo
for ((i = 0; i < CALLS; ++i)); do echo "$i text"; done > out
# AFTER
for ((i = 0; i < CALLS; ++i)); do all[i]="$i text"; done; printf '%s\n' "${all[@]}" > out
# PAIR open 30000 echo to a file each time
for ((i = 0; i < CALLS; ++i)); do echo "$i text" >> out; done
# AFTER
for ((i = 0; i < CALLS; ++i)); do echo "$i text"; done >> out
# PAIR seek 50000 read of lines
while IFS= read -r line && ((++i < CALLS)); do :; done < lines
# AFTER
mapfile -t -n CALLS all < lines
for line in "${all[@]}"; do :; done
