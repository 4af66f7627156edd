<?php

declare(strict_types=1);

// A page, as it is or compressed, with or without an access log:
// php responses.php <address> process|base <bytes, 0: hello world> none|zstd|br|gzip none|<path of a log> [Json]

use Sluice\Http\{AccessLog, Compression, Encoding, LogFormat, Options, Request, Response};
use Sluice\{Mode, Server};

[, $address, $mode, $bytes, $encoding, $log] = $argv;
$mode = Mode::from($mode);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);
$page = 'hello world';
if ($bytes > 0) {
    // As redundant as pages are: words that come again, and numbers that do not.
    mt_srand(1);
    for ($page = ''; strlen($page) < $bytes;) {
        $page .= '<tr class="row"><td>' . mt_rand() . '</td><td>' . ['apples', 'pears', 'plums'][mt_rand(0, 2)] . "</td></tr>\n";
    }
}
$server->http(
    $address,
    fn (Request $request, Response $response) => $response->html($page),
    new Options(
        compression: $encoding === 'none' ? null : new Compression([Encoding::from($encoding)]),
        accessLog: $log === 'none' ? null : new AccessLog($log, constant(LogFormat::class . '::' . ($argv[6] ?? 'Combined'))),
    ),
);
$server->run();
