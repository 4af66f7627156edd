<?php

declare(strict_types=1);

namespace Sluice\Swoole\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Testing\TestServer;

/** Scripts without a server: each prints what it prints on Swoole. */
#[CoversNothing]
final class ScriptTest extends TestCase
{
    public function testACoroutineBeginsAtOnceAndTheScriptsEndWaits(): void
    {
        self::assertSame("a1 b c2 d end e1 f2 ", self::script(<<<'PHP'
            $first = go(function () { Co::sleep(0.01); echo 'e1 '; });
            echo "a$first b ";
            $second = go(function () { Co::sleep(0.03); echo 'f2 '; });
            echo "c$second d end ";
            PHP));
    }

    public function testChannelsSwitchToWhoWaits(): void
    {
        self::assertSame('pop push popped:1 pushed closed:0:-2 late:-1 ', self::script(<<<'PHP'
            $channel = new chan(1);
            go(function () use ($channel) { echo 'pop '; echo 'popped:' . $channel->pop() . ' '; });
            go(function () use ($channel) {
                echo 'push ';
                $channel->push(1);
                echo 'pushed ';
                $other = new chan(1);
                $other->close();
                echo 'closed:' . (int) $other->push(1) . ":$other->errCode ";
                $third = new chan(1);
                $third->pop(0.001);
                echo "late:$third->errCode ";
            });
            PHP));
    }

    public function testTimersContextsDefersAndJoins(): void
    {
        self::assertSame('tick:x tick:x ctx:5 deferred joined 4 -1 ', self::script(<<<'PHP'
            $n = 0;
            Swoole\Timer::tick(2, function (int $id, string $text) use (&$n) { echo "tick:$text "; if (++$n === 2) Swoole\Timer::clear($id); }, 'x');
            Swoole\Event::wait();
            Co\run(function () {
                $id = go(function () {
                    Co::defer(function () { echo 'deferred '; });
                    Co::getContext()['v'] = 5;
                    Co::sleep(0.002);
                    $value = Co::getContext()['v'];
                    Co::defer(function () use ($value) { echo "ctx:$value "; });
                });
                Co::join([$id]);
                echo 'joined ', $id, ' ';
            });
            echo Co::getCid(), ' ';
            PHP));
    }

    public function testProcessesShareTablesAndAtomicsAndAreWaitedFor(): void
    {
        self::assertSame('hello {"id":7,"name":"abc","rate":1.5} 3 code:4', self::script(<<<'PHP'
            $table = new Swoole\Table(64);
            $table->column('id', Swoole\Table::TYPE_INT);
            $table->column('name', Swoole\Table::TYPE_STRING, 8);
            $table->column('rate', Swoole\Table::TYPE_FLOAT);
            $table->create();
            $atomic = new Swoole\Atomic(1);
            $process = new Swoole\Process(function (Swoole\Process $process) use ($table, $atomic) {
                $table->set('row', ['id' => 6, 'name' => 'abc', 'rate' => 1.5]);
                $table->incr('row', 'id');
                $atomic->add(2);
                $process->write('hello ');
                exit(4);
            });
            $process->start();
            echo $process->read();
            $ended = Swoole\Process::wait();
            echo json_encode($table->get('row')), ' ', $atomic->get(), ' code:', $ended['code'];
            PHP));
    }

    public function testCallbacksAreWhatTheirCallerMayCall(): void
    {
        self::assertSame(
            "p7 s p7 end p7 s Swoole\\Timer::after(): Argument #2 (\$callback) must be a valid callback, class Caller does not have a method \"nope\" 13\n"
            . "Swoole\\Timer::after(): Argument #2 (\$callback) must be a valid callback, cannot access private method Caller::p() 13\n"
            . "swoole_timer_tick(): Argument #2 (\$callback) must be a valid callback, cannot access private method Caller::s() 13\n"
            . "go(): Argument #1 (\$func) must be a valid callback, function \"nope\" not found or invalid function name 13\n"
            . "go(): Argument #1 (\$func) must be a valid callback, no array or string given 13\n",
            self::script(<<<'PHP'
                class Caller {
                    private $x = 7;
                    private function p() { echo "p$this->x "; }
                    private static function s() { echo 's '; }
                    function calls() {
                        go([$this, 'p']);
                        Co::create('Caller::s');
                        (function () { go([$this, 'p']); })();
                        Swoole\Timer::after(1, [$this, 'p']);
                        swoole_timer_after(2, [self::class, 's']);
                    }
                } (new Caller)->calls(); $wrong = [fn() => Swoole\Timer::After(1, ['Caller', 'nope']), fn() => Swoole\Timer::after(1, [new Caller, 'p']), fn() => swoole_timer_tick(1, ['Caller', 's']), fn() => go('nope'), fn() => go(5)]; echo 'end ';
                Swoole\Event::wait();
                foreach ($wrong as $one) {
                    try {
                        $one();
                    } catch (TypeError $e) {
                        echo $e->getMessage(), ' ', $e->getLine(), "\n";
                    }
                }
                PHP),
        );
    }

    public function testWarningsAreAtTheProgramsLine(): void
    {
        self::assertSame("2 4 go(): exceed max number of coroutine 1 true\n2 5 Swoole\\Timer::after(): Timer must be greater than or equal to 1 true\n"
            . "2 7 Swoole\\Coroutine\\Client::set(): unsupported option [nonsense] true\n", self::script(<<<'PHP'
            set_error_handler(function ($level, $text, $file, $line) { echo "$level $line $text ", json_encode($file === __FILE__), "\n"; return true; });
            Co::set(['max_coroutine' => 1]);
            go(fn() => go(fn() => 1));
            Swoole\Timer::after(0, fn() => 1);
            class Mine extends Co\Client {}
            (new Mine(SWOOLE_SOCK_TCP))->set(['nonsense' => 1]);
            PHP));
    }

    public function testAChannelGivesWhatComesAsTheTimeIsOver(): void
    {
        self::assertSame('data 0 false -1 ', self::script(<<<'PHP'
            go(function () {
                $channel = new chan(3);
                go(function () use ($channel) { Co::sleep(0.001); $channel->push('data'); });
                // Both waits end in the same moment.
                echo $channel->pop(0.001), ' ', $channel->errCode, ' ';
                echo json_encode($channel->pop(0.001)), ' ', $channel->errCode, ' ';
            });
            PHP));
    }

    public function testSocketsInCoroutinesHaveTls(): void
    {
        self::assertSame('4194304 4194304 true page refused secure true ', self::script(<<<'PHP'
            $key = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1']);
            $certificate = openssl_csr_sign(openssl_csr_new(['commonName' => '127.0.0.1'], $key), null, $key, 1);
            $file = tempnam(sys_get_temp_dir(), 'swoole-tls-');
            openssl_x509_export_to_file($certificate, "$file.crt");
            openssl_pkey_export_to_file($key, "$file.key");
            $tls = ['ssl_cert_file' => "$file.crt", 'ssl_key_file' => "$file.key"];
            Co\run(function () use ($tls) {
                // Both ways at once, with more than the kernel's buffers take.
                $listener = new Swoole\Coroutine\Socket(AF_INET, SOCK_STREAM);
                $listener->setProtocol(['open_ssl' => true] + $tls);
                $listener->bind('127.0.0.1', 0);
                $listener->listen();
                $port = $listener->getsockname()['port'];
                $data = random_bytes(4 << 20);
                go(function () use ($listener, $data) {
                    $socket = $listener->accept();
                    $socket->sslHandshake() || print('no handshake ');
                    $sent = new chan(1);
                    go(fn() => $sent->push($socket->sendAll($data)));
                    $socket->recvAll(strlen($data)) === $data || print('wrong ');
                    $sent->pop();
                    $socket->close();
                });
                $client = new Swoole\Coroutine\Socket(AF_INET, SOCK_STREAM);
                $client->setProtocol(['open_ssl' => true]);
                $client->connect('127.0.0.1', $port) || print("not connected: $client->errMsg ");
                $sent = new chan(1);
                go(fn() => $sent->push($client->sendAll($data)));
                $got = $client->recvAll(strlen($data));
                echo strlen($got), ' ', $sent->pop(), ' ', json_encode($got === $data), ' ';
                $client->close();
                $listener->close();

                $server = new Swoole\Coroutine\Http\Server('127.0.0.1', 0, true);
                $server->set($tls);
                $server->handle('/', fn($request, $response) => $response->end('page '));
                go(fn() => $server->start());
                $http = new Swoole\Coroutine\Http\Client('127.0.0.1', $server->port, true);
                $http->get('/');
                echo $http->body;
                // Who speaks no TLS is closed, and the server goes on.
                $plain = new Swoole\Coroutine\Http\Client('127.0.0.1', $server->port);
                echo $plain->get('/') ? 'answered ' : 'refused ';
                $server->shutdown();

                $server = new Swoole\Coroutine\Server('127.0.0.1', 0, true);
                $server->set($tls);
                $server->handle(function ($connection) { $connection->send(strrev($connection->recv())); $connection->close(); });
                go(fn() => $server->start());
                $tcp = new Swoole\Coroutine\Client(SWOOLE_SOCK_TCP | SWOOLE_SSL);
                $tcp->connect('127.0.0.1', $server->port);
                $tcp->send('eruces');
                echo $tcp->recv(), ' ';
                // A client that looks at certificates does not take this one.
                $strict = new Swoole\Coroutine\Socket(AF_INET, SOCK_STREAM);
                $strict->setProtocol(['open_ssl' => true, 'ssl_verify_peer' => true]);
                echo json_encode(!$strict->connect('127.0.0.1', $server->port) && $strict->errCode === SWOOLE_ERROR_SSL_HANDSHAKE_FAILED), ' ';
                $server->shutdown();
            });
            array_map(unlink(...), [$file, "$file.crt", "$file.key"]);
            PHP));
    }

    public function testNumbersCountTheProgramsCoroutines(): void
    {
        self::assertSame('tick:1 tick:2 outer:3,-1 inner:4,3 ids:4,3 gone:false,false none:-1 5 6 ', self::script(<<<'PHP'
            Swoole\Timer::after(1, function () { echo 'tick:', Co::getCid(), ' '; });
            Swoole\Timer::after(2, function () { echo 'tick:', Co::getCid(), ' '; });
            Swoole\Event::wait();
            go(function () {
                echo 'outer:', Co::getCid(), ',', Co::getPcid(), ' ';
                $inner = go(function () {
                    echo 'inner:', Co::getCid(), ',', Co::getPcid(), ' ';
                    Co::yield();
                });
                echo 'ids:', implode(',', iterator_to_array(Co::list())), ' ';
                Co::resume($inner);
                echo 'gone:', json_encode(Co::exists($inner)), ',', json_encode(@Co::resume($inner)), ' ';
            });
            Swoole\Event::wait();
            co::set(['enable_coroutine' => false]);
            Swoole\Timer::after(1, function () { echo 'none:', Co::getCid(), ' '; go(function () { echo Co::getCid(), ' '; }); });
            Swoole\Event::wait();
            echo go(fn() => 1), ' ';
            PHP));
    }

    public function testAWaitThatIsOverIsCancelledBeforeItGoesOn(): void
    {
        self::assertSame('true false 10017 -3 ', self::script(<<<'PHP'
            $waiter = 0;
            go(function () use (&$waiter) { Co::sleep(0.001); echo json_encode(Co::cancel($waiter)), ' '; });
            $waiter = go(function () {
                $channel = new chan(1);
                echo json_encode($channel->pop(0.001)), ' ', swoole_last_error(), ' ', $channel->errCode, ' ';
            });
            // Both times are over when the loop looks.
            for ($end = microtime(true) + 0.01; microtime(true) < $end;) {}
            PHP));
    }

    public function testComputingCoroutinesGiveTurns(): void
    {
        self::assertSame('1 2 end done channel:1,2,3 ', self::script(<<<'PHP'
            Co::set(['enable_preemptive_scheduler' => true]);
            $on = true;
            go(function () use (&$on) { echo '1 '; while ($on) {} echo 'done '; });
            go(function () use (&$on) { echo '2 '; $on = false; });
            echo 'end ';
            Swoole\Event::wait();
            Co\run(function () {
                $channel = new chan(1);
                $got = [];
                go(function () use ($channel, &$got) { while (($one = $channel->pop()) !== false) $got[] = $one; });
                foreach ([1, 2, 3] as $one) {
                    for ($i = 0; $i < 300000; ++$i) {}
                    $channel->push($one);
                }
                $channel->close();
                echo 'channel:', implode(',', $got), ' ';
            });
            PHP));
    }

    public function testCoroutinesOfDestructorsAreNotLost(): void
    {
        self::assertSame('end slept ', self::script(<<<'PHP'
            class Last { public function __destruct() { go(function () { Co::sleep(0.001); echo 'slept '; }) !== false || print('refused '); } }
            $last = new Last();
            unset($last);
            echo 'end ';
            PHP));
    }

    public function testWhatIsJoined(): void
    {
        self::assertSame([false, 505, false, 509, true, false, 10018, false], \json_decode(self::script(<<<'PHP'
            Co\run(function () {
                $sleeper = fn(float $seconds) => go(fn() => Co::sleep($seconds));
                $said = [@Co::join([9999]), swoole_last_error()];
                $id = $sleeper(0.001);
                array_push($said, @Co::join([$id, $id]), swoole_last_error(), Co::join([$id, 9999]));
                $channel = new chan(1);
                $long = go(fn() => $channel->pop());
                array_push($said, Co::join([$long], 0.001), swoole_last_error());
                $channel->push(1);
                $said[] = Co::exists($long);
                echo json_encode($said);
            });
            PHP), true));
    }

    public function testWhatIsUnknownIsToldOnce(): void
    {
        $said = self::script(<<<'PHP'
            set_error_handler(function (int $level, string $text) { echo error_reporting() & $level ? "$text\n" : ""; return true; });
            $server = new swoole_http_server('127.0.0.1', 0);
            $server->set(['nonsense' => 1, 'daemonize' => true, 'worker_num' => 2]);
            $server->set(['nonsense' => 1, 'daemonize' => false]);
            var_dump($server->on('nothing', fn() => 1));
            $socket = stream_socket_server('tcp://127.0.0.1:0');
            try {
                new Swoole\Server('127.0.0.1', (int) explode(':', stream_socket_get_name($socket, false))[1]);
            } catch (Swoole\Exception $e) {
                echo $e->getCode(), "\n";
            }
            ini_set('display_errors', '1');
            $server->start();
            echo 'never here';
            PHP);
        self::assertStringStartsWith(
            "Swoole\\Server::set(): unsupported option [nonsense]\nSwoole\\Server::set(): the option daemonize has no effect: let a supervisor such as systemd start the server; it stays in the foreground\n"
            . "Swoole\\Server::on(): unknown event types[nothing]\nbool(false)\n98\n\nFatal error: Swoole\\Server::start(): require onRequest callback in ",
            $said,
        );
        self::assertStringNotContainsString('never here', $said);
    }

    public function testAPoolsWorkersSendLongMessagesAndEndTogether(): void
    {
        self::assertSame("start\n0 1 300000\nshutdown\nstopped 0\nstopped 1\n", self::script(<<<'PHP'
            $pool = new Swoole\Process\Pool(2, SWOOLE_IPC_UNIXSOCK, 0, true);
            $pool->set(['enable_message_bus' => true, 'max_wait_time' => 30]);
            $stopped = new Swoole\Atomic();
            $pool->on('start', fn() => print("start\n"));
            $pool->on('shutdown', fn() => print("shutdown\n"));
            $pool->on('workerStart', function (Swoole\Process\Pool $pool, int $id) {
                if ($id === 0) {
                    $pool->sendMessage(json_encode([$pool->getProcess()->id, $pool->getProcess(1)->id]) . str_repeat('x', 300_000 - 5), 1);
                }
            });
            $pool->on('message', function (Swoole\Process\Pool $pool, string $data) {
                echo implode(' ', json_decode(substr($data, 0, 5))), ' ', strlen($data), "\n";
                $pool->shutdown();
            });
            $pool->on('workerStop', function ($pool, int $id) use ($stopped) {
                // One after the other.
                while ($stopped->get() !== $id) {
                    usleep(1000);
                }
                echo "stopped $id\n";
                $stopped->add();
            });
            $pool->start();
            PHP));
    }

    public function testWaitsForSocketsAreCancelled(): void
    {
        self::assertSame('cancelled:125 closed:125 ended:125 thrown ', self::script(<<<'PHP'
            Co\run(function () {
                $wait = function (callable $end) {
                    $socket = new Co\Socket(AF_INET, SOCK_DGRAM, 0);
                    $socket->bind('127.0.0.1');
                    $id = go(function () use ($socket) {
                        echo json_encode($socket->recvfrom($peer)) === 'false' ? ":$socket->errCode " : 'data ';
                    });
                    $end($socket, $id);
                    Co::join([$id]);
                };
                $wait(function ($socket) { echo 'cancelled'; $socket->cancel(); });
                $wait(function ($socket) { echo 'closed'; $socket->close(); });
                $wait(function ($socket, $id) { echo 'ended'; Co::cancel($id); });
                $id = go(function () {
                    try {
                        Co::sleep(60);
                    } catch (Swoole\Coroutine\CanceledException) {
                        echo 'thrown ';
                    }
                });
                Co::cancel($id, true);
            });
            PHP));
    }

    public function testWhatIsDeferredRunsAlsoAfterAnUncaughtException(): void
    {
        self::assertMatchesRegularExpression('/^got:7 \nFatal error: Uncaught Exception: wrong in [^\n]*\nStack trace:\n#0 \[internal function\]: \{closure[^\n]*\}\(\)\n#1 \{main\}\n  thrown in [^\n]*\nlast first $/', self::script(<<<'PHP'
            ini_set('display_errors', '1');
            go(function () { Co::defer(function ($result) { echo "got:$result "; }); return 7; });
            go(function () {
                Co::defer(function () { echo 'first '; });
                Co::defer(function () { echo 'last '; });
                throw new Exception('wrong');
            });
            echo 'never here';
            PHP));
    }

    public function testFramesAreWhatTheirFlagsSay(): void
    {
        self::assertSame([[1, false], [8, true, 1001, 'bye'], ['', 'the max length of close reason is 123'], [9, true]], \json_decode(self::script(<<<'PHP'
            use Swoole\WebSocket\{CloseFrame, Frame};
            set_error_handler(function (int $level, string $text) use (&$told) { $told = substr($text, strpos($text, '(): ') + 4); return true; });
            $frame = new Frame();
            [$frame->data, $frame->finish] = ['begin', false];
            $begin = Frame::unpack((string) $frame);
            $close = new CloseFrame();
            [$close->code, $close->reason, $close->flags] = [1001, 'bye', 0];
            $closed = Frame::unpack((string) $close);
            $close->reason = str_repeat('x', 124);
            $long = (string) $close;
            $ping = Frame::unpack(Frame::pack('p', WEBSOCKET_OPCODE_PING, 0));
            echo json_encode([[$begin->opcode, $begin->finish], [$closed->opcode, $closed->finish, $closed->code, $closed->reason], [$long, $told], [$ping->opcode, $ping->finish]]);
            PHP), true));
    }

    public function testAtomicsAreWaitedForAndLocksAreShared(): void
    {
        self::assertSame('woken in:1 out locked free ', self::script(<<<'PHP'
            $atomic = new Swoole\Atomic();
            $lock = new Swoole\Lock(SWOOLE_RWLOCK);
            $lock->lock_read();
            $process = new Swoole\Process(function () use ($atomic, $lock) {
                $in = (int) $lock->trylock_read();
                $lock->unlock();
                echo $atomic->wait(60) ? 'woken ' : 'late ', "in:$in ";
            });
            $process->start();
            $atomic->wakeup();
            Swoole\Process::wait();
            echo 'out ', $lock->trylock() ? 'wrong ' : 'locked ';
            $lock->unlock();
            echo $lock->trylock() ? 'free ' : 'wrong ';
            PHP));
    }

    public function testACoroutinesServerTakesFormsAndIsStartedAgain(): void
    {
        self::assertSame('{"a":{"b":"1"}} x.txt 2 hi refused again ', self::script(<<<'PHP'
            Co\run(function () {
                $server = new Swoole\Coroutine\Http\Server('127.0.0.1');
                $server->handle('/', function ($request, $response) {
                    $file = $request->files['f'] ?? null;
                    $response->end(json_encode($request->post) . ($file === null ? '' : " {$file['name']} {$file['size']} " . file_get_contents($file['tmp_name'])));
                });
                $server->handle('/again', fn($request, $response) => $response->end('again'));
                $ask = function (string $path, array $file = []) use ($server) {
                    $client = new Co\Http\Client('127.0.0.1', $server->port);
                    $client->set(['timeout' => 30]);
                    if ($file !== []) {
                        $client->addData(...$file);
                        $client->post($path, ['a[b]' => 1]);
                    } else {
                        $client->get($path);
                    }
                    return $client->statusCode > 0 ? $client->body : 'refused';
                };
                go(fn() => $server->start());
                echo $ask('/', ['hi', 'f', 'text/plain', 'x.txt']), ' ';
                $server->shutdown();
                echo $ask('/again'), ' ';
                go(fn() => $server->start());
                echo $ask('/again'), ' ';
                $server->shutdown();
            });
            PHP));
    }

    public function testTasksAsObjectsSayHowTheyWereSent(): void
    {
        self::assertStringContainsString("\n{\"data\":\"asked\",\"id\":0,\"worker_id\":0,\"flags\":4} {\"data\":[1],\"id\":1,\"worker_id\":0,\"flags\":34} done\n", self::script(<<<'PHP'
            $server = new Swoole\Server('127.0.0.1', 0);
            $server->set(['worker_num' => 1, 'task_worker_num' => 1, 'task_use_object' => true]);
            $server->on('receive', fn() => null);
            $server->on('task', function ($server, Swoole\Server\Task $task) {
                $task->finish(json_encode(array_diff_key((array) $task, ['dispatch_time' => 0])));
            });
            $finished = new chan(1);
            $server->on('finish', fn($server, $id, $data) => $finished->push($data));
            $server->on('workerStart', function ($server, $id) use ($finished) {
                if ($id === 0) {
                    $server->task('asked');
                    go(function () use ($server, $finished) {
                        echo "\n", $finished->pop(), ' ', $server->taskwait([1], 60), " done\n";
                        $server->shutdown();
                    });
                }
            });
            $server->start();
            PHP));
    }

    public function testAFunctionDispatchesPackages(): void
    {
        self::assertStringContainsString("0:0\n1:1\n0:0\n0:any\n1:1\nclosed\n", self::script(<<<'PHP'
            $server = new Swoole\Server('127.0.0.1', 0);
            $server->set(['worker_num' => 2, 'open_eof_split' => true, 'package_eof' => "\n", 'dispatch_func' => fn($server, int $fd, int $type, string $data) => match (trim($data)) {
                'drop' => SWOOLE_DISPATCH_RESULT_DISCARD_PACKET, 'close' => SWOOLE_DISPATCH_RESULT_CLOSE_CONNECTION, 'any' => SWOOLE_DISPATCH_RESULT_USERFUNC_FALLBACK,
                default => (int) $data,
            }]);
            $server->on('receive', fn($server, $fd, $reactor, $data) => $server->send($fd, "$server->worker_id:$data"));
            $server->on('start', function ($server) {
                go(function () use ($server) {
                    $client = new Co\Client(SWOOLE_SOCK_TCP);
                    $client->set(['open_eof_split' => true, 'package_eof' => "\n", 'timeout' => 60]);
                    $client->connect('127.0.0.1', $server->port);
                    $said = '';
                    // The worker of the connection is 0 or 1.
                    foreach (['0', '1', 'drop', '0', 'any', '1'] as $message) {
                        $client->send("$message\n");
                        $said .= $message === 'drop' ? '' : preg_replace('/^1:any/', '0:any', $client->recv());
                    }
                    $client->send("close\n");
                    echo "\n$said", $client->recv() === '' ? "closed\n" : "open\n";
                    $server->shutdown();
                });
            });
            $server->start();
            PHP));
    }

    public function testSendYieldWaitsForAClientThatReadsSlowly(): void
    {
        self::assertStringContainsString("\nsent:40 got:41943040\n", self::script(<<<'PHP'
            $server = new Swoole\Server('127.0.0.1', 0);
            $server->set(['worker_num' => 1, 'send_yield' => true, 'send_timeout' => 100, 'socket_buffer_size' => 4 << 20]);
            $server->on('receive', function ($server, $fd) {
                $sent = 0;
                for ($n = 0; $n < 40; ++$n) {
                    $sent += (int) $server->send($fd, str_repeat('x', 1 << 20));
                }
                $server->send($fd, "sent:$sent");
            });
            $server->on('start', function ($server) {
                go(function () use ($server) {
                    $client = new Co\Client(SWOOLE_SOCK_TCP);
                    $client->set(['timeout' => 100]);
                    $client->connect('127.0.0.1', $server->port);
                    $client->send('go');
                    for ($got = 0, $last = ''; !str_contains($last, 'sent:'); $got += strlen($data)) {
                        $data = $client->recv();
                        $last = substr($last . $data, -20);
                    }
                    $said = substr($last, strpos($last, 'sent:'));
                    echo "\n$said got:", $got - strlen($said), "\n";
                    $server->shutdown();
                });
            });
            $server->start();
            PHP));
    }

    public static function script(string $code): string
    {
        $file = (string) \tempnam(\sys_get_temp_dir(), 'sluice-swoole-');
        $autoload = \dirname(__DIR__, 3) . '/build/packages/vendor/autoload.php';
        \file_put_contents($file, "<?php require '$autoload';\n$code");
        $printed = \shell_exec(\escapeshellarg(TestServer::php()) . ' -d sluice.swoole=6.2.2 ' . \escapeshellarg($file) . ' 2>/dev/null');
        \unlink($file);
        return (string) $printed;
    }
}
