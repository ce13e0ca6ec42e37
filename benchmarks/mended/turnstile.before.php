<?php
// turnstile: counts the visitors of the rooms of a museum.  passages.txt has
// lines "time room in|out"; the counters are kept in the folder counters, one
// file for each room, for the display at the entrance.

function counter_file($room)
{
    return "counters/$room.txt";
}

function get_count($room)
{
    $name = counter_file($room);
    return file_exists($name) ? (int) file_get_contents($name) : 0;
}

function set_count($room, $n)
{
    file_put_contents(counter_file($room), "$n\n");
}

if (!is_dir('counters'))
    mkdir('counters');
foreach (glob('counters/*.txt') as $old)
    unlink($old);

$full = fopen('full.txt', 'w');
$highest = [];
$busy = [];
$recent = [];
$rush = 0;
$passages = 0;
foreach (file('passages.txt', FILE_IGNORE_NEW_LINES) as $line) {
    if (!preg_match('/^(\d\d):(\d\d):\d\d (room\d+) (in|out)$/', $line, $m)) {
        echo "wrong line: $line\n";
        continue;
    }
    [, $hour, $minute, $room, $way] = $m;
    $quarter = sprintf('%02d:%02d', $hour, intdiv($minute, 15) * 15);
    $busy[$quarter] = ($busy[$quarter] ?? 0) + 1;
    $n = get_count($room);
    if ($way === 'in')
        $n++;
    elseif ($n > 0)
        $n--;
    set_count($room, $n);
    if ($n > 60)
        fwrite($full, "$hour:$minute $room $n\n");
    if ($n > ($highest[$room] ?? 0))
        $highest[$room] = $n;
    $recent[$passages % 100] = $way === 'in' ? 1 : -1;
    $rush = max($rush, array_sum($recent));
    $passages++;
}
fclose($full);

ksort($highest);
foreach ($highest as $room => $n)
    echo "$room: at most $n visitors\n";
arsort($busy);
foreach (array_slice($busy, 0, 5) as $quarter => $n)
    echo "$quarter $n passages\n";
echo "$passages passages, at most $rush more in than out in a hundred\n";
