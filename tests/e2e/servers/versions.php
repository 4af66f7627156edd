<?php

declare(strict_types=1);

// Which versions of HTTP a site speaks. Ports: HTTP/2 alone, in clear text and over TLS.

require getenv('SUPPORT');

use Sluice\Http\{Options, Request, Response, Versions};
use Sluice\{Listener, Tls, WebSocket};

use function Sluice\EndToEnd\{address, server};

$server = server();
$page = fn (Request $request, Response $response) => $response->text("hello over {$request->protocol()}");
$tls = new Tls(getenv('CERTIFICATES') . '/one.pem', getenv('CERTIFICATES') . '/one.key');
foreach ([address(0), new Listener(address(1), $tls)] as $where) {
    $server->http($where, $page, new Options(versions: Versions::Http2))
        ->webSocket('/ws', fn (WebSocket\Connection $who, string $data) => $who->send($data));
}
$server->run();
