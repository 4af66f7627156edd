<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, report, server};

$kept = [];
$server = server();
$server->onWorkerStart(function (): void { echo "output of the start\n"; });
if (getenv('BOOT')) {
    $server->onWorkerStart(function (): void { $_SESSION = ['boot' => 'set']; });
}
$server->http(address(), function (Request $request, Response $response) use (&$kept): void {
    switch ($request->path()) {
        case '/echo':
            echo 'a', "b\n";
            break;
        case '/print':
            print "p\n";
            break;
        case '/header':
            header('X-Lost: 1');
            break;
        case '/cookie':
            report('value', ['value' => setcookie('a', 'b')]);
            break;
        case '/raw-cookie':
            setrawcookie('a', 'b');
            break;
        case '/remove':
            header_remove('X-Powered-By');
            break;
        case '/callback':
            header_register_callback(fn () => null);
            break;
        case '/filter':
            report('value', ['value' => filter_input(INPUT_GET, 'a')]);
            break;
        case '/filters':
            report('value', ['value' => filter_input_array(INPUT_GET)]);
            break;
        case '/filter-has':
            report('value', ['value' => filter_has_var(INPUT_GET, 'a')]);
            break;
        case '/input':
            report('value', ['value' => file_get_contents('php://input')]);
            break;
        case '/is-upload':
            report('value', ['value' => is_uploaded_file('/tmp/file')]);
            break;
        case '/move-upload':
            report('value', ['value' => move_uploaded_file('/tmp/file', '/tmp/other')]);
            break;
        case '/of-process':
            filter_input(INPUT_SERVER, 'SCRIPT_NAME');
            $response->text('asked');
            return;
        case '/code':
            http_response_code(404);
            break;
        case '/buffer':
            ob_start();
            echo 'captured';
            $response->text(ob_get_clean());
            return;
        case '/session':
            try {
                session_start();
            } catch (Error $e) {
                $response->text($e->getMessage());
            }
            return;
        case '/write-session':
            $_SESSION['user'] = $request->query('user');
            $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
            report('written');
            usleep((int) $request->query('us'));
            $response->json($_SESSION);
            return;
        case '/read-session':
            $response->json([$_SESSION['user'] ?? null, isset($_SESSION), $GLOBALS['_SESSION']['boot'] ?? null]);
            return;
        case '/spawn-session':
            Coroutine\spawn(function () use ($response): void { $_SESSION['user'] = 'spawned'; $response->text('spawned'); });
            return;
        case '/status':
            $response->status(204);
            return;
        case '/field':
            $response->header('X-Kept', '1');
            return;
        case '/later':
            Coroutine\spawn(function () use ($response): void { usleep(5000); $response->text('later'); });
            return;
        case '/nothing':
            return;
        case '/keep':
            $kept[] = $response;
            return;
        case '/forget':
            $kept = [];
            break;
    }
    $response->text('served');
});
$server->run();
