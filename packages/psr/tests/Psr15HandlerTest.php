<?php

declare(strict_types=1);

namespace Sluice\Psr\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\TestServer;

#[CoversNothing]
final class Psr15HandlerTest extends TestCase
{
    private string $file;

    protected function setUp(): void
    {
        $this->file = (string) \tempnam(\sys_get_temp_dir(), 'sluice-psr-');
        \file_put_contents($this->file, \str_repeat('0123456789', 30_000));
    }

    protected function tearDown(): void
    {
        \array_map(unlink(...), \glob("$this->file*") ?: []);
    }

    private function start(string $mode): TestServer
    {
        return TestServer::start(__DIR__ . '/servers/application.php', $mode, ['FILE' => $this->file]);
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testRequestsAreWhatTheClientHasSent(string $mode): void
    {
        $server = $this->start($mode);
        self::assertSame('hello', $server->get('/')->body);
        self::assertSame([
            'method' => 'GET',
            'target' => '/head?a=1&b[]=2&b[]=3',
            'uri' => "http://127.0.0.1:$server->port/head?a=1&b%5B%5D=2&b%5B%5D=3",
            'query' => ['a' => '1', 'b' => ['2', '3']],
            'cookies' => ['theme' => 'dark blue'],
            'headers' => ['host' => ["127.0.0.1:$server->port"], 'accept' => ['*/*'], 'cookie' => ['theme=dark%20blue'], 'x-two' => ['1', '2']],
            'line' => '1, 2',
            'lines' => ['1', '2'],
            'has' => [true, false],
            'protocol' => '1.1',
            'server' => 'GET',
        ], $server->get('/head?a=1&b[]=2&b[]=3', ['Cookie: theme=dark%20blue', 'X-Two: 1', 'X-Two: 2'])->json());
        self::assertSame([
            'before' => ['POST', '1', "http://127.0.0.1:$server->port/changed?q=1"],
            'after' => ['PUT', ['new', 'newer'], "http://127.0.0.1:$server->port/new?q=1", ['q' => '2'], ['c' => '3'], 4, 'none', ['p' => 5], false, 'x=1'],
        ], $server->request('POST', '/changed?q=1', ['X-Two: 1', 'Cookie: c=1'], 'x=1')->json());
        self::assertSame(['name' => 'anna b', 'native' => true, 'other' => 'default'], $server->get('/users/anna%20b')->json());
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testFormsAndUploads(string $mode): void
    {
        $server = $this->start($mode);
        self::assertSame(['form' => ['a' => ['b' => '1']], 'files' => []], $server->request('POST', '/form', body: 'a[b]=1')->json());
        self::assertSame(['form' => null, 'files' => []], $server->request('POST', '/form', ['Content-Type: application/json'], '{"a":1}')->json());
        $md5 = \md5_file($this->file);
        self::assertSame(
            ['form' => ['name' => 'anna'], 'files' => ['photo' => ['me.jpg', 'image/jpeg', 300_000, 0, $md5]]],
            $server->request('POST', '/form', [], ['name' => 'anna', 'photo' => new \CURLFile($this->file, 'image/jpeg', 'me.jpg')])->json(),
        );
        self::assertSame(
            ['The uploaded file "me.jpg" was moved already', $md5],
            $server->request('POST', '/move', [], ['photo' => new \CURLFile($this->file, 'image/jpeg', 'me.jpg')])->json(),
        );
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testBodiesOfAnyLengthGoBothWays(string $mode): void
    {
        $server = $this->start($mode);
        $body = \random_bytes(3_000_000);
        self::assertSame(['bytes' => 3_000_000, 'again' => \md5($body)], $server->request('POST', '/body', [], $body)->json());
        self::assertSame(
            ['bytes' => 3_000_000, 'severalReads' => true, 'seekable' => false, 'same' => true],
            $server->request('PUT', '/upload', ['Expect:'], $body)->json(),
        );
        self::assertSame(\str_repeat('0123456789', 500_000), $server->get('/long')->body);
        self::assertSame("data: a\n\ndata: \n\ndata: b\n\ndata: c\n\n", $server->get('/pieces')->body);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testFilesAreSentByTheKernelWithRanges(string $mode): void
    {
        $server = $this->start($mode);
        $whole = $server->get('/file');
        self::assertSame([200, 'text/x-test', '300000'], [$whole->status, $whole->header('content-type'), $whole->header('content-length')]);
        self::assertSame(\file_get_contents($this->file), $whole->body);
        $part = $server->get('/file', ['Range: bytes=10-14']);
        self::assertSame([206, '01234', 'bytes 10-14/300000'], [$part->status, $part->body, $part->header('content-range')]);
        self::assertSame(304, $server->get('/file', ["If-None-Match: {$whole->header('etag')}"])->status);
        self::assertSame(\file_get_contents($this->file), $server->get('/read-file')->body);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testResponses(string $mode): void
    {
        $server = $this->start($mode);
        $fields = $server->get('/fields');
        self::assertSame([404, 'nothing here', ['1', '2'], ['a=1', 'b=2'], ['12']], [
            $fields->status, $fields->body, $fields->headers['x-two'] ?? null, $fields->headers['set-cookie'] ?? null, $fields->headers['content-length'] ?? null,
        ]);
        self::assertArrayNotHasKey('transfer-encoding', $fields->headers);
        self::assertSame([204, ''], [$server->get('/none')->status, $server->get('/none')->body]);
        $head = $server->request('HEAD', '/');
        self::assertSame([200, '', '5'], [$head->status, $head->body, $head->header('content-length')]);
        foreach (['text/html', 'application/json', '*/*'] as $type) {
            $failed = $server->get('/throws', ["Accept: $type"]);
            self::assertSame([500, []], [$failed->status, $failed->innards()]);
            self::assertStringNotContainsString('a bug', $failed->body);
        }
        self::assertStringContainsString('a bug', $server->log());
        $server->stop();
    }

    public function testRequestsWaitTogether(): void
    {
        $server = $this->start('process');
        $start = \hrtime(true);
        $answers = $server->getAll(\array_fill(0, 20, '/wait'));
        self::assertLessThan(2.0, (\hrtime(true) - $start) / 1e9);
        self::assertSame(['waited'], \array_values(\array_unique(\array_column($answers, 'body'))));
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testMalformedInputIsTheClientsMistake(string $mode): void
    {
        $server = $this->start($mode);
        $statusOf = static fn(string $bytes) => \substr($server->raw($bytes), 9, 3);
        $form = 'Content-Type: multipart/form-data; boundary=x';
        $requests = [
            ["GET /head HTTP/1.1\r\nHost: h:99999\r\nConnection: close\r\n\r\n", '400'],
            ["GET //head HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", '200'],
            ["GET /:80 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", '404'],
            ["GET /h\xff%zz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", '400'],
            ["GET / HTTP/1.0\r\n\r\n", '200'],
            ["GET //head HTTP/1.0\r\n\r\n", '200'],
            ["OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", '404'],
            ["GET http://other/head HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", '200'],
            ["POST /form HTTP/1.1\r\nHost: h\r\nConnection: close\r\n$form\r\nContent-Length: 3\r\n\r\nabc", '400'],
            ["POST /move HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", '500'],
        ];
        foreach ($requests as [$bytes, $status]) {
            self::assertSame($status, $statusOf($bytes), $bytes);
        }
        self::assertSame(413, $server->request('POST', '/body', [], \str_repeat('a', 9_000_000))->status);
        self::assertSame('hello', $server->get('/')->body);
        $server->stop();
    }
}
