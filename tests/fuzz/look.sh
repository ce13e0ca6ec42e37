#!/bin/sh
# Looks for new inputs: look.sh TARGET SECONDS. Inputs that libFuzzer wants to try again stay in
# build/fuzz/corpus. Inputs that break something stay in build/fuzz/found.
set -eu
cd "$(dirname "$0")/../.."
target=$1
seconds=$2
new=build/fuzz/corpus/$target
found=build/fuzz/found
mkdir -p "$new" "$found"
exec build/fuzz/bin/"fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2000 \
  -print_final_stats=1 -artifact_prefix="$found/$target-" "$new" "tests/fuzz/corpus/$target"
