<?php
// visits: counts page visits from the requests on standard input; the counts are kept in
// visits.json

function bump(string $page, string $visitor): void
{
    $file = fopen('visits.json', 'c+');
    $text = stream_get_contents($file);
    $counts = $text === '' ? [] : json_decode($text, true);
    if (!isset($counts[$page])) {
        $counts[$page] = ['hits' => 0, 'last' => ''];
    }
    $counts[$page]['hits']++;
    $counts[$page]['last'] = $visitor;
    rewind($file);
    fwrite($file, json_encode($counts));
    ftruncate($file, ftell($file));
    fclose($file);
}

@unlink('visits.json');
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
    bump($parts['path'], substr($visitor, 0, 10));
}
ksort($refs);
foreach ($refs as $ref => $n) {
    echo "$ref $n\n";
}
