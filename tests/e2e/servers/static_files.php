<?php

declare(strict_types=1);

// The folder FILES: all of it on the first port, below /static/ on the second one, with the application behind it.

require getenv('SUPPORT');

use Sluice\Http\{Files, Request, Response};

use function Sluice\EndToEnd\{address, server};

$server = server();
$server->http(address(0), new Files(getenv('FILES'), cacheControl: 'max-age=60', precompressed: true, linksTo: array_filter(explode(':', getenv('LINKS_TO') ?: ''))));
$static = new Files(getenv('FILES'), '/static/', index: []);
$server->http(address(1), function (Request $request, Response $response) use ($static): void {
    $static->send($request, $response) || $response->text('the application: ' . $request->path());
});
$server->run();
