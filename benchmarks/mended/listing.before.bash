# Prints the names of many files, each by a command of its own.
mkdir folder
mapfile -t -n 500 names
(cd folder && touch "${names[@]%% *}")
find folder -type f -exec basename {} \; | sort
rm -r folder
