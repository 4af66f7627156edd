<?php

// Output buffers at a page's end; php-fpm answers it as well. One echo for what is written at once: opcache, which php-fpm has, joins those that follow each other.

$up = fn(string $text, int $flags) => '[' . strtoupper($text) . ":$flags]";
$begin = function () {
    echo 'destroyed';
    ob_start(fn($text) => "<$text>", 0, 0);
    echo 'more';
};
switch ($_GET['case']) {
    case 'level':
        echo json_encode([ob_get_level(), ini_get('zlib.output_compression'), ob_list_handlers()]);
        break;
    case 'gzip-flushed':
        ob_start('ob_gzhandler');
        echo 1;
        ob_flush();
        break;
    case 'gzip-left':
        ob_start('ob_gzhandler');
        echo 1;
        break;
    case 'gzip-within':
        ob_start($up);
        ob_start('ob_gzhandler');
        echo 1;
        break;
    case 'gzip-exit':
        ob_start('ob_gzhandler');
        echo 1;
        ob_flush();
        exit;
    case 'gzip-cleaned':
        ob_start('ob_gzhandler');
        echo 1;
        ob_flush();
        var_dump(@ob_end_clean());
        break;
    case 'gzip-twice':
        ob_start('ob_gzhandler');
        echo 1;
        var_dump(@ob_start('ob_gzhandler'));
        break;
    case 'gzip-set':
        var_dump(@ini_set('zlib.output_compression', '4096'));
        usleep(1000);
        echo 2;
        break;
    case 'length':
        header('content-length: 6');
        echo 'length';
        break;
    case 'fixed':
        ob_start($up, 0, 0);
        echo 'left';
        break;
    case 'fixed-default':
        ob_start(null, 0, 0);
        echo 'left';
        break;
    case 'fixed-nested':
        ob_start($up, 0, 0);
        echo 'a';
        ob_start($up, 0, 0);
        echo 'b';
        ob_start();
        echo 'c';
        break;
    case 'fixed-refuses':
        ob_start($up, 0, 0);
        echo 'a';
        var_dump(@ob_end_clean(), @ob_end_flush(), @ob_clean(), @ob_flush(), @ob_get_clean(), @ob_get_flush());
        break;
    case 'fixed-flush':
        ob_start($up, 0, 0);
        echo 'a';
        flush();
        echo 'b';
        break;
    case 'fixed-chunked':
        ob_start($up, 3, 0);
        foreach (['ab', 'cd', 'e'] as $part) {
            echo $part;
        }
        break;
    case 'fixed-alone':
        while (ob_get_level() > 0) {
            ob_end_clean();
        }
        ob_start($up, 0, 0);
        echo 'a';
        break;
    case 'fixed-long':
        ob_start($up, 0, 0);
        echo str_repeat('x', 300_000);
        break;
    case 'fixed-redirect':
        ob_start($up, 0, 0);
        echo 'a';
        header('Location: /elsewhere');
        break;
    case 'exit':
        ob_start($up, 0, 0);
        echo 'left';
        exit(' by exit');
    case 'handled':
        set_exception_handler($begin);
        ob_start($up, 0, 0);
        echo 'left';
        throw new RuntimeException('of the page');
    case 'shutdown':
        register_shutdown_function($begin);
        ob_start($up, 0, 0);
        echo 'left';
        break;
    case 'destructor':
        $object = new class ($begin) {
            public function __construct(private readonly Closure $begin) {}
            public function __destruct()
            {
                ($this->begin)();
            }
        };
        ob_start($up, 0, 0);
        echo 'left';
        break;
    case 'callback-echoes':
        ob_start(function ($text) {
            echo 'lost';
            return "($text)";
        }, 0, 0);
        echo 'left';
        break;
    case 'callback-sets-header':
        ob_start(function ($text) {
            header('X-Late: yes');
            http_response_code(203);
            return "($text)";
        }, 0, 0);
        echo 'left';
        break;
    case 'callback-waits':
        ob_start(function ($text) {
            usleep(1000);
            return "($text of {$_GET['case']})";
        }, 0, 0);
        echo 'left';
        break;
    case 'callback-false':
        ob_start(fn() => false, 0, 0);
        echo 'left';
        break;
    case 'callback-nothing':
        ob_start(fn() => null, 0, 0);
        echo 'left';
        break;
    case 'callback-cleans':
        ob_start(function ($text) {
            return json_encode([@ob_clean(), @ob_end_clean(), $text]);
        }, 0, 0);
        echo 'left';
        break;
    case 'callback-exits':
        ob_start($up, 0, 0);
        echo 'outer';
        ob_start(function () {
            exit('bye');
        }, 0, 0);
        echo 'left';
        break;
    case 'callback-exits-early':
        echo 'before';
        ob_start(function () {
            exit;
        });
        echo 'left';
        ob_end_flush();
        echo 'after';
        break;
    case 'callback-throws-early':
        echo 'before';
        ob_start(fn() => throw new RuntimeException('of the callback'));
        echo 'left';
        try {
            ob_end_flush();
        } catch (RuntimeException $e) {
            echo $e->getMessage();
        }
        break;
    // These are not as in php-fpm.
    case 'callback-throws':
        set_exception_handler(fn() => print('handled'));
        ob_start($up, 0, 0);
        ob_start(fn() => throw new RuntimeException('of the callback'), 0, 0);
        echo 'left';
        break;
    case 'throws':
        ob_start($up, 0, 0);
        ob_start('ob_gzhandler');
        echo 'left';
        ob_flush();
        throw new RuntimeException('of the page');
    case 'destructor-in-array':
        $objects = [new class {
            public function __destruct()
            {
                echo 'destroyed';
                ob_start('ob_gzhandler');
                echo 'never seen';
                ob_start(fn() => print('never seen'), 0, 0);
            }
        }];
        isset($_GET['gzip']) ? ob_start('ob_gzhandler') : ob_start($up, 0, 0);
        echo 'left';
        break;
    case 'child':
        Sluice\Coroutine\all(function () use ($up) {
            ob_start($up, 0, 0);
            echo 'of a child, ';
        }, function () use ($up) {
            ob_start($up, 0, 0);
            usleep(1000);
            echo 'of another';
        });
        break;
    case 'loops':
        ob_start('ob_gzhandler');
        echo 1;
        ob_flush();
        for ($times = 0; ob_get_level() > 1 && $times < 200_000; ++$times) {
            ob_end_clean();
        }
        break;
}
