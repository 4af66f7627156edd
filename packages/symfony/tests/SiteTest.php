<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\{Answer, TestServer};

/** An application as Symfony's recipes make one: with Doctrine, Twig, forms and security. */
#[CoversNothing]
final class SiteTest extends TestCase
{
    private Site $site;

    protected function setUp(): void
    {
        $this->site = new Site();
    }

    private static function cookie(Answer $answer): string
    {
        return 'Cookie: ' . \explode(';', $answer->header('set-cookie') ?? 'none=')[0];
    }

    private static function hidden(Answer $page, string $name): string
    {
        return \preg_match('/name="' . \preg_quote($name, '/') . '"[^>]* value="([^"]+)"/', $page->body, $found) === 1 ? $found[1] : self::fail("The page has no field $name: $page->body");
    }

    /** @return string what the browser sends as its cookie */
    private static function logIn(TestServer $server, string $name, string $password): string
    {
        $page = $server->get('/login');
        self::assertSame(200, $page->status, $page->body . $server->log());
        $form = \http_build_query(['_username' => $name, '_password' => $password, '_csrf_token' => self::hidden($page, '_csrf_token')]);
        $answer = $server->request('POST', '/login', [self::cookie($page)], $form);
        self::assertSame([302, $server->url('/notes')], [$answer->status, $answer->header('location')], $answer->body);
        return self::cookie($answer);
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testLoginFormsAndUploads(string $mode): void
    {
        $server = $this->site->serve($mode);
        self::assertSame([302, $server->url('/login')], [($away = $server->get('/notes'))->status, $away->header('location')], $server->log());
        $anna = self::logIn($server, 'anna', 'secret of anna');
        $ben = self::logIn($server, 'ben', 'secret of ben');
        foreach ([['anna', $anna], ['ben', $ben], ['anna', $anna]] as [$name, $cookie]) {
            self::assertStringContainsString("<p id=\"who\">$name</p>", $server->get('/notes', [$cookie])->body);
        }
        // A password or a token that is wrong.
        $page = $server->get('/login');
        foreach ([['secret of ben', self::hidden($page, '_csrf_token')], ['secret of anna', 'forged']] as [$password, $token]) {
            $answer = $server->request('POST', '/login', [self::cookie($page)], \http_build_query(['_username' => 'anna', '_password' => $password, '_csrf_token' => $token]));
            self::assertSame([302, $server->url('/login')], [$answer->status, $answer->header('location')]);
        }

        $page = $server->get('/notes', [$anna]);
        $token = self::hidden($page, 'note[_token]');
        $wrong = $server->request('POST', '/notes', [$anna], \http_build_query(['note' => ['text' => '', '_token' => $token]]));
        self::assertSame([422, true], [$wrong->status, \str_contains($wrong->body, 'A note has a text.')], $wrong->body);
        $file = new \CURLFile($this->site->folder . '/file.txt', 'text/plain', 'me.txt');
        self::assertSame(302, $server->request('POST', '/notes', [$anna], ['note[text]' => 'a first note', 'note[_token]' => $token, 'note[upload]' => $file])->status);
        self::assertFileEquals($this->site->folder . '/file.txt', $this->site->folder . '/var/uploads/me.txt');
        $after = $server->get('/notes', [$anna]);
        self::assertStringContainsString('<p class="notice">The note is kept.</p>', $after->body);
        self::assertStringNotContainsString('is kept', $server->get('/notes', [$anna])->body);
        self::assertStringContainsString('<li>anna: a first note (me.txt of 30000)</li>', $server->get('/notes', [$ben])->body);
        // The token is that of a session: ben cannot use anna's.
        self::assertSame(422, $server->request('POST', '/notes', [$ben], \http_build_query(['note' => ['text' => 'forged', '_token' => $token]]))->status);

        self::assertSame(302, $server->get('/logout', [$anna])->status);
        self::assertSame(302, $server->get('/notes', [$anna])->status);
        self::assertSame(200, $server->get('/notes', [$ben])->status);
        $server->stop();
    }

    public function testAKernelIsLeftWithoutTransactionsAndWithAnOpenEntityManager(): void
    {
        $server = $this->site->serve(environment: ['KERNELS' => '1']);
        self::assertSame('1', $server->get('/left-open/carla')->body, $server->log());
        // SQLite would keep all others from writing.
        $database = new \PDO('sqlite:' . $this->site->folder . '/var/data.sqlite', options: [\PDO::ATTR_TIMEOUT => 0]);
        self::assertSame(1, $database->exec("INSERT INTO notes (author, text) VALUES ('another', '')"));
        self::assertSame(['0', '1'], [$server->get('/count/carla')->body, $server->get('/count/another')->body]);
        self::assertSame(500, $server->get('/closed')->status);
        self::assertSame('[]', $server->get('/isolation/next?database=reads')->body);
        $server->stop();
    }

    /** Two requests at a time come first, for there a fault is easiest to see. */
    #[TestWith(['process', 2, 20])]
    #[TestWith(['process', 100, 400])]
    #[TestWith(['base', 100, 400])]
    public function testRequestsThatWaitTogetherDoNotSeeOneAnother(string $mode, int $together, int $requests): void
    {
        $server = $this->site->serve($mode, ['KERNELS' => (string) $together]);
        for ($done = 0; $done < $requests; $done += $together) {
            $paths = [];
            for ($i = $done; $i < $done + $together; ++$i) {
                // SQLite lets one connection write at a time.
                $paths["r$i"] = "/isolation/r$i" . ($i % 2 === 0 ? '?database=reads' : '');
            }
            foreach ($server->getAll($paths) as $me => $answer) {
                self::assertSame('[]', $answer->body, "$me {$server->log()}");
            }
        }
        self::assertSame('0', $server->get('/count/r0')->body);
        $server->stop();
    }
}
