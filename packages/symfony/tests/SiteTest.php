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

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testCommandsRunAsServicesAndAtTheirTimes(string $mode): void
    {
        $folder = $this->site->folder . '/var';
        $jobs = static fn(string $where): array => \file("$folder/$where", \FILE_IGNORE_NEW_LINES) ?: [];
        foreach (['jobs', 'cron'] as $name) {
            \mkdir("$folder/$name");
            \touch("$folder/$name/began");
            \touch("$folder/$name/done");
        }
        // Whole at once, for a consumer looks all the time.
        $order = static fn(string $where, string $says = ''): bool => \file_put_contents("$folder/new", $says) !== false && \rename("$folder/new", "$folder/$where.job");
        $order('cron/tick');
        $server = $this->site->serve($mode, ['APP_ENV' => 'services']);
        $server->waitUntil(static fn() => \count($jobs('jobs/began')) === 2, 'both processes have begun');
        $order('jobs/a');
        $server->waitUntil(static fn() => $jobs('jobs/done') === ['a'], 'the job is done');
        // The server goes on with its requests meanwhile.
        self::assertSame('0', $server->get('/count/anna')->body);

        $order('jobs/b', 'fails');
        $server->waitUntil(static fn() => \count($jobs('jobs/began')) === 3, 'the command that has failed is started again');
        $server->waitUntil(static fn() => \str_contains($server->log(), 'The command "app:consume var/jobs" (async) has ended with status 1'), 'the log says so');
        $order('jobs/c');
        $server->waitUntil(static fn() => $jobs('jobs/done') === ['a', 'c'], 'jobs go on');

        // A minute of this server's clock takes a tenth of a second.
        $server->waitUntil(static fn() => $jobs('cron/done') === ['tick'], 'the command has run at its time');
        $order('cron/tock');
        $server->waitUntil(static fn() => $jobs('cron/done') === ['tick', 'tock'], 'it has run again');
        self::assertCount(1, \array_unique($jobs('cron/began')));

        $order('jobs/d', 'long');
        $server->waitUntil(static fn() => !\file_exists("$folder/jobs/d.job"), 'a long job has begun');
        $server->stop();
        self::assertSame(['a', 'c', 'd'], $jobs('jobs/done'));
    }

    /** VarDumper has one handler for the process. */
    public function testEachRequestHasItsOwnProfileAndDumps(): void
    {
        $server = $this->site->serve(environment: ['APP_ENV' => 'dev', 'APP_DEBUG' => '1']);
        $paths = [];
        for ($i = 0; $i < 20; ++$i) {
            $paths["me$i"] = "/dumps/me$i";
        }
        for ($round = 0; $round < 2; ++$round) {
            foreach ($server->getAll($paths) as $me => $answer) {
                self::assertSame(200, $answer->status, $answer->body . $server->log());
                self::assertStringContainsString("<body>$me", $answer->body);
                self::assertStringContainsString('sfwdt', $answer->body, 'the page has a toolbar');
                $profile = $server->get('/_profiler/' . $answer->header('x-debug-token') . '?panel=dump');
                self::assertSame(200, $profile->status, $profile->body);
                \preg_match_all('/number \d of me\d+/', $profile->body, $dumped);
                self::assertSame(["number 0 of $me", "number 1 of $me", "number 2 of $me"], \array_values(\array_unique($dumped[0])));
            }
        }
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAnHttpCacheInFrontOfKernels(string $mode): void
    {
        $server = $this->site->serve($mode, ['APP_ENV' => 'cached']);
        for ($round = 0; $round < 2; ++$round) {
            $pages = $fragments = [];
            self::assertSame(200, $server->get("/page/a$round")->status, $server->log());
            foreach ($server->getAll(\array_fill(0, 20, "/page/a$round")) as $answer) {
                self::assertSame(200, $answer->status, $answer->body . $server->log());
                if (\preg_match("~\\A<p>a$round (\\w+)</p><i>a$round (\\w+)</i>\n?\\z~", $answer->body, $found) !== 1) {
                    self::fail("No page: $answer->body");
                }
                $pages[$found[1]] = true;
                $fragments[$found[2]] = true;
            }
            self::assertSame([1, 20], [\count($pages), \count($fragments)]);
        }
        $server->stop();
    }
}
