--TEST--
Where PHP cannot be left half-way, nobody waits: loading and compiling code, and what keeps its state where nothing can reach it
--EXTENSIONS--
sluice
mbstring
msgpack
--FILE--
<?php
use Sluice\Coroutine\Channel;
use function Sluice\Coroutine\{all, run, spawn};

/** Runs ten coroutines at once; says whether others have run while one of them did $what. */
function at_once(string $name, callable $what): void
{
    run(function () use ($name, $what) {
        $ran = new ArrayObject([0]);
        $beside = spawn(function () use ($ran) { while (true) { ++$ran[0]; usleep(100); } });
        $call = function ($i) use ($what, $ran) {
            $before = $ran[0];
            return [$what($i), $ran[0] > $before];
        };
        $results = all(...array_map(fn ($i) => fn () => $call($i), range(0, 9)));
        $beside->cancel();
        echo $name, ': ', json_encode(array_unique(array_column($results, 0), SORT_REGULAR)),
            array_filter(array_column($results, 1)) ? ', and others ran' : '', "\n";
    });
}

$folder = sys_get_temp_dir() . '/sluice_no_waiting_' . getmypid();
mkdir($folder);
file_put_contents("$folder/Slow.php", '<?php usleep(2000); final class Slow { const IT = "is there"; }');
spl_autoload_register(function ($name) use ($folder) {
    if ($name !== 'Slow') return;
    usleep(2000);
    require "$folder/Slow.php";
});
at_once('an autoloader', fn () => Slow::IT);

spl_autoload_register(function ($name) {
    if ($name !== 'Waits') return;
    try {
        (new Channel)->pop();
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
});
run(fn () => class_exists('Waits'));

/** A stream wrapper that waits in each of its methods. */
final class Wrapper
{
    public $context;
    private string $code;
    private int $at = 0;
    public static int $opened = 0;
    public function stream_open($path): bool { usleep(200); $this->code = str_ends_with($path, '.ini') ? "of = '$path'\n" : '<?php return ' . strlen($path) . ' + ' . self::$opened++ * 0 . ';'; return true; }
    public function stream_read($count): string { usleep(200); $part = substr($this->code, $this->at, $count); $this->at += strlen($part); return $part; }
    public function stream_eof(): bool { usleep(200); return $this->at >= strlen($this->code); }
    public function stream_stat(): array { usleep(200); return []; }
    public function stream_set_option() { return false; }
}
stream_wrapper_register('slow', Wrapper::class);
at_once('include', fn () => include 'slow://file');
at_once('highlight_file', fn () => strlen(highlight_file('slow://file', true)) > 50);
at_once('parse_ini_file', fn ($i) => parse_ini_file("slow://$i.ini") === ['of' => "slow://$i.ini"]);
at_once('highlight_string', function ($i) {
    [$page, $is_inside] = ['', true];
    ob_start(function ($part) use (&$page, &$is_inside) { $page .= $part; if ($is_inside) usleep(200); return ''; }, 1);
    highlight_string("<?php echo 'of_$i', $i;");
    $is_inside = false;
    ob_end_clean();
    return [substr_count($page, "of_$i"), substr_count($page, 'of_')];
});

set_error_handler(function ($level, $message) { usleep(200); return true; });
at_once('eval, and an error handler', fn ($i) => eval("function f$i(\$optional = 1, \$required) {} return 'compiled';"));
file_put_contents("$folder/Linked.php", '<?php
    if (!class_exists("Linked", false)) { class Linked extends ArrayObject { public function count() { return 7; } } }
    return count(new Linked);');
at_once('a class that is linked, and an error handler', fn () => require "$folder/Linked.php");
at_once('a class without a name', fn () => count(new class extends ArrayObject { public function count() { return 8; } }));
set_error_handler(function () { (new Fiber(fn () => usleep(200)))->start(); return true; });
at_once('a Fiber of the error handler', fn () => count(new class extends ArrayObject { public function count() { return 9; } }));
restore_error_handler();
restore_error_handler();

final class Text
{
    public function __construct(private string $text) {}
    public function __toString(): string { usleep(100); return $this->text; }
}
at_once('array_multisort', function () {
    $texts = [new Text('c'), new Text('a'), new Text('b')];
    $numbers = [3, 1, 2];
    array_multisort($texts, SORT_STRING, $numbers, SORT_NUMERIC);
    return $numbers;
});
at_once('mb_ereg_replace_callback', fn ($i) => mb_ereg_replace_callback('[a-c]', function ($match) { usleep(100); return "<$match[0]>"; }, 'xaybzc', $i % 2 ? 'i' : 'm'));

/** Waits while it is packed, and is there twice. */
class Slept
{
    public ?Slept $other = null;
    public function __sleep(): array { usleep(100); return ['other']; }
}
$slept = new Slept();
$slept->other = new Slept();
$packed = [$slept, $slept->other, $slept];
$alone = md5(msgpack_pack($packed));
foreach (['msgpack_pack' => msgpack_pack(...), 'msgpack_serialize' => msgpack_serialize(...), 'MessagePack::pack' => [new MessagePack(), 'pack']] as $name => $pack) {
    at_once($name, fn () => md5($pack($packed)) === $alone);
}

function declared(string $class): void
{
    usleep(2000);
    eval("final class $class {}");
}
ini_set('unserialize_callback_func', 'declared');
at_once('unserialize_callback_func', fn () => get_class(unserialize('O:12:"Unserialized":0:{}')));
ini_set('unserialize_callback_func', 'Declarer::declare');
final class Declarer
{
    public static function declare(string $class): void { declared($class); }
}
at_once('a method as unserialize_callback_func', fn () => get_class(unserialize('O:13:"Unserialized2":0:{}')));
ini_set('unserialize_callback_func', 'array_walk');
at_once('other callbacks meanwhile', function () { $numbers = [1]; array_walk($numbers, fn () => usleep(500)); return 'wait'; });

at_once('a tick function', function () {
    $ticks = 0;
    register_tick_function($tick = function () use (&$ticks) { ++$ticks; usleep(500); });
    declare(ticks=1) {
        $ran = 'called';
    }
    unregister_tick_function($tick);
    return $ticks > 0 ? $ran : 'not called';
});

at_once('afterwards', function () { usleep(500); return 'waits again'; });
unlink("$folder/Slow.php");
unlink("$folder/Linked.php");
rmdir($folder);
?>
--EXPECT--
an autoloader: ["is there"]
Sluice\Coroutine\Channel::pop() has to wait, and cannot here: PHP is loading or compiling code, or is in a function whose state other coroutines would share
include: [11]
highlight_file: [true]
parse_ini_file: [true]
highlight_string: [[1,1]]
eval, and an error handler: ["compiled"]
a class that is linked, and an error handler: [7]
a class without a name: [8]
a Fiber of the error handler: [9]
array_multisort: [[1,2,3]]
mb_ereg_replace_callback: ["x<a>y<b>z<c>"]
msgpack_pack: [true]
msgpack_serialize: [true]
MessagePack::pack: [true]
unserialize_callback_func: ["Unserialized"]
a method as unserialize_callback_func: ["Unserialized2"]
other callbacks meanwhile: ["wait"], and others ran
a tick function: ["called"]
afterwards: ["waits again"], and others ran
