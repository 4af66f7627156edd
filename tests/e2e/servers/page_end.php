<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Compression, Files, Options, Request, Response};

use function Sluice\EndToEnd\{address, server};

const PAGE = '<html><body>a page</body></html>';

file_put_contents($folder = sys_get_temp_dir() . '/page-end-' . getmypid() . '.html', PAGE);
register_shutdown_function(static fn() => @unlink($folder));

$server = server();
$site = $server->http(address(), null, new Options(pageEnd: '<i>end</i>', compression: new Compression(minBytes: 0)));
$site->get('/html', fn(Request $request, Response $response) => $response->html(PAGE));
$site->get('/long', fn(Request $request, Response $response) => $response->html('<body>' . str_repeat('long ', 1000) . '</body>'));
$site->get('/upper', fn(Request $request, Response $response) => $response->html('<BODY>a page</BODY>'));
$site->get('/twice', fn(Request $request, Response $response) => $response->html('<body><pre>&lt;/body></pre></body> </body>'));
$site->get('/without', fn(Request $request, Response $response) => $response->html('a part of a page'));
$site->get('/text', fn(Request $request, Response $response) => $response->text(PAGE));
$site->get('/with-length', fn(Request $request, Response $response) => $response->header('Content-Length', (string) strlen(PAGE))->header('Content-Type', 'text/html')->end(PAGE));
$site->get('/encoded', fn(Request $request, Response $response) => $response->header('Content-Encoding', 'gzip')->html(gzencode(PAGE)));
$site->get('/parts', fn(Request $request, Response $response) => [$response->header('Content-Type', 'text/html')->write('<body>'), $response->end('</body>')]);
$site->get('/partial', fn(Request $request, Response $response) => $response->status(206)->header('Content-Range', 'bytes 0-31/100')->html(PAGE));
$site->get('/file', fn(Request $request, Response $response) => $response->sendFile($folder));
$site->get('/echoed', function (): void {
    echo PAGE;
}, new Options(classic: true));
$site->get('/other', fn(Request $request, Response $response) => $response->html(PAGE), new Options(pageEnd: '<i>other</i>'));
$server->run();
