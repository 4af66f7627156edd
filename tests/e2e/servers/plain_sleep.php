<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, server};

$server = server();
$handled = 0;
$server->http(address(), function (Request $request, Response $response) use (&$handled): void {
    $response->text((string) ++$handled);
    usleep((int) $request->query('ms') * 1000);
    --$handled;
});
$server->run();
