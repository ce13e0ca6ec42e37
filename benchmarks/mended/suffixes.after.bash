# Names the picture that belongs to each text, by expansions of the shell.
mapfile -t -n 250 names
for name in "${names[@]}"; do
  path="/archive/${name%% *}.txt"
  file=${path##*/}
  echo "${path%/*}/pictures/${file%.txt}.png"
done
