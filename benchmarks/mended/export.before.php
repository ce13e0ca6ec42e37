<?php
// Writes the rows of a table as comma-separated values.
$out = fopen('out', 'w');
for ($row = 0; $row < 800000; ++$row) {
    fwrite($out, $row . ',' . ($row * 7 % 1000) . ",name $row\n");
}
fclose($out);
