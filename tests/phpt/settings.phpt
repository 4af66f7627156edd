--TEST--
Each setting of PHP's belongs to whom docs/isolation.md says: to the coroutine that makes it, or to the process
--EXTENSIONS--
sluice
mbstring
gettext
iconv
mysqlnd
mysqli
pcntl
posix
simplexml
sockets
--FILE--
<?php
require __DIR__ . '/settings.inc';

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
    'mb_regex_set_options' => [fn () => mb_regex_set_options('ix'), fn () => mb_regex_set_options()],
    'mb_ereg_search_init' => [fn () => mb_ereg_search_init('abc', 'b') && mb_ereg_search(), fn () => mb_ereg_search_getpos()],
    'mb_ereg_search' => [fn () => mb_ereg_search_init('abcabc', 'c') && mb_ereg_search(), fn () => mb_ereg_search_getpos()],
    'bcscale' => [fn () => bcscale(7), fn () => bcscale()],
    'iconv_set_encoding' => [fn () => @iconv_set_encoding('internal_encoding', 'ISO-8859-15'), fn () => @iconv_get_encoding('internal_encoding')],
    'locale_set_default' => [fn () => locale_set_default('ja_JP'), fn () => locale_get_default()],
    'mysqli_report' => [fn () => mysqli_report(MYSQLI_REPORT_INDEX), fn () => (new mysqli_driver())->report_mode],
    'ldap_set_option' => [fn () => ldap_set_option(null, LDAP_OPT_SIZELIMIT, 7), null],
    'pcntl_signal' => [fn () => pcntl_signal(SIGUSR1, fn () => null), fn () => pcntl_signal_get_handler(SIGUSR1)],
    'pcntl_async_signals' => [fn () => pcntl_async_signals(true), fn () => pcntl_async_signals()],
    'pcntl_sigprocmask' => [fn () => pcntl_sigprocmask(SIG_BLOCK, [SIGUSR2]), fn () => pcntl_sigprocmask(SIG_BLOCK, [], $blocked) ? $blocked : null],
    'posix_setrlimit' => [fn () => posix_setrlimit(POSIX_RLIMIT_CORE, 0, 0), null],
    'proc_nice' => [fn () => proc_nice(1), null],
    'cli_set_process_title' => [fn () => cli_set_process_title('set by one'), fn () => cli_get_process_title()],
    'stream_wrapper_register' => [fn () => stream_wrapper_register('one', 'Wrapper'), fn () => count(stream_get_wrappers())],
    'stream_filter_register' => [fn () => stream_filter_register('one.filter', 'Filter'), fn () => count(stream_get_filters())],
    'spl_autoload_extensions' => [fn () => spl_autoload_extensions('.one'), fn () => spl_autoload_extensions()],
    'define' => [fn () => define('SET_BY_ONE', 1), fn () => defined('SET_BY_ONE')],
    'class_alias' => [fn () => class_alias('Channel', 'SetByOne'), null],
    'gc_disable' => [fn () => gc_disable(), fn () => gc_enabled()],
    'openlog' => [fn () => openlog('one', LOG_PID, LOG_USER), null],
    'output_add_rewrite_var' => [fn () => output_add_rewrite_var('one', '1'), null],
    'readline_completion_function' => [fn () => readline_completion_function(fn () => []), null],
    'stream_context_set_default' => [fn () => stream_context_set_default(['http' => ['method' => 'PUT']]), fn () => stream_context_get_options(stream_context_get_default())],
    'ignore_user_abort' => [fn () => ignore_user_abort(true), fn () => ignore_user_abort()],
    'register_shutdown_function' => [fn () => register_shutdown_function(fn () => print("at the end\n")), null],
    'register_tick_function' => [fn () => register_tick_function(fn () => ++$GLOBALS['ticks']), function () { $before = $GLOBALS['ticks']; tick(); return $GLOBALS['ticks'] > $before; }],
    'spl_autoload_register' => [fn () => spl_autoload_register(fn () => null), fn () => count(spl_autoload_functions())],
    'assert_options' => [fn () => @assert_options(ASSERT_BAIL, 1), fn () => @assert_options(ASSERT_BAIL)],
    'mt_srand' => [fn () => mt_srand(42), null],
    // What is asked for after a call
    'error_get_last' => [fn () => @trigger_error('of one'), fn () => error_get_last()['message'] ?? null],
    'strtok' => [fn () => strtok('a b c d', ' '), fn () => strtok(' ')],
    'json_last_error' => [fn () => json_decode('{'), fn () => json_last_error()],
    'preg_last_error' => [fn () => preg_match('/./u', "\xff"), fn () => preg_last_error()],
    'http_get_last_response_headers' => [fn () => null, null],
    'libxml_get_errors' => [fn () => libxml_use_internal_errors(true) || simplexml_load_string('<a>'), fn () => count(libxml_get_errors())],
    'libxml_get_last_error' => [fn () => @simplexml_load_string('<b><c></b>'), fn () => libxml_get_last_error()->message ?? null],
    'date_get_last_errors' => [fn () => date_create_from_format('Y', 'x'), fn () => date_get_last_errors()],
    'posix_get_last_error' => [fn () => posix_kill(getmypid(), 12345), fn () => posix_get_last_error()],
    'posix_errno' => [fn () => @posix_ttyname(9999), fn () => posix_errno()],
    'socket_last_error' => [fn () => @socket_bind(socket_create(AF_INET, SOCK_STREAM, 0), '192.0.2.1'), fn () => socket_last_error()],
    'pcntl_get_last_error' => [fn () => pcntl_waitpid(getmypid(), $status), fn () => pcntl_get_last_error()],
    'pcntl_errno' => [fn () => @pcntl_setpriority(0, 4_000_000), fn () => pcntl_errno()],
    'openssl_error_string' => [fn () => array_map(fn () => @openssl_pkey_get_private('none'), range(1, 5)), fn () => openssl_error_string()],
    'intl_get_error_code' => [fn () => normalizer_normalize("\xff"), fn () => intl_get_error_code()],
    'intl_get_error_message' => [fn () => null, null],
    'mysqli_connect_error' => [function () { mysqli_report(MYSQLI_REPORT_OFF); @mysqli_connect('127.0.0.1', 'two', '', '', 1); }, fn () => mysqli_connect_error()],
    'mysqli_connect_errno' => [fn () => null, null],
];
class Wrapper {}
class Filter extends php_user_filter {}
$ticks = 0;
function tick(): void { declare(ticks=1) { $a = 1; } }

preg_match_all('/^## (?:Settings|After a call)\n.*?(?=^## )/ms', file_get_contents(__DIR__ . '/../../docs/isolation.md'), $sections);
preg_match_all('/^\| (`.*?) \| .*? \| ([^|]+) \|$/m', implode($sections[0]), $rows, PREG_SET_ORDER);
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
