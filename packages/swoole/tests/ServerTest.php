<?php

declare(strict_types=1);

namespace Sluice\Swoole\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Testing\TestServer;
use Sluice\Testing\WebSocketClient;

/** What the examples leave out: tasks, messages, processes, ports, files, clients that do not read. */
#[CoversNothing]
final class ServerTest extends TestCase
{
    private TestServer $server;
    private int $tcp;
    private int $udp;

    protected function setUp(): void
    {
        $this->tcp = TestServer::freePort();
        $this->udp = TestServer::freePort();
        $this->server = TestServer::startCommand(
            [TestServer::php(), '-d', 'sluice.swoole=6.2.2', __DIR__ . '/servers/everything.php'],
            environment: ['TCP_PORT' => (string) $this->tcp, 'UDP_PORT' => (string) $this->udp],
        );
    }

    public function testTasksAreDoneInTheirProcesses(): void
    {
        self::assertSame(['id' => 0], $this->ask('/task?data=x'));
        $finish = $this->row('finish');
        $text = $finish['text'] ?? null;
        self::assertIsString($text);
        self::assertStringContainsString('"done":"x"', $text);
        $waited = $this->ask('/taskwait?data=y');
        self::assertIsArray($waited);
        self::assertSame('y', $waited['done']);
        self::assertContains($waited['worker'], [2, 3]);
        $many = $this->ask('/taskmany');
        self::assertIsArray($many);
        self::assertSame(['a', 'b'], \array_keys($many));
        // A task worker that is killed costs its task alone.
        $both = $this->ask('/taskco');
        self::assertIsArray($both);
        self::assertFalse($both[1]);
        self::assertIsArray($both[0]);
        self::assertSame('task', $this->row('worker 2')['text'] ?? null);
        $this->server->stop();
    }

    public function testWorkersAndProcessesSpeakWithEachOther(): void
    {
        self::assertTrue($this->ask('/send'));
        $text = $this->row('message')['text'] ?? null;
        self::assertIsString($text);
        self::assertStringStartsWith('[{"a":1},', $text);
        self::assertFalse($this->ask('/self'));
        self::assertSame(11, $this->ask('/process'));
        self::assertSame('by the pipe', $this->row('process')['text'] ?? null);
        $this->ask('/timer');
        self::assertSame(5, $this->row('timer')['value'] ?? null);
        self::assertGreaterThan(0, $this->row('start')['value'] ?? null);
        self::assertSame(['worker_num' => 2, 'task_worker_num' => 2], $this->ask('/stats'));
        $this->server->stop();
    }

    public function testPortsOfOtherProtocols(): void
    {
        $tcp = \stream_socket_client("tcp://127.0.0.1:$this->tcp", timeout: 5) ?: throw new \RuntimeException();
        \fwrite($tcp, "hello\n");
        self::assertSame(['got' => "hello\n", 'uid' => 77, 'ip' => '127.0.0.1', 'port' => $this->tcp], \json_decode((string) \stream_get_contents($tcp), true));
        self::assertSame(1, $this->row('closed')['value'] ?? null);
        $udp = \stream_socket_client("udp://127.0.0.1:$this->udp") ?: throw new \RuntimeException();
        \stream_set_timeout($udp, 5);
        \fwrite($udp, 'abc');
        self::assertSame('cba', \fread($udp, 100));
        $this->server->stop();
    }

    public function testRequestsAndResponses(): void
    {
        $answer = $this->server->get('/parts');
        self::assertSame([201, 'one two'], [$answer->status, $answer->body]);
        $this->server->waitUntil(fn(): bool => \str_contains($this->server->log(), "bool(false)\nbool(true)\n"), 'a second end() has said false');
        self::assertSame("a file\n", $this->server->get('/file.txt')->body);
        $form = $this->server->request('POST', '/form', ['Cookie: c=d%20e'], ['a' => 'b', 'f' => new \CURLStringFile('bytes', 'name.txt')]);
        self::assertSame(['post' => ['a' => 'b'], 'file' => 'bytes', 'name' => 'name.txt', 'cookie' => ['c' => 'd e']], \json_decode($form->body, true));
        $this->server->stop();
    }

    public function testAClientThatDoesNotReadIsToldByPush(): void
    {
        $other = WebSocketClient::connect($this->server, '/');
        $client = WebSocketClient::connect($this->server, '/');
        // The worker of the other client may hear of it later than the client does.
        $other->send('here');
        self::assertSame('here', $other->receive());
        $client->send('to all');
        self::assertSame('to all', $other->receive());
        $client->send('flood');
        $this->server->waitUntil(fn(): bool => \str_contains($this->server->log(), 'flooded by'), 'push() says false');
        self::assertStringContainsString('error 1009', $this->server->log());
        unset($client);
        $this->server->stop();
    }

    private function ask(string $path): mixed
    {
        $answer = $this->server->get($path);
        self::assertSame(200, $answer->status, $answer->body);
        return \json_decode($answer->body, true);
    }

    /**
     * A row of the table, once it is there.
     *
     * @return array<mixed>
     */
    private function row(string $key): array
    {
        $row = null;
        $this->server->waitUntil(function () use ($key, &$row): bool {
            $row = $this->ask('/row?key=' . \rawurlencode($key));
            return \is_array($row);
        }, "the row $key is there");
        return \is_array($row) ? $row : [];
    }
}
