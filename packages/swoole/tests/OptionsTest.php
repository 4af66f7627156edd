<?php

declare(strict_types=1);

namespace Sluice\Swoole\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Swoole\Options;
use Sluice\Testing\TestServer;

/** Options of set(): each does what it says, or is a warning that says what to do. */
#[CoversNothing]
final class OptionsTest extends TestCase
{
    /** Read under names that are put together, such as "socket_$kind". */
    private const COMPOSED = ['socket_connect_timeout', 'socket_read_timeout', 'socket_write_timeout'];

    public function testNoOptionIsAcceptedAndIgnored(): void
    {
        $code = '';
        /** @var \SplFileInfo $file */
        foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(__DIR__ . '/../src', \FilesystemIterator::SKIP_DOTS)) as $file) {
            if (!\in_array($file->getFilename(), ['Options.php', 'Constant.php'], true)) {
                $code .= \file_get_contents($file->getPathname());
            }
        }
        foreach ([Options::COROUTINE, Options::SERVER, Options::CLIENT] as $options) {
            foreach ($options as $name => $advice) {
                if ($advice === '' && !\in_array($name, self::COMPOSED, true)) {
                    self::assertStringContainsString("'$name'", $code, "nothing reads the option $name");
                }
                self::assertDoesNotMatchRegularExpression('/^~?\s*$/', $advice === '' ? 'does it' : $advice, $name);
            }
        }
    }

    public function testAdviceIsGivenOnceAndForWhatIsOn(): void
    {
        self::assertSame([
            'Swoole\Server::set(): the option stats_file has no effect: read the figures by stats()',
            'Swoole\Server::set(): the option user has no effect: start the server as this user, by a supervisor',
        ], self::script(<<<'PHP'
            $said = [];
            set_error_handler(function (int $level, string $text) use (&$said) { $said[] = $text; return true; });
            $server = new Swoole\Http\Server('127.0.0.1', 0);
            $server->set(['stats_file' => '/tmp/figures', 'user' => 'www', 'daemonize' => false, 'open_tcp_nodelay' => true, 'log_level' => 3]);
            $server->set(['stats_file' => '/tmp/figures', 'user' => null, 'send_yield' => true]);
            echo json_encode($said);
            PHP));
    }

    public function testWhatIsParsedAndHowMuchIsTaken(): void
    {
        $server = self::server();
        $said = $server->request('POST', '/', ['Cookie: a=1', 'Content-Type: application/x-www-form-urlencoded'], 'b=2');
        self::assertSame('{"post":null,"cookie":null,"get":null,"raw":"b=2"}', $said->body);
        // More than package_max_length, and not more than upload_max_filesize.
        self::assertSame(200, $server->request('POST', '/', [], \str_repeat('x', 200_000))->status);
        self::assertSame(413, $server->request('POST', '/', [], \str_repeat('x', 400_000))->status);
        $server->stop();
    }

    public function testTheClientsOptions(): void
    {
        $server = self::server();
        self::assertSame(['plain', 'coded', 'X-Mixed', 'x-mixed', 'abc', ''], self::script(<<<PHP
            Co\\run(function () {
                \$ask = function (array \$options): Swoole\\Coroutine\\Http\\Client {
                    \$client = new Swoole\\Coroutine\\Http\\Client('127.0.0.1', $server->port);
                    \$client->set(\$options);
                    \$client->get('/long');
                    return \$client;
                };
                \$parts = '';
                \$written = \$ask(['http_compression' => false, 'write_func' => function (\$client, string \$part) use (&\$parts) { \$parts .= \$part; return true; }]);
                echo json_encode([
                    str_starts_with(\$ask([])->body, 'abcabc') ? 'plain' : 'coded',
                    str_starts_with(\$ask(['body_decompression' => false])->body, 'abcabc') ? 'plain' : 'coded',
                    array_key_exists('X-Mixed', \$ask(['lowercase_header' => false])->headers) ? 'X-Mixed' : 'x-mixed',
                    array_key_exists('X-Mixed', \$ask([])->headers) ? 'X-Mixed' : 'x-mixed',
                    substr(\$parts, 0, 3),
                    \$written->body,
                ]);
            });
            PHP));
        $server->stop();
    }

    private static function server(): TestServer
    {
        return TestServer::startCommand([TestServer::php(), '-d', 'sluice.swoole=6.2.2', __DIR__ . '/servers/options.php']);
    }

    private static function script(string $code): mixed
    {
        $said = ScriptTest::script($code);
        return \json_decode($said, true) ?? $said;
    }
}
