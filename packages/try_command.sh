#!/bin/sh
# Uses each subcommand of SLUICE on programs of the system in which this script runs, and compares
# the output of these programs. It needs the programs of a minimal Debian.
#
# usage: try_command.sh SLUICE
set -eu
sluice=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch"
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$sluice" --version

echo "put"
printf 'old\n' >target
printf 'whole\n' | "$sluice" put --atomic target
[ "$(cat target)" = whole ] || fail "put wrote '$(cat target)'"
result=0
printf 'lost\n' | "$sluice" put /dev/full 2>message || result=$?
[ $result = 1 ] || fail "put to a full disk ended with $result"
grep -q "No space left on device" message

echo "cat"
for format in zstd lz4; do
  "$sluice" put --compress=$format compressed <target
  [ "$("$sluice" cat compressed)" = whole ] || fail "cat of $format lost bytes"
done
gzip -c target | "$sluice" cat | cmp - target

echo "bench"
"$sluice" bench --quick --rounds 1 --size 4M --dir . write-lines >table
grep -q "sluice print" table || fail "bench printed no table: $(cat table)"
result=0
"$sluice" bench no-such-experiment 2>message || result=$? # an exception, from throw to catch
[ $result -gt 0 ] && [ $result -lt 128 ] || fail "bench of a wrong name ended with $result"
grep -q "no-such-experiment" message

# A text of some 700 KB, of which these programs read and write each line by stdio.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  cat /usr/share/common-licenses/GPL-3
done >text

# in_each_way PROGRAM...: runs it plainly, and by run and trace. The output must be the same.
in_each_way() {
  "$@" <text >plain
  "$sluice" run --summary -- "$@" <text >by_run 2>summary
  "$sluice" run --coalesce -- "$@" <text >by_coalesce
  "$sluice" trace -- "$@" <text >by_trace 2>report
  for output in by_run by_coalesce by_trace; do
    cmp plain $output || fail "$* wrote other bytes: $output"
  done
  grep -q "^sluice trace: $1: " report || fail "no report of $1: $(cat report)"
  if grep -i "not accelerated" summary; then fail "$1 was not covered"; fi
}

echo "run and trace"
for program in nl "cut -c 2-" "fold -w 30" uniq sort "sed s/e/E/" "sh -c cat;nl;exit"; do
  # shellcheck disable=SC2086
  in_each_way $program
done
# Its calls cost enough for the prediction that loads the object of run.
in_each_way od -An -c
cat summary
head -n 20 report

echo "completion"
"$sluice" completion bash | grep -q sluice || fail "no completion"
echo "each subcommand works"
