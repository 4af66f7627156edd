--TEST--
Bodies that stand in extents are strings like any other: read, cut, changed, kept, used as keys
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/server.inc';

// Each function gets the body; its result is compared with that for a string of PHP's own.
const CODE = <<<'PHP'
    function operations(): array
    {
        return [
            'itself' => fn(string $s) => $s,
            'append' => function (string $s) { $s .= 'x'; return $s . strlen($s); },
            'append to a copy' => function (string $s) { $t = $s; $t .= $s; return $t; },
            'prepend' => fn(string $s) => "x$s",
            'offset write' => function (string $s) { $t = $s; $t[0] = 'X'; return $t . $s; },
            'offset write in place' => function (string $s) { $s[5] = 'X'; return $s; },
            'offset past the end' => function (string $s) { $s[strlen($s) + 3] = 'X'; return $s; },
            'offset read' => fn(string $s) => $s[0] . $s[-1] . $s[4000],
            'increment' => function (string $s) { $s++; return $s; },
            'array key' => function (string $s) { $a = [$s => 1]; $a[$s] = 2; return [$a[$s], array_key_first($a)]; },
            'property name' => function (string $s) { $o = new stdClass(); $o->$s = 3; return (array) $o; },
            'array element' => function (string $s) { $a = [$s, $s]; $a[0] .= 'y'; return $a; },
            'reference' => function (string $s) { $r = &$s; $r .= 'z'; $r[1] = 'r'; return $s; },
            'substr' => fn(string $s) => [substr($s, 1), substr($s, 0), substr($s, 100, 50), substr($s, -3)],
            'substr_replace' => fn(string $s) => substr_replace($s, 'new', 10, 20),
            'str_replace' => fn(string $s) => [str_replace('a', 'bb', $s), str_replace('#', '-', $s), str_replace($s, 'all', $s)],
            'str_ireplace' => fn(string $s) => str_ireplace('A', 'c', $s),
            'strtr' => fn(string $s) => [strtr($s, 'abc', 'cba'), strtr($s, ['aa' => 'b', 'z' => ''])],
            'explode' => fn(string $s) => [explode(' ', $s), explode('#', $s), explode($s, $s)],
            'implode' => fn(string $s) => [implode($s, ['a', 'b']), implode(',', [$s, $s]), implode('', [$s])],
            'str_split' => fn(string $s) => [str_split($s, 1000), str_split($s, 1 << 20)],
            'case' => fn(string $s) => [strtoupper($s), strtolower($s), ucfirst($s), lcfirst($s), ucwords($s)],
            'trim' => fn(string $s) => [trim($s), ltrim($s, 'abc'), rtrim($s), trim($s, '#')],
            'pad, repeat' => fn(string $s) => [str_pad($s, strlen($s) + 5, '-'), str_pad($s, 3), str_repeat($s, 2), str_repeat($s, 1)],
            'strrev' => fn(string $s) => strrev($s),
            'wordwrap' => fn(string $s) => wordwrap($s, 20, "\n", true),
            'nl2br' => fn(string $s) => nl2br($s),
            'escape' => fn(string $s) => [htmlspecialchars($s), addslashes($s), stripslashes($s), quotemeta($s), strip_tags($s)],
            'sprintf' => fn(string $s) => [sprintf('%s', $s), sprintf("%'*10.5s|", $s), sprintf($s), vsprintf('%2$s', [1, $s])],
            'preg' => fn(string $s) => [preg_replace('/a+/', '<$0>', $s), preg_replace('/#/', '', $s), preg_match_all('/\w+/u', $s, $m), $m,
                preg_split('/ /', $s), preg_replace_callback('/b/', fn($m) => strtoupper($m[0]), $s), preg_quote($s)],
            'preg subject kept' => function (string $s) { preg_match('/^.*$/s', $s, $m, PREG_OFFSET_CAPTURE); return $m; },
            'pattern' => fn(string $s) => preg_match('/' . preg_quote(substr($s, 0, 200), '/') . '/', $s),
            'hash' => fn(string $s) => [md5($s), sha1($s), hash('sha256', $s), crc32($s), hash_equals($s, $s)],
            'encode' => fn(string $s) => [base64_decode(base64_encode($s)), hex2bin(bin2hex($s)), urldecode(urlencode($s)), rawurldecode(rawurlencode($s))],
            'json' => fn(string $s) => [json_decode(json_encode($s)), json_decode(json_encode([$s => $s]), true)],
            'serialize' => fn(string $s) => unserialize(serialize([$s, $s, 'k' => [$s => $s]])),
            'var_export' => fn(string $s) => eval('return ' . var_export($s, true) . ';'),
            'compare' => fn(string $s) => [$s === $s . '', $s == 'x', $s <=> 'a', strcmp($s, $s), strncasecmp($s, strtoupper($s), 100), similar_text(substr($s, 0, 50), $s)],
            'search' => fn(string $s) => [strpos($s, 'c'), strrpos($s, 'a'), strstr($s, ' '), strrchr($s, ' '), substr_count($s, 'a'), str_contains($s, $s), str_starts_with($s, 'a')],
            'count' => fn(string $s) => [count_chars($s, 1), str_word_count($s), strlen($s)],
            'cast' => fn(string $s) => [(int) $s, (bool) $s, (array) $s, (string) $s, is_numeric($s), settype($s, 'string')],
            'concatenate' => fn(string $s) => $s . $s . "$s-{$s}",
            'heredoc' => fn(string $s) => <<<T
                $s and $s
                T,
            'spread' => fn(string $s) => [...[$s], ...['k' => $s]],
            'compact' => function (string $s) { return compact('s'); },
            'sort' => function (string $s) { $a = [$s, 'a', strrev($s), $s]; sort($a); return array_unique($a); },
            'array functions' => fn(string $s) => [array_flip([$s]), array_count_values([$s, $s]), array_fill_keys([$s], $s), array_search($s, ['a', $s]), in_array($s, [$s], true)],
            'closure' => function (string $s) { $f = function () use ($s) { $s .= '!'; return $s; }; return [$f(), $f(), $s]; },
            'generator' => fn(string $s) => iterator_to_array((function () use ($s) { yield $s => $s; })()),
            'match' => fn(string $s) => match ($s) { 'x' => 1, $s => 2 },
            'switch' => function (string $s) { switch ($s) { case 'x': return 1; case 'y': return 2; default: return 3; } },
            'output' => function (string $s) { ob_start(); echo $s, $s; print $s; return ob_get_clean(); },
            'stream' => function (string $s) { $f = fopen('php://memory', 'w+'); fwrite($f, $s); rewind($f); return stream_get_contents($f); },
            'exception' => function (string $s) { try { throw new Exception($s); } catch (Exception $e) { return $e->getMessage(); } },
            'variable name' => function (string $s) { $$s = 5; return [$$s, isset($$s)]; },
            'global' => function (string $s) { $GLOBALS['g'] = $s; $GLOBALS['g'] .= '+'; $t = $GLOBALS['g']; unset($GLOBALS['g']); return $t; },
            'ini' => function (string $s) { ini_set('user_agent', $s); $t = ini_get('user_agent'); ini_restore('user_agent'); return $t; },
            'setter' => function (string $s) { $o = new class { public string $p = ''; }; $o->p = $s; $o->p .= '.'; $o->p[0] = 'P'; return [$o->p, (array) clone $o]; },
            'swap' => function (string $s) { $t = 'x'; [$s, $t] = [$t, $s]; return [$s, $t]; },
            'null coalescing' => function (string $s) { $a = []; $a['k'] ??= $s; $a['k'] .= ''; return $a; },
            'bitwise' => fn(string $s) => [$s ^ $s, $s | 'aaaa', ~$s],
            'unpack' => fn(string $s) => [unpack('Nn', $s), pack('a*', $s)],
            'utf8' => fn(string $s) => [preg_match('//u', $s), htmlspecialchars($s, ENT_QUOTES, 'UTF-8')],
        ];
    }
    $server->http('127.0.0.1:0', function (Request $request, Response $response): void {
        static $kept = [];
        $path = $request->path();
        if ($path === '/names') {
            $response->json(array_keys(operations()));
        } elseif ($path === '/lent') {
            $response->text((string) Worker::lentBytes());
        } elseif ($path === '/lent-all') {
            $response->text((string) $GLOBALS['server']->stats()->lentBytes);
        } elseif ($path === '/keep') {
            $kept[] = $request->body();
            $kept[$request->body()] = $request;
            $response->text((string) count($kept));
        } elseif ($path === '/kept') {
            $response->text(implode(',', array_map(fn($s) => md5(is_string($s) ? $s : $s->body()), array_values($kept))));
        } elseif ($path === '/drop') {
            $kept = [];
            $response->text('dropped');
        } else {
            $operation = operations()[$request->query('name')];
            $own = implode('', str_split($request->body(), 999));
            $expected = serialize($operation($own));
            $result = serialize($operation($request->body()));
            $again = serialize($operation($request->body()));
            $response->text($result === $expected && $again === $expected && $request->body() === $own ? 'same' : 'differs');
        }
    });
    PHP;

foreach (['process', 'base'] as $mode) {
    $server = new TestServer(CODE, $mode);
    // The bodies are larger than what the reactor reads at once, so that they do not come with their head.
    $body = str_repeat("abc \u{e4}\u{20ac} <b>x</b> 123 %% \\ ' \" \n", 5000);
    $names = json_decode($server->ask('/names'));
    $wrong = [];
    foreach ($names as $name) {
        if (($answer = $server->ask('/?name=' . urlencode($name), $body)) !== 'same') {
            $wrong[] = "$name: $answer";
        }
    }
    echo "$mode: ", count($names) > 50 && !$wrong ? 'all the same' : implode("\n", $wrong), "\n";
    $server->askUntil('/lent', '0');

    $sums = [];
    for ($i = 0; $i < 3; ++$i) {
        $bodies[$i] = str_repeat(chr(65 + $i), 200_000 + $i);
        $server->ask('/keep', $bodies[$i]);
        array_push($sums, md5($bodies[$i]), md5($bodies[$i]));
    }
    echo "lent: ", $server->ask('/lent'), ' ', $server->ask('/lent-all'), "\n";
    // Other messages come and go in the meantime.
    foreach (['itself', 'append', 'explode', 'json'] as $name) {
        $server->ask("/?name=$name", $body);
    }
    var_dump($server->ask('/kept') === implode(',', $sums));
    $server->ask('/drop');
    var_dump($server->askUntil('/lent', '0'), $server->askUntil('/lent-all', '0'));
    // The string is kept until the end of the process.
    $server->ask('/keep', $bodies[0]);
    var_dump($server->stop());
    echo preg_match('/Warning|Fatal|error|exited|Sanitizer/', $server->log()) ? $server->log() : '';
}
?>
--EXPECT--
process: all the same
lent: 600003 600003
bool(true)
bool(true)
bool(true)
int(0)
base: all the same
lent: 600003 600003
bool(true)
bool(true)
bool(true)
int(0)
