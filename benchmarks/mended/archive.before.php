<?php
// pack: put the asset files into one archive with a name table and checksums
const MAGIC = "APAK";
const PIECE = 64;

function copy_into($out, string $path): array
{
    $in = fopen($path, 'rb');
    $crc = hash_init('crc32b');
    $size = 0;
    while (!feof($in)) {
        $data = fread($in, PIECE);
        if ($data === false || $data === '') {
            break;
        }
        hash_update($crc, $data);
        fwrite($out, $data);
        $size += strlen($data);
    }
    fclose($in);
    return [$size, hash_final($crc)];
}

$files = glob('assets/*.dat');
natsort($files);
$out = fopen('assets.pak', 'wb');
fwrite($out, MAGIC . pack('V', count($files)));
$offset = 8;
$table = '';
foreach ($files as $path) {
    [$size, $crc] = copy_into($out, $path);
    $name = basename($path);
    $table .= pack('VVC', $offset, $size, strlen($name)) . hex2bin($crc) . $name;
    printf("%-10s %8d at %9d %s\n", $name, $size, $offset, $crc);
    $offset += $size;
}
fwrite($out, $table . pack('V', $offset));
fclose($out);
echo count($files), " files, ", $offset, " bytes, ", hash_file('sha256', 'assets.pak'), "\n";
