--TEST--
Http\Compression: defaults, ranges, and that it cannot be changed
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Http\{Compression, Encoding};

$usual = new Compression();
echo json_encode($usual->encodings), " $usual->minBytes $usual->gzipLevel $usual->brotliLevel $usual->zstdLevel\n";
var_dump($usual->types[0], in_array('application/json', $usual->types, true), in_array('image/png', $usual->types, true));
$own = new Compression([Encoding::Gzip, Encoding::Zstd, Encoding::Gzip], 0, ['text/html', 'font/*'], 1, 11, 19);
echo json_encode(get_object_vars($own), JSON_UNESCAPED_SLASHES), "\n";
foreach (['minBytes' => [0, 1 << 30], 'gzipLevel' => [1, 9], 'brotliLevel' => [1, 11], 'zstdLevel' => [1, 19]] as $name => [$least, $most]) {
    attempt($name, fn() => new Compression(...[$name => $least]));
    attempt($name, fn() => new Compression(...[$name => $most]));
    attempt($name, fn() => new Compression(...[$name => $least - 1]));
    attempt($name, fn() => new Compression(...[$name => $most + 1]));
}
attempt('none', fn() => new Compression([]));
attempt('keys', fn() => new Compression(['a' => Encoding::Gzip]));
attempt('strings', fn() => new Compression(['gzip']));
attempt('no types', fn() => new Compression(types: []));
attempt('type', fn() => new Compression(types: ['text/html; charset=utf-8']));
attempt('case', fn() => new Compression(types: ['Text/html']));
attempt('number', fn() => new Compression(types: [1]));
attempt('many', fn() => new Compression(types: array_fill(0, 101, 'a/b')));
attempt('again', fn() => $own->__construct());
attempt('change', function () use ($own) { $own->minBytes = 2; });
$server = new Sluice\Server();
attempt('with', fn() => $server->http('127.0.0.1:0', fn() => null, new Sluice\Http\Options(compression: $own)));
attempt('wrong', fn() => $server->http('127.0.0.1:1', fn() => null, new Sluice\Http\Options(compression: new Sluice\WebSocket\Compression())));
?>
--EXPECT--
["zstd","br","gzip"] 1024 6 4 3
string(6) "text/*"
bool(true)
bool(false)
{"encodings":["gzip","zstd"],"minBytes":0,"types":["text/html","font/*"],"gzipLevel":1,"brotliLevel":11,"zstdLevel":19}
minBytes: fine
minBytes: fine
ValueError: Sluice\Http\Compression::__construct(): Argument #2 ($minBytes) must be between 0 and 1073741824, -1 given
ValueError: Sluice\Http\Compression::__construct(): Argument #2 ($minBytes) must be between 0 and 1073741824, 1073741825 given
gzipLevel: fine
gzipLevel: fine
ValueError: Sluice\Http\Compression::__construct(): Argument #4 ($gzipLevel) must be between 1 and 9, 0 given
ValueError: Sluice\Http\Compression::__construct(): Argument #4 ($gzipLevel) must be between 1 and 9, 10 given
brotliLevel: fine
brotliLevel: fine
ValueError: Sluice\Http\Compression::__construct(): Argument #5 ($brotliLevel) must be between 1 and 11, 0 given
ValueError: Sluice\Http\Compression::__construct(): Argument #5 ($brotliLevel) must be between 1 and 11, 12 given
zstdLevel: fine
zstdLevel: fine
ValueError: Sluice\Http\Compression::__construct(): Argument #6 ($zstdLevel) must be between 1 and 19, 0 given
ValueError: Sluice\Http\Compression::__construct(): Argument #6 ($zstdLevel) must be between 1 and 19, 20 given
ValueError: Sluice\Http\Compression::__construct(): Argument #1 ($encodings) must be a list with at least one encoding
ValueError: Sluice\Http\Compression::__construct(): Argument #1 ($encodings) must be a list with at least one encoding
TypeError: Sluice\Http\Compression::__construct(): Argument #1 ($encodings) must be a list of Sluice\Http\Encoding, string found in it
no types: fine
ValueError: Sluice\Http\Compression::__construct(): Argument #3 ($types) must hold types in lower case like "text/html" or "text/*", "text/html; charset=utf-8" given
ValueError: Sluice\Http\Compression::__construct(): Argument #3 ($types) must hold types in lower case like "text/html" or "text/*", "Text/html" given
TypeError: Sluice\Http\Compression::__construct(): Argument #3 ($types) must be a list of string, int found in it
ValueError: Sluice\Http\Compression::__construct(): Argument #3 ($types) must be a list of at most 100 types
Error: Sluice\Http\Compression is constructed already and cannot be changed
Error: Cannot modify readonly property Sluice\Http\Compression::$minBytes
with: fine
TypeError: Sluice\Http\Options::__construct(): Argument #4 ($compression) must be of type Sluice\Http\Compression|false|null, Sluice\WebSocket\Compression given
