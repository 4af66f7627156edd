<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response, Script};

use function Sluice\EndToEnd\{address, server};

final class RigState
{
    public static mixed $p0 = 'boot';
    public static mixed $p1 = ['boot'];
    public static mixed $p2;
    public static mixed $p3;
    public static string|array $p4 = '';
    public static array $p5 = [];
    public static mixed $p6;
    public static mixed $p7;
    public static mixed $p8;
    public static mixed $p9;
}
Coroutine\isolate(RigState::class);

function outside(): array
{
    return [date_default_timezone_get(), setlocale(LC_ALL, 0), mb_internal_encoding(), ini_get('precision'), get_include_path(), getcwd(), ini_get('session.name'),
        error_reporting(), RigState::$p0, RigState::$p1, $_GET, isset($GLOBALS['at_the_boot'])];
}

$at_the_boot = outside();
$server = server();
$site = $server->http(address(), new Script(__DIR__ . '/classic/rig.php'));
$site->get('/outside', fn(Request $request, Response $response) => $response->json(array_slice($at_the_boot, 0, -1) === array_slice(outside(), 0, -1) && outside()[11]));
$server->run();
