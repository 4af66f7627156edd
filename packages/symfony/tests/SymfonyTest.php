<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\{Answer, TestServer, WebSocketClient};
use Symfony\Component\HttpFoundation\ServerEvent;

/** A real application of Symfony's, by HTTP. Symfony has ServerEvent since 7.3. */
#[CoversNothing]
final class SymfonyTest extends TestCase
{
    private static string $var;

    public static function setUpBeforeClass(): void
    {
        self::$var = \sys_get_temp_dir() . '/sluice-symfony-' . \bin2hex(\random_bytes(6));
        \mkdir(self::$var);
        \file_put_contents(self::$var . '/file', \str_repeat('0123456789', 30_000));
    }

    public static function tearDownAfterClass(): void
    {
        \exec('rm -rf ' . \escapeshellarg(self::$var));
    }

    /** @param array<string, string> $environment */
    private static function start(string $mode = 'process', array $environment = []): TestServer
    {
        return TestServer::start(__DIR__ . '/server.php', $mode, $environment + ['APP_VAR' => self::$var, 'APP_FILE' => self::$var . '/file']);
    }

    private static function cookie(Answer $answer): string
    {
        return \explode(';', $answer->header('set-cookie') ?? 'none')[0];
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testRequestsAndResponses(string $mode): void
    {
        $server = self::start($mode);
        $hello = $server->get('/hello');
        self::assertSame([200, 'hello', ['1', '2'], '5'], [$hello->status, $hello->body, $hello->headers['x-two'] ?? null, $hello->header('content-length')], $hello->body . $server->log());
        self::assertNull($hello->header('set-cookie'));
        self::assertSame(
            ['PUT', "http://127.0.0.1:$server->port", '/whoami', ['a' => ['1', '2']], ['c' => 'd e'], true, 'mine', 'de', '{"x":1}', false],
            $server->request('PUT', '/whoami?a[]=1&a[]=2', ['Cookie: c=d%20e', 'X-Mine: mine', 'Accept-Language: de', 'Content-Type: application/json'], '{"x":1}')->json(),
        );
        self::assertSame(404, $server->get('/nowhere')->status);
        self::assertSame(500, $server->get('/fails')->status);
        self::assertStringContainsString('a bug in a controller', $server->log());
        self::assertSame([200, ''], [$server->request('HEAD', '/hello')->status, $server->request('HEAD', '/hello')->body]);
        self::assertSame([2_000_002, true], $server->request('POST', '/body', ['Content-Type: application/json'], '["' . \str_repeat('a', 1_999_998) . '"]')->json());
        // The server sends files of the front controller's folder, but no PHP sources.
        self::assertSame("body { color: black }\n", $server->get('/style.css')->body);
        // Those of bundles, to which it links.
        self::assertSame("of the bundle\n", $server->get('/bundles/assets/about.txt')->body);
        self::assertSame(404, $server->get('/bundles/elsewhere/private.txt')->status);
        self::assertSame([404, 404], [$server->get('/index.php')->status, $server->get('/index%2ephp')->status]);
        $server->stop();
    }

    /**
     * By kernels of the pool, by those that a request boots, and whatever the environment says.
     *
     * @param array<string, string> $environment
     */
    #[TestWith([[]])]
    #[TestWith([['SLUICE_WARM' => '0', 'SLUICE_MODE' => 'base']])]
    #[TestWith([['HANDLER' => 'yes', 'APP_RUNTIME_MODE' => 'web=0']])]
    public function testAnErrorPageInProductionTellsNothing(array $environment): void
    {
        $server = self::start(environment: $environment);
        foreach (['/fails' => 500, '/nowhere' => 404] as $path => $status) {
            foreach (['text/html', 'application/json', '*/*'] as $type) {
                $answer = $server->get($path, ["Accept: $type"]);
                self::assertSame([$status, []], [$answer->status, $answer->innards()], $answer->body);
                self::assertStringNotContainsString('a bug', $answer->body);
                self::assertStringNotContainsString('No route', $answer->body);
                self::assertStringContainsString('An Error Occurred', $answer->body);
            }
        }
        $fatal = $server->get('/exhausts');
        self::assertSame([500, []], [$fatal->status, $fatal->innards()], $fatal->body);
        self::assertStringNotContainsString('memory', $fatal->body);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testFormsAndUploads(string $mode): void
    {
        $server = self::start($mode);
        self::assertSame(['anna', 3, null], $server->request('POST', '/form', [], 'order[name]=anna&order[number]=3')->json());
        $wrong = $server->request('POST', '/form', [], 'order[name]=&order[number]=-1');
        self::assertSame([422, ['name: This value should not be blank.', 'number: This value should be positive.']], [$wrong->status, $wrong->json()]);
        self::assertSame(400, $server->get('/form')->status);
        self::assertSame(400, $server->request('POST', '/form', ['Content-Type: multipart/form-data; boundary=x'], 'abc')->status);
        $file = new \CURLFile(self::$var . '/file', 'text/plain', 'me.txt');
        self::assertSame(['ben', 4, ['me.txt', 300_000, true]], $server->request('POST', '/form', [], ['order[name]' => 'ben', 'order[number]' => '4', 'order[photo]' => $file])->json());
        self::assertSame(['me.txt', 'text/plain', 300_000, \md5_file(self::$var . '/file')], $server->request('POST', '/upload', [], ['file' => $file])->json());
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testStreamsAndFiles(string $mode): void
    {
        $server = self::start($mode);
        self::assertSame(2_000_000, \strlen($server->get('/stream')->body));
        self::assertSame("data: 1\n\ndata: 2\n\ndata: 3\n\n", $server->get('/events')->body);
        \class_exists(ServerEvent::class) && self::assertSame(
            [200, 'text/event-stream; charset=UTF-8', \implode('', \array_map(static fn(int $i) => "id: $i\nretry: 500\nevent: count\ndata: number $i\n\n", [1, 2, 3]))],
            [($events = $server->get('/serverEvents'))->status, $events->header('content-type'), $events->body],
            $server->log(),
        );
        self::assertMatchesRegularExpression(
            '~\AHTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload; as=style\r\nlink: </app.js>; rel=preload; as=script\r\n\r\nHTTP/1.1 200 OK\r\n.*the page\z~is',
            $server->raw("GET /hints HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        );
        // As in php-fpm, dumps go before the page, and dd() ends the request alone.
        self::assertMatchesRegularExpression('~sf-dump.*is dumped.*after the dump\z~s', $server->get('/dumps')->body);
        self::assertMatchesRegularExpression('~sf-dump.*is dumped~s', $server->get('/dumps?end=yes')->body);
        // Somebody who takes no HTML gets text.
        self::assertMatchesRegularExpression('~"is dumped".*after the dump\z~s', $server->get('/dumps', ['Accept: application/json'])->body);
        self::assertSame('hello', $server->get('/hello')->body);
        $file = $server->get('/file');
        self::assertSame([200, '300000', 'attachment; filename=report.txt'], [$file->status, $file->header('content-length'), $file->header('content-disposition')]);
        $part = $server->get('/file', ['Range: bytes=10-14']);
        self::assertSame([206, '01234', 'bytes 10-14/300000', '5'], [$part->status, $part->body, $part->header('content-range'), $part->header('content-length')]);
        self::assertSame(416, $server->get('/file', ['Range: bytes=900000-'])->status);
        self::assertSame('only once', $server->get('/temporary')->body);
        self::assertFileDoesNotExist(self::$var . '/temporary');
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAKernelThatAControllerHasLeftByExitIsReplaced(string $mode): void
    {
        $server = self::start($mode, ['SLUICE_KERNELS' => '1']);
        for ($i = 1; $i <= 3; ++$i) {
            self::assertStringContainsString('is dumped', $server->get('/dumps?end=yes')->body, $server->log());
            self::assertSame('hello', $server->get('/hello')->body);
            self::assertSame($i + 1, $server->get('/kernels')->json());
            self::assertSame(500, $server->get('/fails')->status);
        }
        $server->stop();
    }

    public function testOneReleaseServesWithAndWithoutTheExtension(): void
    {
        $server = self::start();
        $first = $server->get('/count');
        self::assertSame([1, 200], [$first->json(), $server->get('/cached')->status], $server->log());
        $server->stop();

        $port = TestServer::freePort();
        $plain = TestServer::startCommand(
            [\PHP_BINARY, '-S', "127.0.0.1:$port", __DIR__ . '/without-the-extension.php'],
            environment: ['APP_VAR' => self::$var, 'APP_FILE' => self::$var . '/file'],
            port: $port,
        );
        self::assertSame('hello', $plain->get('/hello')->body, $plain->log());
        self::assertSame(2, $plain->get('/count', ['Cookie: ' . self::cookie($first)])->json(), $plain->log());
        $answers = [$plain->get('/cached?clear')->json(), $plain->get('/cached')->json()];
        \assert(\is_array($answers[0]) && \is_array($answers[1]));
        self::assertSame([true, false, false, true], [$answers[0][1], $answers[0][3], $answers[1][1], $answers[1][3]]);
        self::assertSame($answers[0][2], $answers[1][2]);
        $locked = $plain->get('/locked')->json();
        \assert(\is_array($locked));
        self::assertSame([false, true], [$locked[1], $locked[2]]);
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testSessions(string $mode): void
    {
        $server = self::start($mode);
        $first = $server->get('/count');
        self::assertSame(1, $first->json(), $server->log());
        $cookie = self::cookie($first);
        self::assertMatchesRegularExpression('/^PHPSESSID=[0-9a-f]{32}$/', $cookie);
        self::assertStringContainsString('httponly; samesite=lax', \strtolower((string) $first->header('set-cookie')));
        self::assertSame(2, $server->get('/count', ["Cookie: $cookie"])->json());
        self::assertSame(1, $server->get('/count')->json());
        // An id that was never given out, or that is a path, is not taken.
        foreach (['PHPSESSID=' . \str_repeat('a', 32), 'PHPSESSID=../../file', 'PHPSESSID='] as $forged) {
            $answer = $server->get('/count', ["Cookie: $forged"]);
            self::assertSame(1, $answer->json());
            self::assertNotSame($forged, self::cookie($answer));
        }
        // A login has a new id, and the old one is gone.
        $login = $server->get('/login?user=anna', ["Cookie: $cookie"]);
        $after = self::cookie($login);
        self::assertNotSame($cookie, $after);
        self::assertSame(3, $server->get('/count', ["Cookie: $after"])->json());
        self::assertSame(1, $server->get('/count', ["Cookie: $cookie"])->json());
        self::assertFileExists(self::$var . '/sessions/sess_' . \explode('=', $after)[1]);
        $server->get('/logout', ["Cookie: $after"]);
        self::assertSame(1, $server->get('/count', ["Cookie: $after"])->json());
        $server->stop();
    }

    public function testRequestsOfOneSessionWaitForOneAnother(): void
    {
        $server = self::start();
        $cookie = self::cookie($server->get('/count'));
        $counts = \array_map(static fn(Answer $answer) => $answer->json(), $server->getAll(\array_fill(0, 8, '/count?wait=20'), ["Cookie: $cookie"]));
        \sort($counts);
        self::assertSame(\range(2, 9), $counts);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testRequestsThatWaitTogetherDoNotSeeOneAnother(string $mode): void
    {
        $server = self::start($mode);
        $server->getAll(\array_fill(0, 20, '/hello'));
        $start = \hrtime(true);
        for ($round = 0; $round < 5; ++$round) {
            $paths = [];
            for ($i = 0; $i < 40; ++$i) {
                $paths["r$round-$i"] = "/isolation?me=r$round-$i&_locale=" . ['en', 'de', 'fr'][$i % 3];
            }
            foreach ($server->getAll($paths) as $me => $answer) {
                self::assertSame([200, [$me, $me, $me, 'en', true, true]], [$answer->status, $answer->json()], $server->log());
            }
        }
        // One after the other, the requests would take 200 times 50 ms.
        self::assertLessThan(7.0, (\hrtime(true) - $start) / 1e9);
        $server->stop();
    }

    /** None of them ends before all of them have begun. */
    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAHundredRequestsWaitAtOnceInOneWorker(string $mode): void
    {
        $server = self::start($mode, ['SLUICE_KERNELS' => '100']);
        $paths = [];
        for ($i = 0; $i < 100; ++$i) {
            $paths["r$i"] = "/crowd?of=100&me=r$i";
        }
        foreach ($server->getAll($paths) as $me => $answer) {
            self::assertSame([$me, true], $answer->json(), $answer->body . $server->log());
        }
        $server->stop();
    }

    public function testWorkersAreReplacedAsTheRuntimesOptionsSay(): void
    {
        $server = self::start(environment: ['SLUICE_MAX_REQUESTS' => '10', 'SLUICE_PID_FILE' => self::$var . '/pid']);
        $server->waitUntil(static fn() => \is_file(self::$var . '/pid') && \file_get_contents(self::$var . '/pid') !== '', 'the pid file is there');
        self::assertGreaterThan(1, (int) \file_get_contents(self::$var . '/pid'));
        $server->waitUntil(static fn() => $server->get('/hello')->body === 'hello' && \str_contains($server->log(), 'another worker takes over'), 'a worker was replaced');
        $server->stop();
    }

    public function testWhatAProxySaysIsTheServers(): void
    {
        $server = self::start(environment: ['HANDLER' => 'yes']);
        self::assertSame(
            [true, 'example.org', '192.0.2.1'],
            $server->get('/secure', ['X-Forwarded-Proto: https', 'X-Forwarded-Host: example.org', 'X-Forwarded-For: 192.0.2.1'])->json(),
        );
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testWorkersShareACacheAndLocks(string $mode): void
    {
        @\unlink(self::$var . '/counted');
        $server = self::start($mode, ['WORKERS' => '2']);
        $first = $server->get('/cached')->json();
        self::assertIsArray($first, $server->log());
        self::assertSame([true, ['by' => $first[0]], false, false], \array_slice($first, 1));
        $workers = [];
        $server->waitUntil(static function () use ($server, $first, &$workers): bool {
            foreach ($server->getAll(\array_fill(0, 20, '/cached')) as $answer) {
                $json = $answer->json();
                \assert(\is_array($json) && \is_int($json[0]));
                self::assertSame([false, $first[2]], [$json[1], $json[2]]);
                $workers[$json[0]] = true;
            }
            return \count($workers) === 2;
        }, 'both workers have answered');
        // Clearing a pool leaves the other pools alone.
        $cleared = (array) $server->get('/cached?clear=1')->json();
        self::assertSame([true, true], [$cleared[1], $cleared[3]]);

        $counts = \array_map(static fn(Answer $answer) => $answer->json(), $server->getAll(\array_fill(0, 30, '/locked')));
        self::assertSame([[false, true, true, false]], \array_values(\array_unique(\array_map(static fn(mixed $count) => \array_slice((array) $count, 1), $counts), \SORT_REGULAR)), $server->log());
        $counts = \array_column($counts, 0);
        \sort($counts);
        self::assertSame(\range(1, 30), $counts);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testStreamsOfEventsGoOnWithWhatIsPublished(string $mode): void
    {
        $server = self::start($mode, ['WORKERS' => '2']);
        $socket = WebSocketClient::connect($server, '/chat/a?name=anna');
        self::assertSame('hello anna', $socket->receive());
        // More of them than a worker has kernels: none of them holds one.
        $streams = [];
        for ($i = 0; $i < 60; ++$i) {
            $streams[$i] = \stream_socket_client("tcp://127.0.0.1:$server->port") ?: self::fail();
            \stream_set_timeout($streams[$i], 10);
            \fwrite($streams[$i], "GET /live?room=a HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: $i\r\n\r\n");
        }
        $server->waitUntil(static fn(): bool => $server->get('/subscribers?room=a')->json() === 61, 'all have subscribed');
        self::assertSame(61, $server->get('/say?room=a&text=news')->json());
        self::assertSame('news', $socket->receive());
        foreach ($streams as $i => $stream) {
            $head = '';
            while (($line = \fgets($stream)) !== "\r\n") {
                $head .= (string) $line;
            }
            self::assertStringContainsStringIgnoringCase('content-type: text/event-stream', $head, $server->log());
            $body = '';
            while (!\str_contains($body, 'news') && ($line = \fgets($stream)) !== false) {
                $body .= \hexdec(\trim($line)) > 0 ? (string) \stream_get_contents($stream, (int) \hexdec(\trim($line))) : '';
                \fgets($stream);
            }
            $state = \class_exists(ServerEvent::class) ? "event: state\nid: $i\nretry: 500\ndata: welcome\n\n" : '';
            self::assertSame("data: plain\n\n{$state}data: news\n\n", $body);
        }
        unset($socket, $stream);
        $streams = [];
        $server->waitUntil(static fn(): bool => $server->get('/subscribers?room=a')->json() === 0, 'all have left');
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testControllersOfWebSocketsPublishToTopics(string $mode): void
    {
        $server = self::start($mode, ['WORKERS' => '2']);
        self::assertSame([401, 403], [WebSocketClient::connect($server, '/chat/a')->status, WebSocketClient::connect($server, '/chat/a?name=x', ['Origin: https://evil.example'])->status]);
        $clients = [];
        for ($i = 0; $i < 30; ++$i) {
            $clients[$i] = WebSocketClient::connect($server, '/chat/' . ['a', 'b'][$i % 2] . "?name=n$i", $i === 0 ? ['Origin: https://friend.example'] : []);
            self::assertSame([101, "hello n$i"], [$clients[$i]->status, $clients[$i]->receive()], $server->log());
        }
        // All requests at once have a kernel each, which had another request in the round before: what a service keeps of one request is not there for another.
        for ($round = 0; $round < 3; ++$round) {
            foreach ($clients as $i => $client) {
                $client->send("from $i");
            }
            foreach ($clients as $i => $client) {
                $heard = [];
                for ($j = 0; $j < 15; ++$j) {
                    $heard[] = (string) $client->receive();
                }
                $expected = \array_map(static fn(int $j) => "{\"from\":\"n$j\",\"text\":\"from $j\"}", \range($i % 2, 29, 2));
                \sort($heard);
                \sort($expected);
                self::assertSame($expected, $heard, $server->log());
            }
        }
        self::assertSame(15, $server->get('/say?room=a&text=all')->json());
        self::assertSame('all', $clients[28]->receive());
        $clients[7]->close();
        self::assertNull($clients[7]->receive());
        $server->waitUntil(static fn(): bool => $server->get('/left')->json() === 'n7', 'the controller has heard of the close');
        // A request to the WebSocket's path that is no handshake is the application's.
        self::assertSame(404, $server->get('/chat/a')->status);
        // A server that stops waits for its clients.
        unset($clients, $client);
        $server->stop();
    }
}
