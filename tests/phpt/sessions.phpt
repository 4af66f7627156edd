--TEST--
No session starts in a coroutine; each other function of sessions changes what is the process's, or does nothing without a session
--EXTENSIONS--
sluice
--INI--
session.use_cookies=1
session.cache_limiter=
session.use_strict_mode=0
--FILE--
<?php
require __DIR__ . '/settings.inc';

use function Sluice\Coroutine\{all, run, spawn};

/** What is said at the end, for sessions refuse to be changed after output. */
$said = new ArrayObject();

/** How a coroutine sets a value, and how any coroutine finds the value that is set. */
$settings = [
    'session_id' => [fn () => session_id('ofone'), fn () => session_id()],
    'session_name' => [fn () => session_name('OFONE'), fn () => session_name()],
    'session_save_path' => [fn () => session_save_path('/of/one'), fn () => session_save_path()],
    'session_cache_limiter' => [fn () => session_cache_limiter('public'), fn () => session_cache_limiter()],
    'session_cache_expire' => [fn () => session_cache_expire(7), fn () => session_cache_expire()],
    'session_set_cookie_params' => [fn () => session_set_cookie_params(77), fn () => session_get_cookie_params()['lifetime']],
    'session_get_cookie_params' => [fn () => session_set_cookie_params(78), fn () => session_get_cookie_params()],
    'session_set_save_handler' => [fn () => session_set_save_handler(new SessionHandler()), fn () => session_module_name()],
    'session_module_name' => [fn () => session_module_name('files'), fn () => session_module_name()],
];
/** What they return without a session. */
$idle = [
    'session_status' => PHP_SESSION_NONE, 'session_encode' => false, 'session_decode' => false, 'session_reset' => false, 'session_abort' => false,
    'session_unset' => false, 'session_destroy' => false, 'session_write_close' => false, 'session_commit' => false, 'session_gc' => false,
    'session_regenerate_id' => false, 'session_register_shutdown' => null,
];
foreach (array_diff(get_extension_funcs('session'), array_keys($settings + $idle), ['session_start', 'session_create_id']) as $function)
    $said[] = "$function() is not tried here";

$start = function (): string {
    try {
        return var_export(session_start(), true);
    } catch (Error $e) {
        return $e::class . ': ' . substr($e->getMessage(), 0, 15);
    }
};

foreach ($settings as $name => [$set, $get]) $said[] = "$name: " . whose($set, $get);
session_module_name('files');
session_save_path(sys_get_temp_dir());
session_id('');

$said[] = '-- without a session';
run(function () use ($idle, $start, $said) {
    $call = fn ($function) => @$function(...($function === 'session_decode' ? ['a|i:1;'] : []));
    $seen = all(...array_map(fn () => function () use ($idle, $call) {
        $returned = [];
        foreach ($idle as $function => $expected) {
            $returned[$function] = $call($function);
            usleep(50);
        }
        return $returned;
    }, range(0, 9)));
    foreach ($seen as $returned)
        if ($returned !== $idle) $said[] = json_encode($returned);
    $ids = all(...array_fill(0, 10, function () { usleep(50); return session_create_id(); }));
    $said[] = count(array_unique($ids)) . ' ids';
    $said[] = implode(', ', array_unique(all(...array_fill(0, 10, $start))));
});

$said[] = "-- with the script's session";
session_id('sluice' . getmypid());
session_start();
$_SESSION['of'] = 'script';
run(function () use ($start, $said) {
    $said[] = $start();
    spawn(function () use ($said) {
        $said[] = session_status() === PHP_SESSION_ACTIVE ? 'open, with ' . session_encode() : 'none';
        session_write_close();
    })->await();
    $said[] = session_status() === PHP_SESSION_ACTIVE ? 'still open' : 'closed for all';
});
session_start();
$said[] = json_encode($_SESSION);

$said[] = '-- what coroutines write is forgotten, what the script writes is kept';
run(function () use ($said) {
    $seen = all(...array_map(fn ($i) => function () use ($i) {
        $_SESSION['of'] .= ", $i";
        usleep(50);
        return $_SESSION['of'];
    }, range(0, 9)));
    if ($seen !== array_map(fn ($i) => "script, $i", range(0, 9))) $said[] = json_encode($seen);
});
$_SESSION['later'] = true;
session_write_close();
session_start();
$said[] = json_encode($_SESSION);
session_destroy();
echo implode("\n", (array) $said);
?>
--EXPECTF--
%swarning: $_SESSION was written in a coroutine, and is forgotten, for it belongs to no client: %s
session_id: the process's
session_name: the process's
session_save_path: the process's
session_cache_limiter: the process's
session_cache_expire: the process's
session_set_cookie_params: the process's
session_get_cookie_params: the process's
session_set_save_handler: the process's
session_module_name: the process's
-- without a session
10 ids
Error: session_start()
-- with the script's session
Error: session_start()
open, with of|s:6:"script";
closed for all
{"of":"script"}
-- what coroutines write is forgotten, what the script writes is kept
{"of":"script","later":true}
