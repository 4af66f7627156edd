<?php

// A script as php-fpm has them, executed in a pool of processes. Each case of ?case= is one test's.

function report(string $event, array $more = []): void
{
    getenv('EVENTS') && file_put_contents(getenv('EVENTS'), json_encode(['event' => $event, 'pid' => getmypid()] + $more) . "\n", FILE_APPEND | LOCK_EX);
}

class Child extends Base implements Named, Stringable
{
    use Counts;

    public function __toString(): string
    {
        return Suit::Hearts->value . ++self::$times;
    }
}

class Base {}

final class Ends
{
    public function __construct(private string $name) {}

    public function __destruct()
    {
        echo "{$this->name} ends\n";
    }
}

interface Named {}

enum Suit: string implements Named
{
    case Hearts = 'h';
}

trait Counts
{
    public static int $times = 0;
}

if (isset($_GET['case'])) {
    function counted(): int
    {
        static $calls = 0;
        return ++$calls;
    }
}

switch ($_GET['case'] ?? '') {
    case 'fresh':
        define('ONCE', counted());
        ini_set('precision', '5');
        setlocale(LC_ALL, 'C');
        chdir('/');
        putenv('OF_A_REQUEST=yes');
        $GLOBALS['left'] = 'behind';
        set_error_handler(fn() => true);
        echo json_encode([(string) new Child(), ONCE, get_included_files() === [__FILE__], class_exists('Sluice\EndToEnd\OfTheBoot', false), function_exists('Sluice\EndToEnd\of_the_boot')]);
        break;
    case 'before':
        echo json_encode([ini_get('precision'), getcwd() === __DIR__, getenv('OF_A_REQUEST'), isset($left), getmypid(), PHP_SAPI, php_sapi_name()]);
        break;
    case 'pid':
        usleep((int) ($_GET['us'] ?? 0));
        echo getmypid();
        break;
    case 'killed':
        echo 'half';
        posix_kill(getmypid(), SIGKILL);
        break;
    case 'memory':
        ini_set('memory_limit', '16M');
        register_shutdown_function(fn() => report('memory', ['type' => error_get_last()['type'] ?? null]));
        $text = str_repeat('x', 64 << 20);
        break;
    case 'software':
        echo $_SERVER['SERVER_SOFTWARE'] ?? '';
        break;
    case 'fatal':
        header('X-Before: yes');
        trigger_error('of the script', E_USER_ERROR);
        break;
    case 'throws':
        throw new LogicException('a mistake');
    case 'handler-throws':
        set_exception_handler(fn() => throw new LogicException('of the handler'));
        throw new LogicException('of the script');
    case 'last-error':
        register_shutdown_function(fn() => print(error_get_last()['type'] ?? 'none'));
        throw new LogicException('of the script');
    case 'eval':
        eval('this is no PHP');
        break;
    case 'exit':
        register_shutdown_function(fn() => print(' shut down'));
        exit($_GET['with'] ?? 3);
    case 'finishes':
        echo 'answered';
        fastcgi_finish_request();
        echo 'lost';
        report('finishes');
        usleep((int) $_GET['us']);
        report('finished');
        break;
    case 'leaves':
        ignore_user_abort((bool) $_GET['ignore']);
        register_shutdown_function(fn() => report('left', ['aborted' => connection_aborted(), 'status' => connection_status()]));
        echo "begun\n";
        @ob_flush();
        flush();
        report('begins');
        for ($i = 0; $i < 3000 && !connection_aborted(); ++$i) {
            usleep(2000);
            echo ' ';
            @ob_flush();
            flush();
        }
        report('goes-on');
        break;
    case 'holds':
        report('holds');
        while (!file_exists($_GET['until'])) {
            usleep(2000);
            clearstatcache();
        }
        echo 'let go';
        break;
    case 'computes':
        report('computes');
        while (true) {
        }
    case 'body':
        echo json_encode([strlen(file_get_contents('php://input')), hash('xxh3', file_get_contents('php://input')), $_SERVER['CONTENT_LENGTH'] ?? null]);
        break;
    case 'forks':
        $child = pcntl_fork();
        if ($child === 0) {
            echo 'of the child';
            report('child');
            exit(7);
        }
        pcntl_waitpid($child, $status);
        echo 'child ended with ', pcntl_wexitstatus($status);
        break;
    case 'buffer':
        $parts = [new Ends('a part')];
        $whole = new Ends('the whole');
        ob_start(fn(string $text) => strtoupper($text) . json_encode([isset($parts), $_GET['case'] ?? 0]) . "\n");
        echo "left open\n";
        break;
    case 'late':
        echo str_repeat('x', 30_000);
        header('X-Late: yes');
        break;
    case 'half':
        echo 'half a page';
        throw new LogicException('a mistake');
    case 'status':
        http_response_code((int) $_GET['s']);
        break;
    case 'length':
        header('Content-Length: 3');
        echo 'hello';
        break;
    case 'shut-down':
        register_shutdown_function(fn() => print(getcwd() === __DIR__ ? 'here' : 'elsewhere'));
        break;
    case 'limits':
        set_time_limit(7);
        echo json_encode([ini_get('max_execution_time'), ini_get('max_input_time'), function_exists('fastcgi_finish_request')]);
        break;
    case 'input':
        echo json_encode([filter_input(INPUT_GET, 'case'), $_SERVER['argv'] ?? null]);
        break;
    case 'headers':
        echo json_encode([getallheaders()['X-Asked'] ?? null, apache_request_headers()['X-Asked'] ?? null, apache_response_headers()]);
        break;
    default:
        echo 'hello ', $_GET['name'] ?? 'nobody';
}
