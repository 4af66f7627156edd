<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, server};

$server = server();
$server->http(address(), function (Request $request, Response $response): void {
    [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    fwrite($there, 'x');
    $read = [$here];
    $none = null;
    $response->text((string) stream_select($read, $none, $none, 5));
});
$server->run();
