<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Options, Request, Response, Script};

use function Sluice\EndToEnd\{address, server};

$of_the_boot = 'yes';
stream_context_set_default(['ssl' => ['verify_depth' => 3]]);
match (getenv('SESSION_AT_BOOT')) {
    'handler' => session_set_save_handler(new SessionHandler()),
    'id' => session_id('of-the-boot'),
    'started' => session_start(['use_cookies' => 0]) && $_SESSION['boot'] = 'yes',
    default => null,
};
if (getenv('BUFFER_AT_BOOT')) {
    ob_start();
    echo 'buffered at the boot';
}
if (getenv('REWRITES_AT_BOOT')) {
    output_add_rewrite_var('boot', 'yes');
    echo "<form action='boot.php'></form>\n";
}
$server = server();
$processes = getenv('PROCESSES') === false ? null : (int) getenv('PROCESSES');
$site = $server->http(address(), new Script(__DIR__ . '/classic/page.php'), new Options(processes: $processes));
$site->any('/plain', function (Request $request, Response $response): void {
    $response->json([$_GET, isset($GLOBALS['of_the_boot']), isset($GLOBALS['visitor']), http_response_code()]);
});
$site->get('/settings', fn(Request $request, Response $response) => $response->json([date_default_timezone_get(), setlocale(LC_ALL, 0), mb_internal_encoding(),
    ini_get('precision'), getcwd(), ini_get('session.gc_maxlifetime'), umask(), libxml_use_internal_errors(), session_status(),
    textdomain(null), bindtextdomain('pages', null), gc_enabled(), iconv_get_encoding('internal_encoding'), stream_context_get_options(stream_context_get_default())]));
$site->get('/sets-session-id', function (Request $request, Response $response): void {
    session_id('of-a-handler');
    session_name('of-a-handler');
    $response->json([session_id(), session_status()]);
});
$site->get('/session-id', fn(Request $request, Response $response) => $response->json([session_id(), session_name(), session_status()]));
$site->get('/size', fn(Request $request, Response $response) => $response->text((string) filesize($request->query('file'))));
$site->any('/handler', function (Request $request, Response $response): void {
    $name = $_GET['name'];
    setcookie('by', $name);
    usleep(500);
    match ($_GET['case'] ?? '') {
        'response' => $response->status(202)->header('X-By', $name)->text("by the response, $name"),
        'exit' => exit("exit of $name"),
        'exit-of-child' => print(json_encode(Sluice\Coroutine\all(fn() => exit('left, '), fn() => usleep(1000) ?? 'stays')) . ", $name"),
        'child' => header('X-Child: ' . $_GET['name']) ?? Sluice\Coroutine\all(fn() => print("child of {$_GET['name']}, "), fn() => usleep(1000) ?? print('another')),
        default => print("handled for {$_GET['name']}"),
    };
}, new Options(classic: true));
$site->get('/shown', fn() => throw new LogicException('<shown>', 0, new RuntimeException('before')), new Options(showErrors: true));
$site->get('/shown-of-script', fn() => throw new LogicException('in a script'), new Options(classic: true, showErrors: true));
$server->run();
