# Names the picture that belongs to each text, by basename and dirname.
mapfile -t -n 250 names
for name in "${names[@]}"; do
  path="/archive/${name%% *}.txt"
  echo "$(dirname "$path")/pictures/$(basename "$path" .txt).png"
done
