<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\{TestServer, WebSocketClient};

/** `serve --dev` as a developer's tools see it; tests/e2e has a browser. */
#[CoversNothing]
final class DevTest extends TestCase
{
    private const HANDLER = <<<'PHP'
        <?php
        return function ($request, $response) {
            static $seen = [];
            match ($request->path()) {
                '/error' => throw new LogicException('<wrong>', 3, new RuntimeException('the cause')),
                '/parse' => eval('$a = = 3;'),
                '/fatal' => eval('function twice() {} function twice() {}'),
                '/leak' => $response->text((string) count($seen[] = [$request->query('n')])),
                '/begun' => [$response->write('begun'), throw new LogicException('late')],
                '/bad' => throw new Sluice\Http\BadRequest('not so'),
                '/json' => $response->json(['</body>']),
                default => $response->html('<html><body>first</body></html>'),
            };
        };
        PHP;

    /** @param array<string, string> $files */
    private static function project(array $files = []): Project
    {
        return new Project($files + ['handler.php' => self::HANDLER]);
    }

    private static function boot(TestServer $server): string
    {
        return $server->get('/_sluice/refresh')->body;
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testErrorsHaveAPage(string $mode): void
    {
        $project = self::project();
        $server = $project->serve([], '--dev', "--mode=$mode", '--workers=1');
        $text = $server->get('/error');
        self::assertSame(500, $text->status);
        self::assertStringContainsString('LogicException: <wrong> in ', $text->body);
        self::assertStringContainsString('the cause', $text->body);
        $html = $server->get('/error', ['Accept: text/html,*/*;q=0.8']);
        self::assertSame([500, 'text/html; charset=utf-8', 'no-store'], [$html->status, $html->header('content-type'), $html->header('cache-control')]);
        self::assertSame((string) \strlen($html->body), $html->header('content-length'));
        foreach (['&lt;wrong&gt;', 'handler.php', 'throw', 'the cause', '/_sluice/refresh'] as $part) {
            self::assertStringContainsString($part, $html->body);
        }
        self::assertStringNotContainsString('DevHandler', $html->body);
        $json = $server->get('/error', ['Accept: application/json']);
        self::assertSame([500, 'application/problem+json'], [$json->status, $json->header('content-type')]);
        $problem = $json->json();
        \assert(\is_array($problem) && \is_array($problem['exceptions']) && \is_array($problem['exceptions'][0]) && \is_array($problem['exceptions'][1]));
        self::assertSame([500, '<wrong>', 5], [$problem['status'], $problem['detail'], $problem['exceptions'][0]['line']]);
        self::assertSame('RuntimeException', $problem['exceptions'][1]['class']);
        self::assertStringContainsString('ParseError: syntax error', $server->get('/parse')->body);
        self::assertSame([400, "400 Bad Request: not so\n"], [$server->get('/bad')->status, $server->get('/bad')->body]);
        $server->stop();
    }

    public function testAnErrorIsInTheLogToo(): void
    {
        $project = self::project();
        $server = $project->serve([], '--dev', '--workers=1');
        $server->get('/error');
        $server->get('/%1b[2J');
        $server->waitUntil(static fn() => \str_contains($server->log(), '[2J'), 'the requests have their lines');
        self::assertStringContainsString('LogicException: <wrong> in ', $server->log());
        self::assertMatchesRegularExpression('~^\d\d:\d\d:\d\d 500 GET    /error [\d.]+ m?s$~m', $server->log());
        self::assertMatchesRegularExpression('~^\d\d:\d\d:\d\d 200 GET    /%1b\[2J [\d.]+ m?s$~m', $server->log());
        // Colours are for terminals.
        self::assertStringNotContainsString("\e[", $server->log());
        self::assertStringNotContainsString('/_sluice/refresh 200', $server->log());
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAFatalErrorLeavesAPage(string $mode): void
    {
        $project = self::project();
        $server = $project->serve([], '--dev', "--mode=$mode", '--workers=2');
        self::assertSame(404, $server->get('/_sluice/error')->status);
        $answer = $server->get('/fatal', ['Accept: text/html']);
        self::assertSame(500, $answer->status);
        self::assertStringContainsString('/_sluice/error', $answer->body);
        $server->waitUntil(static fn() => \str_contains($server->get('/_sluice/error')->body, 'twice() (previously declared in '), 'the page of the error is there');
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAChangeReloadsAndRefreshes(string $mode): void
    {
        $project = self::project(['public/page.html' => '<html><body>a file</body></html>', 'public/page.css' => 'body {}', 'secret.html' => 'secret']);
        $server = $project->serve([], '--dev', "--mode=$mode", '--workers=2');
        $boot = self::boot($server);
        foreach (['/' => 'first', '/page.html' => 'a file'] as $path => $text) {
            $page = $server->get($path)->body;
            self::assertStringStartsWith("<html><body>$text<script data-boot=\"$boot\">", $page);
            self::assertStringEndsWith('</script></body></html>', $page);
        }
        $style = $server->get('/page.css');
        self::assertSame(['body {}', 'no-cache'], [$style->body, $style->header('cache-control')]);
        self::assertSame('["<\/body>"]', $server->get('/json')->body);
        self::assertNull($server->get('/json')->header('cache-control'));
        self::assertStringContainsString('first', $server->get('/..%2fsecret.html')->body);
        $socket = WebSocketClient::connect($server, '/_sluice/refresh');
        self::assertSame($boot, $socket->receive());
        \file_put_contents("$project->folder/handler.php", \str_replace('first', 'second', self::HANDLER));
        // Each worker of the first boot may have told of it. In base mode the connection may close before the new boot tells, and the browser opens another one.
        do {
            $told = $socket->receive();
        } while ($told === $boot);
        self::assertSame($mode, $told === null ? 'base' : $mode);
        // A page that had connected too late to be told of the new boot asks when the old workers end.
        while ($mode === 'process' && $told !== '') {
            $told = $socket->receive();
            self::assertNotNull($told);
        }
        $server->waitUntil(static fn() => self::boot($server) !== $boot, 'the new boot serves');
        $server->waitUntil(static fn() => \str_starts_with($server->get('/')->body, '<html><body>second<script'), 'the new code serves');
        $server->waitUntil(static fn() => \str_contains($server->log(), ' reloaded (boot 2)'), 'the developer is told');
        $server->stop();
    }

    #[TestWith(['<?php return 3 +;', 'ParseError: syntax error'])]
    #[TestWith(['<?php function twice() {} function twice() {}', 'twice() (previously declared in '])]
    #[TestWith(['<?php throw new LogicException("at the boot");', 'LogicException: at the boot'])]
    #[TestWith(['<?php return 1;', 'An application must be a Symfony kernel'])]
    public function testCodeThatDoesNotBootIsAPageUntilItDoes(string $broken, string $message): void
    {
        $project = self::project(['sluice.php' => '<?php return new Sluice\App\Config(workers: 1);']);
        $server = $project->serve([], '--dev');
        $path = "$project->folder/handler.php";
        // Files are watched from when the first boot serves.
        self::assertStringContainsString('first', $server->get('/')->body);
        \file_put_contents($path, $broken);
        $server->waitUntil(static fn() => \str_contains($server->get('/')->body, $message), 'the error is shown');
        self::assertSame(500, $server->get('/any')->status);
        self::assertStringContainsString('/_sluice/refresh', $server->get('/', ['Accept: text/html'])->body);
        self::assertStringContainsString('the code does not boot: ', $server->log());
        \file_put_contents($path, \str_replace('first', 'mended', self::HANDLER));
        $server->waitUntil(static fn() => \str_contains($server->get('/')->body, 'mended'), 'the mended code serves');
        // The first boot may fail, too, and so may the configuration later.
        \file_put_contents("$project->folder/sluice.php", '<?php return new Sluice\App\Config(workers: 0 +);');
        $server->waitUntil(static fn() => \str_contains($server->get('/')->body, 'ParseError'), 'the error of the configuration is shown');
        $server->stop();
        $project = new Project(['handler.php' => $broken]);
        $server = $project->serve([], '--dev', '--workers=1');
        self::assertStringContainsString($message, $server->get('/')->body);
        $server->stop();
    }

    public function testLeaksAreTold(): void
    {
        foreach ([[], ['--no-leaks']] as $options) {
            $project = self::project();
            $server = $project->serve([], '--dev', '--workers=1', ...$options);
            foreach (\range(1, 4) as $number) {
                $server->get("/leak?n=$number");
            }
            $server->get('/error', ['Accept: text/html']);
            $server->get('/error', ['Accept: application/json']);
            foreach (\range(1, 4) as $number) {
                $server->get('/error', ['Accept: text/html']);
                $server->get('/');
            }
            $server->waitUntil(static fn() => \substr_count($server->log(), ' GET ') >= 14, 'all is handled');
            $leaks = $server->leaks();
            self::assertCount($options === [] ? 1 : 0, $leaks, \implode("\n", $leaks));
            self::assertStringContainsString($options === [] ? '$seen as an array of ' : '', $leaks[0] ?? '');
            $server->stop();
        }
    }

    public function testAScriptMakesItsOwnServer(): void
    {
        [$status, $printed] = (new Project(['own.php' => '']))->run([], 'serve', '--dev', 'own.php');
        self::assertSame(1, $status);
        self::assertStringContainsString('let it call $server->watch()', (string) \preg_replace('/\s+/', ' ', $printed));
    }
}
