<?php

// A script as php-fpm has them: it knows nothing of the server. Each case of ?case= is one test's.

function name_of_visitor(): string
{
    global $visitor;
    return $visitor;
}

class Page
{
    public function __construct(private string $name) {}

    public function __destruct()
    {
        echo "{$this->name} ends, {$GLOBALS['visitor']}\n";
    }
}

final class Crowd
{
    public static int $here = 0;

    /** Waits until so many requests of this worker are here. */
    public static function gather(int $all): void
    {
        ++self::$here;
        for ($i = 0; self::$here < $all && $i < 3000; ++$i) {
            usleep(5000);
        }
        self::$here >= $all || exit('the others have not come');
    }
}

$visitor = $_GET['name'] ?? 'nobody';
switch ($_GET['case'] ?? '') {
    case 'all':
        // The page says at the end what it has seen of other requests at any time.
        header("X-Name: $visitor");
        header('X-List: first');
        setcookie('visitor', $visitor);
        http_response_code(200 + strlen($visitor) % 4);
        $_GET['added'] = $visitor;
        $GLOBALS['of_this'] = $visitor;
        ob_start();
        $wrong = [];
        for ($i = 0; $i < 5; $i++) {
            echo "$visitor ";
            usleep(random_int(0, 2000));
            $seen = [$visitor, name_of_visitor(), $_GET['name'], $_GET['added'], $_REQUEST['name'], $_COOKIE['id'], $_POST['field'], $_SERVER['HTTP_X_NAME'],
                $GLOBALS['of_this'], substr(headers_list()[0], 8), file_get_contents('php://input') === "field=$visitor" ? $visitor : 'body'];
            if (array_unique($seen) !== [$visitor]) {
                $wrong[] = $seen;
            }
        }
        $echoed = ob_get_clean();
        header('X-List: second', false);
        if ($echoed !== str_repeat("$visitor ", 5)) {
            $wrong[] = $echoed;
        }
        echo json_encode($wrong);
        break;
    case 'crowd':
        header("X-Name: $visitor");
        setcookie('visitor', $visitor);
        echo "begun by $visitor\n";
        $path = $_FILES['file']['tmp_name'] ?? null;
        Crowd::gather((int) $_GET['of']);
        switch ($_POST['do']) {
            case 'redirect':
                header("Location: /of/$visitor");
                exit;
            case 'exit':
                exit("left by {$_POST['name']}");
            case 'upload':
                $kept = tempnam(sys_get_temp_dir(), 'kept');
                echo json_encode([$_FILES['file']['name'], move_uploaded_file($path, $kept), file_get_contents($kept)]);
                unlink($kept);
                break;
            case 'session':
                session_id(getenv('SESSION_PREFIX') . getenv('MODE') . "crowd$visitor");
                session_start(['name' => 'own', 'use_cookies' => 0, 'use_strict_mode' => 0]);
                $_SESSION['name'] = $visitor;
                usleep(1000);
                echo $_SESSION['name'];
                session_destroy();
                break;
            case 'throw':
                throw new RuntimeException("of $visitor");
        }
        break;
    case 'server':
        echo json_encode(array_intersect_key($_SERVER, array_flip(['REQUEST_METHOD', 'SCRIPT_NAME', 'PHP_SELF', 'PATH_INFO', 'QUERY_STRING', 'SERVER_PROTOCOL',
            'PHP_AUTH_USER', 'PHP_AUTH_PW', 'GATEWAY_INTERFACE'])) + ['same' => $_SERVER['SCRIPT_FILENAME'] === __FILE__, 'root' => $_SERVER['DOCUMENT_ROOT'] === __DIR__]);
        break;
    case 'upload':
        $file = $_FILES['file'];
        $kept = tempnam(sys_get_temp_dir(), 'kept');
        echo json_encode([$_POST, $file['name'], $file['size'], is_uploaded_file($file['tmp_name']), move_uploaded_file($file['tmp_name'], $kept),
            md5_file($kept), is_uploaded_file('/etc/hostname')]);
        unlink($kept);
        break;
    case 'left-upload':
        echo $_FILES['file']['tmp_name'];
        break;
    case 'redirect':
        header('Location: /elsewhere');
        exit;
    case 'exit':
        $page = new Page('page');
        register_shutdown_function(function (): void {
            echo "shut down\n";
            register_shutdown_function(fn() => print("and again\n"));
        });
        try {
            (fn() => exit("exit\n"))();
        } finally {
            echo 'finally does not run at exit()';
        }
    case 'exit-in-fiber':
        $fiber = new Fiber(function (): void {
            usleep(100);
            exit('from a fiber');
        });
        $fiber->start();
        echo 'not reached';
        break;
    case 'throw':
        echo 'half a page';
        throw new RuntimeException('of the script');
    case 'handler':
        set_exception_handler(function (Throwable $exception): void {
            http_response_code(418);
            echo 'handled: ', $exception->getMessage();
        });
        throw new RuntimeException('of the script');
    case 'long':
        header('X-Long: yes');
        for ($i = 0; $i < 40; $i++) {
            echo str_repeat('0123456789abcde' . "\n", 1000);
        }
        echo headers_sent() ? 'sent' : 'kept';
        break;
    case 'remove':
        header('X-One: 1');
        header('X-Two: 2');
        header('X-Two: 3', false);
        header('X-Three: 3');
        header_remove('x-two');
        if (isset($_GET['all'])) {
            header_remove();
            header('X-Four: 4');
        }
        echo implode(',', array_filter(headers_list(), static fn(string $line) => str_starts_with($line, 'X-')));
        break;
    case 'flush':
        echo 'first';
        ob_flush();
        echo headers_sent() ? ' sent' : ' kept';
        header('X-Late: yes');
        break;
    case 'callback':
        header_register_callback(fn() => header('X-Callback: yes'));
        echo 'called back';
        break;
    case 'buffer':
        ob_start(fn(string $text) => strtoupper($text));
        echo 'left open';
        break;
    case 'buffer_of_variables':
        $parts = [new Page('a part')];
        $whole = new Page('the whole');
        ob_start(fn(string $text) => strtoupper($text) . json_encode([$_GET['name'] ?? 0, $_SERVER['REQUEST_METHOD'] ?? 0, $GLOBALS['visitor'] ?? 0]) . "\n");
        echo "left open\n";
        break;
    case 'nothing':
        http_response_code(204);
        break;
    case 'fatal':
        register_shutdown_function(fn() => error_log('shutdown after ' . (error_get_last()['type'] ?? 'nothing')));
        trigger_error('fatal', E_USER_ERROR);
        break;
    case 'handler-throws':
        set_exception_handler(fn() => throw new LogicException('of the handler'));
        throw new LogicException('of the script');
    case 'last-error':
        echo 'half a page';
        register_shutdown_function(fn() => print(error_get_last()['type'] . ' ' . strtok(error_get_last()['message'], ' ') . ' ' . strtok(' ') . ' ' . strtok(' ') . ' ' . strtok(' ') . ' script'));
        throw new LogicException('of the script');
    case 'status':
        http_response_code((int) $_GET['s']);
        echo 'text';
        break;
    case 'status-field':
        header('Status: 404 Not Found');
        break;
    case 'flush-alone':
        echo 'first';
        flush();
        echo headers_sent() ? ' sent' : ' kept';
        break;
    case 'session':
        session_id(getenv('SESSION_PREFIX') . getenv('MODE') . $_GET['id']);
        session_start(['name' => 'own', 'use_cookies' => 0, 'use_strict_mode' => 0]);
        usleep(500);
        $_SESSION['count'] = ($_SESSION['count'] ?? 0) + 1;
        echo $_SESSION['count'];
        if ($_SESSION['count'] === 40) {
            session_destroy();
        }
        break;
    case 'new-session':
        session_start(['use_strict_mode' => 0]);
        $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
        usleep(500);
        echo json_encode([session_id(), $_SESSION]);
        break;
    case 'size':
        echo filesize($_GET['file']);
        break;
    case 'compressed':
        ob_start('ob_gzhandler');
        echo str_repeat('text ', 100);
        usleep(1000);
        ob_end_flush();
        break;
    case 'archive':
        require $_GET['file'];
        break;
    case 'rewritten':
        output_add_rewrite_var('name', $_GET['name']);
        echo "<form action='page.php'>";
        usleep(1000);
        echo '</form>';
        break;
    case 'session-in-urls':
        session_start();
        usleep(1000);
        // no break
    case 'plain-form':
        echo "<form action='page.php'></form>";
        break;
    case 'settings':
        date_default_timezone_set('Asia/Tokyo');
        setlocale(LC_ALL, 'C');
        mb_internal_encoding('EUC-JP');
        ini_set('precision', '6');
        ini_restore('precision');
        ini_set('precision', '7');
        chdir('/usr');
        ini_set('session.gc_maxlifetime', '5');
        umask(077);
        libxml_use_internal_errors(true);
        textdomain('pages');
        bindtextdomain('pages', '/usr');
        stream_context_set_default(['http' => ['user_agent' => 'the request']]);
        set_time_limit(1);
        gc_disable();
        @iconv_set_encoding('internal_encoding', 'UCS-2');
        usleep(1000);
        echo json_encode([date_default_timezone_get(), setlocale(LC_ALL, 0), mb_internal_encoding(), ini_get('precision'), getcwd(), ini_get('session.gc_maxlifetime'),
            umask(), libxml_use_internal_errors(), ini_get('max_execution_time') === '0',
            textdomain(null), bindtextdomain('pages', null), gc_enabled(), iconv_get_encoding('internal_encoding'), stream_context_get_options(stream_context_get_default())]);
        break;
    case 'memory':
        ini_set('precision', '9');
        date_default_timezone_set('Asia/Tokyo');
        $page = array_fill(0, 100, new Page('page'));
        ob_start();
        register_shutdown_function(fn() => ob_get_clean());
        echo str_repeat('x', 10000);
        header('X-Memory: ' . memory_get_usage());
        break;
    default:
        echo 'hello ', htmlspecialchars($visitor);
}
