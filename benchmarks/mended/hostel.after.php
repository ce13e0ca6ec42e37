<?php
// hostel: makes the web page of the bookings in bookings.tsv (guest, town,
// day, nights, bed).
$in = fopen('bookings.tsv', 'r') or exit(1);
$out = fopen('bookings.html', 'w') or exit(1);
$nights = [];
$income = 0;

$page = "<table>\n";
while (($line = fgets($in)) !== false) {
    [$guest, $town, $day, $stay, $bed] = explode("\t", rtrim($line));
    $price = $stay * ($day > 150 && $day < 250 ? 28.5 : 19.0);
    if ($stay >= 7) {
        $price *= 0.9;
    }
    $nights[$town] = ($nights[$town] ?? 0) + $stay;
    $income += $price;
    $page .= '<tr><td>' . htmlspecialchars($guest) . '</td>';
    $page .= '<td>' . htmlspecialchars($town) . '</td>';
    $page .= '<td>' . date('j M', ($day - 1) * 86400) . '</td>';
    $page .= "<td>bed $bed</td>";
    $page .= '<td>' . number_format($price, 2) . "</td></tr>\n";
}
$page .= "</table>\n";
fwrite($out, $page);
fclose($out);
fclose($in);
ksort($nights);
foreach ($nights as $town => $n) {
    echo "$town: $n nights\n";
}
printf("%.2f\n", $income);
