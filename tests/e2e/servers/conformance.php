<?php

declare(strict_types=1);

// Echoes every message: the peer of the conformance cases of RFC 6455 and RFC 7692.

require getenv('SUPPORT');

use Sluice\{Limits, Listener, Tls, WebSocket};
use Sluice\Http\Response;
use Sluice\WebSocket\{Compression, Connection};

use function Sluice\EndToEnd\{address, server};

$server = server(limits: new Limits(queuedBytes: 64 << 20, webSocket: new WebSocket\Limits(messageBytes: 16 << 20, closeSeconds: 2.0)));
$page = fn ($request, Response $response) => $response->html('<title>Echo</title>');
$echo = function (Connection $who, string $data, bool $binary): void {
    $who->send($data, $binary);
};
$sites = [$server->http(address(), $page)];
if ($folder = getenv('CERTIFICATES')) {
    $sites[] = $server->http(new Listener(address(1), new Tls("$folder/one.pem", "$folder/one.key")), $page);
}
foreach ($sites as $site) {
    $site->webSocket('/echo', $echo);
    $site->webSocket('/deflate', $echo, new WebSocket\Options(compression: new Compression(minBytes: 0)));
    $site->webSocket('/context', $echo, new WebSocket\Options(compression: new Compression(serverTakeover: true, clientTakeover: true, minBytes: 0)));
}
$server->run();
