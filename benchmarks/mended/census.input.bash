#!/bin/bash
text=$(printf 'x%.0s' {1..300})
for d in {0..19}; do
  mkdir -p tree/dir$d/sub
  for i in {1..140}; do
    printf '%s' "${text:0:(i * 7 + d) % 300}" > tree/dir$d/f$i.t$(((i + d) % 9))
    : > tree/dir$d/sub/g$i.u$((i % 5))
  done
done
