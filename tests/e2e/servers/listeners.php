<?php

declare(strict_types=1);

// Listens on what the environment's ADDRESSES names, as JSON: a list of [protocol, address, what else the Listener has].
// Protocols: http (with a WebSocket at /echo), tcp (lines, echoed).

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Listener, Tcp, Tls};
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{server, worker};

$server = server();
$asked = is_file('addresses') ? file_get_contents('addresses') : getenv('ADDRESSES');

foreach (json_decode($asked, true, flags: JSON_THROW_ON_ERROR) as [$protocol, $address, $options]) {
    if (isset($options['tls'])) {
        $options['tls'] = new Tls(...$options['tls']);
    }
    if ($protocol === 'tcp') {
        $echo = fn (Tcp\Connection $from, string $line) => $from->send($from->peer() . " said $line\n");
        $server->tcp(new Listener($address, ...$options), Tcp\Framing::line("\n"), $echo);
        continue;
    }
    $page = function (Request $request, Response $response) use ($server): void {
        match ($request->path()) {
            '/big' => $response->end(str_repeat('0123456789abcdef', 65536)),
            '/reload' => [$server->reload(), $response->text('reloading')],
            default => $response->json(worker() + [
                'peer' => $request->peer(),
                'scheme' => $request->scheme(),
                'bytes' => strlen($request->body()),
                'addresses' => $server->addresses(),
            ]),
        };
    };
    $echo = fn (Connection $who, string $data, bool $binary) => $who->send($who->peer() . " said $data", $binary);
    $server->http(new Listener($address, ...$options), $page)->webSocket('/echo', $echo);
}

$server->run();
