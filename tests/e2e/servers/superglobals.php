<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Coroutine, Http, Timer};
use Sluice\Http\{Request, Response, Script};

use function Sluice\EndToEnd\{address, server};

spl_autoload_register(fn (string $class) => require __DIR__ . "/superglobals/$class.php");

function cookie(string $name): mixed
{
    return $_COOKIE[$name] ?? 'none';
}

/** Nobody calls it. */
function post(): mixed
{
    return $_POST['never'] ?? 'none';
}

class Page
{
    public function show(Request $request, Response $response): void { $response->text($this->name()); }

    public static function files(): int { return self::count(); }

    private function name(): string { return $_REQUEST['name'] ?? 'nobody'; }

    private static function count(): int { return count($_FILES); }
}

class Visitor
{
    public function name(): string { return $_GET['visitor'] ?? 'nobody'; }

    public static function has(string $name): bool { return isset($_POST[$name]); }

    public function __get(string $name): string { return $_COOKIE["magic $name"] ?? 'nothing'; }
}

function extracted(): string
{
    $name = 'none';
    extract($_GET);
    return $name;
}

$of_the_boot = $_GET['boot'] ?? 'none';
$visitor = new Visitor();
$class = Visitor::class;
$server = server();
$server->onWorkerStart(fn () => $_GET['start'] ?? 'none');
$site = $server->http(address(), new Script(__DIR__ . '/superglobals/script.php'));
$page = fn (string $path, Closure $text) => $site->get($path, fn (Request $request, Response $response) => $response->text((string) json_encode($text($request))));

$site->get('/own', function (Request $request, Response $response): void {
    $response->text('x is ' . ($_GET['x'] ?? 'none'));
});
$form = fn (Request $request, Response $response) => $response->text(implode(array_map(fn (string $name) => $_POST[$name] ?? '', ['a'])));
$site->get('/form', $form);
$site->get('/form-again', $form);
$site->get('/by-function', fn (Request $request, Response $response) => $response->text(cookie('a')));
$site->get('/by-method', [new Page(), 'show']);
$site->get('/by-static', fn (Request $request, Response $response) => $response->text((string) Page::files()));

$page('/object', fn () => $visitor->name());
$page('/static', fn () => $class::has('a'));
$page('/magic', fn () => $visitor->anything);
$page('/callback', fn () => array_map([$visitor, '__get'], ['one', 'two']));
$page('/loaded', fn () => (new Loaded())->name());
$page('/parent', fn () => (new LoadedChild())->page());
$page('/included', fn () => include __DIR__ . '/superglobals/included.php');
$page('/generator', fn () => iterator_to_array((function () { yield $_GET['yielded'] ?? 'none'; })()));
$page('/empty', fn () => empty($_POST));
$page('/whole', fn () => array_merge($_GET, ['whole' => 1]));
$page('/argument', fn () => array_filter($_REQUEST, fn () => true));
$page('/method-argument', fn () => (new ArrayIterator($_COOKIE))->count());
$page('/each', function () { foreach ($_FILES as $file) { return $file; } });
$page('/each-by-reference', function () { foreach ($_POST as &$trimmed) { $trimmed = 'trimmed'; } });
$page('/extract', fn () => extracted());
$page('/globals', fn () => $GLOBALS['_GET']['g'] ?? 'none');
$page('/spawned', fn () => Coroutine\all(fn () => $_GET['spawned'] ?? 'none'));
$page('/fiber', function () { $fiber = new Fiber(fn () => $_POST['fiber'] ?? 'none'); $fiber->start(); return $fiber->getReturn(); });

// What is no misreading.
$page('/is-set', fn () => isset($_GET));
$page('/server', fn () => [$_SERVER['argc'], isset($_ENV['nothing'])]);
$page('/parses', function (Request $request) { parse_str($request->queryString(), $_GET); return [$_GET['a'] ?? null, $_GET['parsed'] ?? null]; });
$page('/sets', function (Request $request) { $_GET = $request->queryAll(); $_POST = $request->formAll(); $_REQUEST = $_GET + $_POST; return [$_GET['set'] ?? null, $_REQUEST['set'] ?? null]; });
$page('/sets-request', function (Request $request) { $_REQUEST = $request->queryAll(); return [$_REQUEST['only'] ?? null]; });
$page('/appends', function () { $_COOKIE['mine'] = 'baked'; return $_COOKIE['mine']; });
$page('/timer', function () { Timer::after(0, fn () => Sluice\EndToEnd\report('timer', ['value' => $_GET['timer'] ?? null])); });
$site->get('/classic', fn () => print $_COOKIE['c'] ?? 'classic', new Http\Options(classic: true));
$site->get('/later', function () { Coroutine\spawn(function () { usleep(1000); Sluice\EndToEnd\report('later', ['value' => $_POST['later'] ?? null]); }); echo 'classic'; }, new Http\Options(classic: true));
$site->get('/process', fn () => print $_POST['p'] ?? 'process', new Http\Options(classic: true, processes: 1));
$page('/jit', fn () => function_exists('opcache_get_status') ? (opcache_get_status(false)['jit'] ?? null) : null);
$server->run();
