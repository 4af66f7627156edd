<?php

declare(strict_types=1);

// Each route below /leak leaves something behind; the others are an application that makes what it keeps once.

namespace Sluice\EndToEnd;

use Sluice\{Coroutine, Http, Leak, Timer, WebSocket};
use Sluice\Http\{Request, Response};

require __DIR__ . '/support.php';

final class Cart
{
    /** @var list<string> */
    public static array $items = [];
    public static ?Request $request = null;
    public static int $count = 0;

    public static function count(): int
    {
        static $calls = 0;
        return ++$calls;
    }
}

/** A clean application: its services are made when they are asked for. */
final class Container
{
    public static ?self $instance = null;
    /** @var array<string, object> */
    public array $services = [];

    public static function get(string $name): object
    {
        self::$instance ??= new self();
        return self::$instance->services[$name] ??= new \ArrayObject();
    }

    /** @template T of object @param class-string<T> $class @return T */
    public static function make(string $name, string $class): object
    {
        self::$instance ??= new self();
        return self::$instance->services[$name] ??= new $class();
    }
}

function seen(string $name): int
{
    static $names = [];
    $names[] = $name;
    return \count($names);
}

final class Log
{
    /** @var list<string> */
    public array $lines = [];
}

final class Deep
{
    /** @var array<string, array<string, list<int>>> */
    public array $deep = [];
}

$server = server();
$ignore = getenv('IGNORE') ? [getenv('IGNORE')] : [];
$server->detectLeaks(fn(Leak $leak) => report('leak', ['kind' => $leak->kind->value, 'place' => $leak->place, 'request' => $leak->request, 'at' => $leak->at]), $ignore);

$log = new Log();
$kept = new \stdClass();
$kept->memory = fopen('php://memory', 'r+');
$site = $server->http(address(), function (Request $request, Response $response): void {
    $response->text('clean');
});

$leaks = [
    'static' => function (): void { Cart::$items[] = 'item'; },
    'object' => function (Request $request): void { Cart::$request = $request; },
    'function' => function (): void { seen('name'); },
    'method' => function (): void { Cart::count(); },
    'global' => function (): void { $GLOBALS['last'] = uniqid(); },
    'superglobal' => function (): void { $_SERVER['USER_ID'] = uniqid(); },
    'bound' => function () use ($log): void { $log->lines[] = 'line'; },
    'setting' => function (): void { ini_set('precision', ini_get('precision') === '10' ? '11' : '10'); },
    'zone' => function (): void { date_default_timezone_set(date_default_timezone_get() === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo'); },
    'autoloader' => function (): void { spl_autoload_register(fn(string $class) => null); },
    'shutdown' => function (): void { register_shutdown_function(fn() => null); },
    'descriptor' => function () use ($kept): void { $kept->files[] = fopen(__FILE__, 'r'); },
    'transaction' => function () use ($kept): void { ($kept->database = new \PDO('sqlite::memory:'))->beginTransaction(); },
    'timer' => function (): void { Timer::after(3600, fn() => null); },
    'coroutine' => function (): void { Coroutine\spawn(fn() => sleep(3600)); },
    'by-reference' => function (): void { array_push(Cart::$items, 'item'); },
    'counted' => function (): void { Cart::$count += 1; },
    'nested' => function (): void {
        $service = Container::make('nested', Deep::class);
        $service->deep['a']['b'][] = 1;
    },
    'storage' => function (): void { Container::get('storage')->append('item'); },
    'bound-reference' => (function (): \Closure {
        $seen = [];
        return function () use (&$seen): void { $seen[] = 1; };
    })(),
    'shared' => function (): void { array_map(seen(...), ['name']); },
    'memory' => function () use ($kept): void { fwrite($kept->memory, random_bytes(50_000)); },
];
foreach ($leaks as $name => $leak) {
    $site->get("/leak/$name", function (Request $request, Response $response) use ($leak): void {
        $leak($request);
        $response->text('leaked');
    });
}

$site->get('/each/{name}', function (Request $request, Response $response): void {
    Container::get('pages')[$request->parameter('name')] = 'a page';
    $response->text('kept');
});
$site->get('/clean/{name}', function (Request $request, Response $response): void {
    Container::get($request->parameter('name'));
    $database = Container::get('database');
    $database['pdo'] ??= new \PDO('sqlite::memory:');
    $database['pdo']->beginTransaction();
    $database['pdo']->query('SELECT 1')->fetchAll();
    $database['pdo']->commit();
    $file = fopen(__FILE__, 'r');
    set_error_handler(fn() => true);
    ob_start();
    echo $undefined, fgets($file);
    $lines = array_map(fn(int $number) => str_repeat('line', $number), range(1, 100));
    $cycle = new \stdClass();
    $cycle->self = $cycle;
    $task = Coroutine\spawn(fn() => usleep(1000) ?? 5);
    Coroutine\spawn(fn() => usleep(2000));
    usleep(500);
    $response->header('X-Lines', (string) \count($lines))->html(ob_get_clean() . $task->await());
});
$site->get('/clean-page', function (Request $request, Response $response): void {
    session_start();
    $_SESSION['times'] = ($_SESSION['times'] ?? 0) + 1;
    ini_set('precision', '5');
    date_default_timezone_set('Europe/Oslo');
    $GLOBALS['page'] = uniqid();
    echo "page {$_SERVER['REQUEST_URI']}";
    register_shutdown_function(fn() => print ('.'));
}, new Http\Options(classic: true));
$site->webSocket('/socket', new class implements WebSocket\Handler {
    public function open(WebSocket\Connection $who, Request $request): void {}
    public function message(WebSocket\Connection $who, string $data, bool $binary): void
    {
        if ($data === 'leak') {
            Cart::$items[] = $data;
        }
        $who->send($data);
    }
    public function close(WebSocket\Connection $who, int $code, string $reason): void {}
});
$server->run();
