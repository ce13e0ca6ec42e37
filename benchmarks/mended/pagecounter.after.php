<?php
// visits: counts page visits from the requests on standard input; the counts are kept in
// visits.json

function load($file): array
{
    $text = stream_get_contents($file);
    return $text === '' ? [] : json_decode($text, true);
}

function save($file, array $counts): void
{
    rewind($file);
    fwrite($file, json_encode($counts));
    ftruncate($file, ftell($file));
    fclose($file);
}

function bump(array &$counts, string $page, string $visitor): void
{
    if (!isset($counts[$page])) {
        $counts[$page] = ['hits' => 0, 'last' => ''];
    }
    $counts[$page]['hits']++;
    $counts[$page]['last'] = $visitor;
}

@unlink('visits.json');
$file = fopen('visits.json', 'c+');
$counts = load($file);
$refs = [];
while (($line = fgets(STDIN)) !== false) {
    [$ip, $url, $agent] = explode(' ', rtrim($line));
    $parts = parse_url($url);
    parse_str($parts['query'] ?? '', $query);
    $visitor = $ip . '|' . $agent;
    for ($i = 0; $i < 12; $i++) {
        $visitor = hash('sha256', $visitor);
    }
    $refs[$query['ref']] = ($refs[$query['ref']] ?? 0) + 1;
    bump($counts, $parts['path'], substr($visitor, 0, 10));
}
save($file, $counts);
ksort($refs);
foreach ($refs as $ref => $n) {
    echo "$ref $n\n";
}
