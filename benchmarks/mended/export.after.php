<?php
// Writes the rows of a table as comma-separated values, many rows at a time.
$out = fopen('out', 'w');
$text = '';
for ($row = 0; $row < 800000; ++$row) {
    $text .= $row . ',' . ($row * 7 % 1000) . ",name $row\n";
    if (strlen($text) >= 65536) {
        fwrite($out, $text);
        $text = '';
    }
}
fwrite($out, $text);
fclose($out);
