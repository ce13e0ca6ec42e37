<?php // Pairs of programs for language_calls.py. This part is common to all of them.
for ($i = 0; $i < 1000; ++$i) $lines[] = "$i," . $i * 7919 % 1000 . ",text\n";
// PAIR write 100000 fwrite
$out = fopen("out", "w");
for ($i = 0; $i < CALLS; ++$i) fwrite($out, $lines[$i % 1000]);
// AFTER
$out = fopen("out", "w");
$all = "";
for ($i = 0; $i < CALLS; ++$i) $all .= $lines[$i % 1000];
fwrite($out, $all);
// PAIR write 100000 fputcsv
$out = fopen("out", "w");
for ($i = 0; $i < CALLS; ++$i) fputcsv($out, [$i, "text", 0.5]);
// AFTER
$out = fopen("out", "w");
$all = "";
for ($i = 0; $i < CALLS; ++$i) $all .= implode(",", [$i, "text", 0.5]) . "\n";
fwrite($out, $all);
// PAIR write 100000 echo
for ($i = 0; $i < CALLS; ++$i) echo $lines[$i % 1000];
// AFTER
ob_start();
for ($i = 0; $i < CALLS; ++$i) echo $lines[$i % 1000];
ob_end_flush();
// PAIR write 100000 fprintf
$out = fopen("out", "w");
for ($i = 0; $i < CALLS; ++$i) fprintf($out, "%d %.2f\n", $i, 0.5);
// AFTER
$out = fopen("out", "w");
$all = "";
for ($i = 0; $i < CALLS; ++$i) $all .= sprintf("%d %.2f\n", $i, 0.5);
fwrite($out, $all);
// PAIR seek 100000 fseek and fread
$text = fopen("lines", "r");
for ($i = 0; $i < CALLS; ++$i) { fseek($text, $i * 7919 % 4000000); $piece = fread($text, 16); }
// AFTER
$all = file_get_contents("lines");
for ($i = 0; $i < CALLS; ++$i) $piece = substr($all, $i * 7919 % 4000000, 16);
// PAIR open 30000 file_put_contents, appending
for ($i = 0; $i < CALLS; ++$i) file_put_contents("out", $lines[$i % 1000], FILE_APPEND);
// AFTER
$all = "";
for ($i = 0; $i < CALLS; ++$i) $all .= $lines[$i % 1000];
file_put_contents("out", $all, FILE_APPEND);
// PAIR open 30000 fopen, fwrite and fclose
for ($i = 0; $i < CALLS; ++$i) { $out = fopen("out", "a"); fwrite($out, $lines[$i % 1000]); fclose($out); }
// AFTER
$out = fopen("out", "a");
for ($i = 0; $i < CALLS; ++$i) fwrite($out, $lines[$i % 1000]);
