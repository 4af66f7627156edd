<?php

declare(strict_types=1);

namespace Sluice\Swoole\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Swoole\Http2\Fields;
use Sluice\Swoole\Http2\Frame;
use Sluice\Testing\TestServer;

/** Clients and servers of HTTP/2 and of Redis's protocol, and what options and detached responses do. */
#[CoversNothing]
final class ProtocolsTest extends TestCase
{
    public function testAClientOfHttp2(): void
    {
        $server = self::server('protocols.php');
        $port = $server->port;
        self::assertSame(
            ['5d41402abc4b2a76b9719d911017c592', 'POST', ['seen' => 'anna'], 'df1', 'onetwo', 'yes', [1, 3], 'one', true, false],
            self::script(<<<PHP
                \$client = new Swoole\Coroutine\Http2\Client('127.0.0.1', $port);
                \$client->connect() or exit('no connection');
                \$said = [];
                \$request = new Swoole\Http2\Request();
                \$request->method = 'POST';
                \$request->cookies = ['name' => 'anna'];
                \$request->data = 'hello';
                \$client->send(\$request);
                \$response = \$client->recv(10);
                \$said = [\$response->data, \$response->headers['x-method'], \$response->cookies];
                // More than the window of a stream.
                \$big = str_repeat('0123456789', 300000);
                \$request->data = \$big;
                \$client->send(\$request);
                \$said[] = \$client->recv(10)->data === md5(\$big) ? 'df1' : 'other';
                \$request = new Swoole\Http2\Request();
                \$request->path = '/parts';
                \$client->send(\$request);
                \$response = \$client->recv(10);
                array_push(\$said, \$response->data, \$response->headers['x-end']);
                \$client->close();
                \$client->connect();
                \$both = [\$client->send(\$request), \$client->send(\$request)];
                \$said[] = \$both;
                \$client->recv(10);
                \$client->recv(10);
                \$request->usePipelineRead = true;
                \$client->send(\$request);
                \$response = \$client->read(10);
                array_push(\$said, substr(\$response->data, 0, 3), \$response->pipeline);
                while (\$response->pipeline) {
                    \$response = \$client->read(10);
                }
                \$client->close();
                \$said[] = \$client->recv();
                echo json_encode(\$said);
                PHP),
        );
        $server->stop();
    }

    public function testFieldsAsInTheRfc(): void
    {
        // RFC 7541, C.4: three requests with Huffman's code.
        $fields = new Fields();
        self::assertSame([[':method', 'GET'], [':scheme', 'http'], [':path', '/'], [':authority', 'www.example.com']], $fields->decode((string) \hex2bin('828684418cf1e3c2e5f23a6ba0ab90f4ff')));
        self::assertSame(['cache-control', 'no-cache'], $fields->decode((string) \hex2bin('828684be5886a8eb10649cbf'))[4] ?? null);
        self::assertSame(['custom-key', 'custom-value'], $fields->decode((string) \hex2bin('828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf'))[4] ?? null);
        self::assertSame([['a', \str_repeat('x', 500)]], $fields->decode(Fields::encode([['a', \str_repeat('x', 500)]])));
        foreach (['80', 'ff', '3fffffff7f', '000161', '4182ffff', '0005'] as $broken) {
            self::assertNull((new Fields())->decode((string) \hex2bin($broken)), $broken);
        }
        $data = Frame::write(Frame::HEADERS, Frame::PADDED | Frame::PRIORITY, 3, "\2" . '12345' . 'abc' . "\0\0") . 'rest';
        $frame = Frame::take($data);
        self::assertSame(['abc', 3, 'rest'], [$frame?->content(), $frame?->stream, $data]);
        $data = 'short';
        self::assertNull(Frame::take($data));
        self::assertNull((new Frame(Frame::DATA, Frame::PADDED, 1, "\5abc"))->content());
    }

    public function testAnotherProcessEndsADetachedResponse(): void
    {
        $server = self::server('protocols.php');
        $answer = $server->get('/detached');
        self::assertSame([201, 'from a task worker', 'task'], [$answer->status, $answer->body, $answer->header('x-process')]);
        $server->stop();
    }

    public function testOptionsThatLimit(): void
    {
        $release = (string) \tempnam(\sys_get_temp_dir(), 'sluice-packages-');
        \unlink($release);
        $server = self::server('protocols.php', ['RELEASE' => $release]);
        // 1203 is SWOOLE_ERROR_DATA_LENGTH_TOO_LARGE.
        self::assertSame('[false,1203]', $server->get('/long')->body);
        $waiting = [];
        for ($number = 0; $number < 2; ++$number) {
            $socket = \stream_socket_client("tcp://127.0.0.1:$server->port", timeout: 5) ?: throw new \RuntimeException();
            \fwrite($socket, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
            $waiting[] = $socket;
        }
        $deadline = \microtime(true) + 30;
        while (($status = $server->get('/')->status) !== 503 && \microtime(true) < $deadline) {
        }
        self::assertSame(503, $status);
        \touch($release);
        foreach ($waiting as $socket) {
            self::assertStringStartsWith('HTTP/1.1 200', (string) \fgets($socket));
        }
        $server->stop();
        \unlink($release);
    }

    public function testFieldsOfResponsesAndRequests(): void
    {
        $server = self::server('protocols.php');
        $answer = $server->raw("GET /fields HTTP/1.1\r\nHost: a\r\nX-Twice: 1\r\nX-Twice: 2\r\nConnection: close\r\n\r\n");
        self::assertStringEndsWith('["1","2"]', $answer);
        self::assertMatchesRegularExpression('~^x-many: a\r\nx-many: 5\r\nx-many: b\r$~mi', $answer);
        self::assertMatchesRegularExpression('~^set-cookie: a=1; path=/; HttpOnly; SameSite=Lax\r$~mi', $answer);
        $server->stop();
    }

    public function testAServerOfRedissProtocol(): void
    {
        $port = TestServer::freePort();
        self::assertSame(["+OK\r\n", "$5\r\nvalue\r\n", "$-1\r\n", "-ERR unknown command 'NOPE'\r\n", "*2\r\n:1\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n"], self::script(<<<PHP
            \$process = new Swoole\Process(function () {
                \$server = new Swoole\Redis\Server('127.0.0.1', $port);
                \$server->set(['worker_num' => 1]);
                \$server->setHandler('SET', function (int \$fd, array \$words) use (\$server): string { \$server->data[\$words[0]] = \$words[1]; return \$server::format(\$server::STATUS); });
                \$server->setHandler('get', fn(int \$fd, array \$words): string => isset(\$server->data[\$words[0]]) ? \$server::format(\$server::STRING, \$server->data[\$words[0]]) : \$server::format(\$server::NIL));
                \$server->setHandler('LIST', fn(): string => \$server::format(\$server::SET, [1, ['a' => 'b']]));
                ob_start(null, 1);
                \$server->start();
            });
            \$process->start();
            for (\$tries = 0; (\$socket = @stream_socket_client('tcp://127.0.0.1:$port', timeout: 5)) === false && \$tries < 600; ++\$tries) {
                usleep(50000);
            }
            \$ask = function (string \$command, int \$bytes) use (\$socket): string {
                // In two parts.
                fwrite(\$socket, substr(\$command, 0, 7));
                fflush(\$socket);
                fwrite(\$socket, substr(\$command, 7));
                return (string) stream_get_contents(\$socket, \$bytes);
            };
            \$said = [\$ask("*3\r\n\\$3\r\nSET\r\n\\$3\r\nkey\r\n\\$5\r\nvalue\r\n", 5), \$ask("*2\r\n\\$3\r\nGET\r\n\\$3\r\nkey\r\n", 11), \$ask("GET other\r\n", 5), \$ask("NOPE abc\r\n", 29), \$ask("LIST now\r\n", 26)];
            Swoole\Process::kill(\$process->pid, SIGTERM);
            Swoole\Process::wait();
            echo "\nSAID:", json_encode(\$said);
            PHP));
    }

    public function testAClientThatCallsBack(): void
    {
        self::assertSame(['connected', 'receive got hello', 'close', 'error'], self::script(<<<'PHP'
            $listener = stream_socket_server('tcp://127.0.0.1:0');
            $port = (int) substr(strrchr(stream_socket_get_name($listener, false), ':'), 1);
            go(function () use ($listener) {
                $from = stream_socket_accept($listener, 10);
                fwrite($from, 'got ' . fread($from, 5));
                fclose($from);
            });
            $said = [];
            $make = function () use (&$said): Swoole\Async\Client {
                $client = new Swoole\Async\Client(SWOOLE_SOCK_TCP);
                $client->on('connect', function ($client) use (&$said) { $said[] = $client->isConnected() ? 'connected' : 'not'; $client->send('hello'); });
                $client->on('receive', function ($client, string $data) use (&$said) { $said[] = "receive $data"; });
                $client->on('error', function () use (&$said) { $said[] = 'error'; });
                $client->on('close', function () use (&$said) { $said[] = 'close'; });
                return $client;
            };
            $first = $make();
            $first->connect('127.0.0.1', $port);
            Swoole\Event::wait();
            fclose($listener);
            $second = $make();
            $second->connect('127.0.0.1', $port);
            Swoole\Event::wait();
            echo json_encode($said);
            PHP));
    }

    public function testTablesSayWhatIsWrongWithAKey(): void
    {
        self::assertSame([false, false, 'Swoole\Table::set(): key must not be empty', 'Swoole\Table::get(): key length exceeds the limit of 63 bytes', [1, 1, 1, 0], [-0.0, false], 255], self::script(<<<'PHP'
            $table = new Swoole\Table(64);
            $table->column('id', Swoole\Table::TYPE_INT);
            $table->column('score', Swoole\Table::TYPE_FLOAT);
            $table->create();
            $warnings = [];
            set_error_handler(function (int $level, string $text) use (&$warnings) { $warnings[] = $text; return true; });
            $said = [$table->set('', ['id' => 1]), $table->get(str_repeat('k', 64)), ...$warnings];
            $table->set('a', ['id' => '5', 'score' => -0.0]);
            $table->incr('a', 'id', 3);
            $table->del('a');
            $stats = $table->stats();
            $said[] = [$stats['insert_count'], $stats['update_count'], $stats['delete_count'], $stats['num']];
            $table->set('b', ['score' => -0.0]);
            $said[] = [$table->get('b', 'score'), $table->cmpset('b', ['score' => 0.0], ['id' => 1])];
            $process = new Swoole\Process(function () use ($table) { usleep(1000); ini_set('display_errors', '0'); ini_set('log_errors', '0'); while (true) { $table->get('b'); } });
            $process->start();
            $table->destroy();
            $said[] = Swoole\Process::wait()['code'];
            echo json_encode($said, JSON_PRESERVE_ZERO_FRACTION);
            PHP));
    }

    /** @param array<string, string> $environment */
    private static function server(string $script, array $environment = []): TestServer
    {
        return TestServer::startCommand([TestServer::php(), '-d', 'sluice.swoole=6.2.2', __DIR__ . "/servers/$script"], environment: $environment);
    }

    private static function script(string $code): mixed
    {
        $said = ScriptTest::script($code);
        $at = \strpos($said, "\nSAID:");
        return \json_decode($at === false ? $said : \substr($said, $at + 6), true) ?? $said;
    }
}
