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
        self::assertSame('tick:x tick:x ctx:5 deferred joined 2 -1 ', self::script(<<<'PHP'
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
            var_dump($server->on('nothing', fn() => 1), $server->start());
            $socket = stream_socket_server('tcp://127.0.0.1:0');
            try {
                new Swoole\Server('127.0.0.1', (int) explode(':', stream_socket_get_name($socket, false))[1]);
            } catch (Swoole\Exception $e) {
                echo $e->getCode(), "\n";
            }
            PHP);
        self::assertSame(
            "Swoole\\Server::set(): unsupported option [nonsense]\nSwoole\\Server::set(): the option daemonize has no effect: let a supervisor such as systemd start the server; it stays in the foreground\n"
            . "Swoole\\Server::on(): unknown event types[nothing]\nSwoole\\Server::start(): require onRequest callback\nbool(false)\nbool(false)\n98\n",
            $said,
        );
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
