--TEST--
Each setting of PHP's belongs to whom docs/isolation.md says: to the coroutine that makes it, or to the process
--EXTENSIONS--
sluice
mbstring
gettext
--FILE--
<?php
use Sluice\Coroutine\Channel;

use function Sluice\Coroutine\{run, spawn};

/** What is registered now; this changes nothing. */
function handler(string $set, string $restore): ?int
{
    $now = $set(fn () => true);
    $restore();
    return $now ? spl_object_id($now) : null;
}

/** By function: how a coroutine sets a value, and how any coroutine finds the value that is set. */
$settings = [
    'set_error_handler' => [fn () => set_error_handler(fn () => true), fn () => handler('set_error_handler', 'restore_error_handler')],
    'set_exception_handler' => [fn () => set_exception_handler(fn () => null), fn () => handler('set_exception_handler', 'restore_exception_handler')],
    'error_reporting' => [fn () => error_reporting(E_ERROR), fn () => error_reporting()],
    'ini_set' => [fn () => ini_set('precision', '5'), fn () => ini_get('precision')],
    'set_time_limit' => [fn () => set_time_limit(1234), fn () => ini_get('max_execution_time')],
    'set_include_path' => [fn () => set_include_path('/tmp'), fn () => get_include_path()],
    'mb_internal_encoding' => [fn () => mb_internal_encoding('ISO-8859-15'), fn () => mb_internal_encoding()],
    'date_default_timezone_set' => [fn () => date_default_timezone_set('Asia/Tokyo'), fn () => date_default_timezone_get()],
    'setlocale' => [fn () => setlocale(LC_CTYPE, setlocale(LC_CTYPE, '0') === 'C' ? 'C.UTF-8' : 'C'), fn () => setlocale(LC_CTYPE, '0')],
    'chdir' => [fn () => chdir('/'), fn () => getcwd()],
    'umask' => [fn () => umask(0123), fn () => umask()],
    'putenv' => [fn () => putenv('SET_BY_ONE=1'), fn () => getenv('SET_BY_ONE')],
    'libxml_use_internal_errors' => [fn () => libxml_use_internal_errors(true), fn () => libxml_use_internal_errors()],
    'libxml_set_external_entity_loader' => [fn () => libxml_set_external_entity_loader(fn () => null), fn () => is_null(libxml_get_external_entity_loader())],
    'libxml_set_streams_context' => [fn () => libxml_set_streams_context(stream_context_create()), null],
    'stream_context_get_default' => [fn () => stream_context_set_option(stream_context_get_default(), 'ftp', 'overwrite', true),
        fn () => stream_context_get_options(stream_context_get_default())['ftp'] ?? null],
    'textdomain' => [fn () => textdomain('pages'), fn () => textdomain(null)],
    'bindtextdomain' => [fn () => bindtextdomain('pages', '/tmp'), fn () => bindtextdomain('pages', null)],
    'bind_textdomain_codeset' => [fn () => bind_textdomain_codeset('pages', 'UTF-8'), fn () => bind_textdomain_codeset('pages', null)],
    'stream_context_set_default' => [fn () => stream_context_set_default(['http' => ['method' => 'PUT']]), fn () => stream_context_get_options(stream_context_get_default())],
    'ignore_user_abort' => [fn () => ignore_user_abort(true), fn () => ignore_user_abort()],
    'register_shutdown_function' => [fn () => register_shutdown_function(fn () => print("at the end\n")), null],
    'register_tick_function' => [fn () => register_tick_function(fn () => ++$GLOBALS['ticks']), function () { $before = $GLOBALS['ticks']; tick(); return $GLOBALS['ticks'] > $before; }],
    'spl_autoload_register' => [fn () => spl_autoload_register(fn () => null), fn () => count(spl_autoload_functions())],
    'assert_options' => [fn () => @assert_options(ASSERT_BAIL, 1), fn () => @assert_options(ASSERT_BAIL)],
    'mt_srand' => [fn () => mt_srand(42), null],
];
$ticks = 0;
function tick(): void { declare(ticks=1) { $a = 1; } }

/** Whose what one coroutine sets is, as another one finds that waits meanwhile, and one that begins when the first has ended. */
function whose(callable $set, callable $get): string
{
    $found = [];
    run(function () use ($set, $get, &$found) {
        $before = $get();
        $looked = new Channel();
        $setter = spawn(function () use ($set, $get, $before, $looked, &$found) {
            $set();
            $found['itself'] = $get() !== $before;
            $looked->pop();
            $found['itself, later'] = $get() !== $before;
        });
        $other = spawn(function () use ($get, $before, $looked, &$found) {
            $found['another'] = $get() !== $before;
            $looked->push(true);
        });
        $setter->await();
        $other->await();
        $found['afterwards'] = $get() !== $before;
    });
    return match ($found) {
        ['itself' => true, 'another' => false, 'itself, later' => true, 'afterwards' => false] => "each coroutine's own",
        ['itself' => true, 'another' => true, 'itself, later' => true, 'afterwards' => true] => "the process's",
        default => json_encode($found),
    };
}

preg_match('/^## Settings\n.*?(?=^## )/ms', file_get_contents(__DIR__ . '/../../docs/isolation.md'), $section);
preg_match_all('/^\| (`.*?) \| .*? \| ([^|]+) \|$/m', $section[0], $rows, PREG_SET_ORDER);
$documented = [];
foreach ($rows as [, $names, $decision]) {
    preg_match_all('/`(\w+)\(\)`/', $names, $functions);
    $documented += array_fill_keys($functions[1], $decision);
}
foreach (array_diff_key($documented, $settings) as $name => $decision) echo "$name() is documented, and not tried here\n";
foreach ($settings as $name => [$set, $get]) {
    $whose = $documented[$name] ?? 'not documented';
    if ($get && function_exists($name) && ($found = whose($set, $get)) !== $whose) echo "$name(): $whose, says the documentation; found: $found\n";
}
echo count($documented), " tried\n";

echo "-- one sequence of random numbers for all\n";
mt_srand(42);
$alone = [mt_rand(), mt_rand()];
run(function () use ($alone) {
    $drawn = new Channel();
    $seeds = spawn(function () use ($drawn) { mt_srand(42); $drawn->pop(); return mt_rand(); });
    $draws = spawn(function () use ($drawn) { $number = mt_rand(); $drawn->push(true); return $number; });
    var_dump([$draws->await(), $seeds->await()] === $alone);
});

echo "-- what one registers for the end of the script is called there\n";
run(fn () => $settings['register_shutdown_function'][0]());

echo "-- an object whose __get() waits has no such property for the others, meanwhile\n";
run(function () {
    $shared = new class (new Channel(1)) {
        public function __construct(public readonly Channel $go) {}
        public function __get($name) { $this->go->pop(); return "its $name"; }
    };
    $one = spawn(fn () => $shared->value);
    spawn(function () use ($shared) { var_dump(@$shared->value); $shared->go->push(true); })->await();
    var_dump($one->await());
    $shared->go->push(true);
    var_dump($shared->value);
});
?>
--EXPECTF--
%d tried
-- one sequence of random numbers for all
bool(true)
-- what one registers for the end of the script is called there
-- an object whose __get() waits has no such property for the others, meanwhile
NULL
string(9) "its value"
string(9) "its value"
at the end
