<?php

declare(strict_types=1);

namespace Sluice\Laravel\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\Answer;

/** A real application of Laravel's, by HTTP. */
#[CoversNothing]
final class LaravelTest extends TestCase
{
    private Application $application;

    protected function setUp(): void
    {
        $this->application = new Application();
    }

    /** @return list<string> what a browser would send next */
    private static function cookies(Answer $answer): array
    {
        return \array_map(static fn(string $cookie) => 'Cookie: ' . \explode(';', $cookie)[0], \array_values(\array_filter(
            $answer->headers['set-cookie'] ?? [],
            static fn(string $cookie) => !\str_starts_with($cookie, 'XSRF'),
        )));
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testRequestsAndResponses(string $mode): void
    {
        $folder = $this->application->folder;
        \mkdir("$folder/storage/app/public/photos", recursive: true);
        \file_put_contents("$folder/storage/app/public/photos/one.txt", 'a photo');
        \symlink("$folder/storage/app/public", "$folder/public/storage"); // artisan storage:link
        \file_put_contents("$folder/storage/app/private.txt", 'private');
        \symlink("$folder/storage/app", "$folder/public/elsewhere");
        $server = $this->application->serve($mode);
        $hello = $server->get('/hello/World?greeting=Good%20day');
        self::assertSame([200, 'Good day World', 'laravel'], [$hello->status, $hello->body, $hello->header('x-framework')], $hello->body . $server->log());
        self::assertCount(2, $hello->headers['set-cookie'] ?? []);
        self::assertSame(
            ['PUT', "http://127.0.0.1:$server->port", 'whoami', ['a' => ['1', '2']], null, 'mine', ['x' => [1, 2], 'a' => ['1', '2']]],
            $server->request('PUT', '/whoami?a[]=1&a[]=2', ['X-Mine: mine', 'Content-Type: application/json'], '{"x":[1,2]}')->json(),
        );
        self::assertSame(404, $server->get('/nowhere')->status);
        self::assertSame([200, ''], [$server->request('HEAD', '/hello/x')->status, $server->request('HEAD', '/hello/x')->body]);
        self::assertSame([200, 'echoed returned'], [$server->get('/echoes')->status, $server->get('/echoes')->body]);
        // Output buffers that PHP does not remove.
        self::assertSame([200, 'fixed returned'], [$server->get('/echoes-in-fixed')->status, $server->get('/echoes-in-fixed')->body]);
        self::assertSame([200, 'before fixed'], [$server->get('/streams-in-fixed')->status, $server->get('/streams-in-fixed')->body]);
        // The server sends files of the public folder, but no PHP sources.
        self::assertSame("body { color: black }\n", $server->get('/style.css')->body);
        self::assertSame(404, $server->get('/index%2ephp')->status);
        self::assertSame(['a photo', 404], [$server->get('/storage/photos/one.txt')->body, $server->get('/elsewhere/private.txt')->status]);
        $failed = $server->get('/throws');
        self::assertSame(500, $failed->status);
        self::assertStringNotContainsString('secret', $failed->body);
        foreach (['/throws', '/nowhere'] as $path) {
            foreach (['text/html', 'application/json', '*/*'] as $type) {
                self::assertSame([], $server->get($path, ["Accept: $type"])->innards());
            }
        }
        self::assertStringContainsString('production.ERROR: a secret', $server->log());
        self::assertSame(500, $server->get('/expected', ['Accept: application/json'])->status);
        self::assertSame('Hello again', $server->get('/hello/again')->body);
        $server->stop();
    }

    public function testAnApplicationThatAHandlerHasLeftByExitServesTheNextRequest(): void
    {
        $server = $this->application->serve(environment: ['APPLICATIONS' => '1']);
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame([200, 'exited'], [$server->get('/exit')->status, $server->get('/exit')->body], $server->log());
            // What php-fpm sends, whatever the client takes; dd() looks for PHP's command line, and leaves the status 200 there.
            foreach (['*/*', 'text/html', 'application/json', 'text/plain'] as $type) {
                self::assertMatchesRegularExpression('/<span class=sf-dump-str[^>]*>dumped<.*routes\/web.php:\d+/s', $server->get('/dump', ["Accept: $type"])->body);
            }
            self::assertSame('Hello again', $server->get('/hello/again')->body);
        }
        $server->stop();
    }

    public function testWarmApplicationsAreBootedBeforeTheWorkers(): void
    {
        \mkdir("{$this->application->folder}/config/folder");
        \file_put_contents("{$this->application->folder}/config/folder/mine.php", '<?php return ["name" => env("MINE"), "list" => [1, 2]];');
        \file_put_contents("{$this->application->folder}/routes/web.php", <<<'PHP'
            config()->push('folder.mine.list', 3);
            $process = getmypid();
            Route::get('/booted', function () use ($process) {
                usleep(200_000);
                $config = [config('folder.mine'), config('sluice.mode'), config('database.default'), app()->configurationIsCached(), app()->environment()];
                return [$process === getmypid() ? 'later' : 'before', md5(serialize(config()->all())), $config];
            })->withoutMiddleware('web');
            PHP, \FILE_APPEND);
        foreach (['2' => ['before', 'before', 'later'], '0' => ['before', 'later', 'later'], '9' => ['before', 'before', 'before']] as $warm => $booted) {
            $server = $this->application->serve(environment: ['SLUICE_WARM' => (string) $warm, 'APPLICATIONS' => '3', 'MINE' => 'a name', 'APP_ENV' => 'staging']);
            $answers = \array_map(static fn(Answer $answer) => (array) $answer->json(), $server->getAll(['/booted', '/booted', '/booted']));
            $order = \array_column($answers, 0);
            \sort($order);
            self::assertSame($booted, $order, "$warm warm applications\n" . $server->log());
            // Applications that were booted later have the same configuration, which is made of the files once.
            self::assertCount(1, \array_unique(\array_column($answers, 1), \SORT_REGULAR));
            self::assertSame([['name' => 'a name', 'list' => [1, 2, 3]], 'process', 'sqlite', false, 'staging'], $answers[0][2]);
            $server->stop();
        }
    }

    public function testEventsAndServicesAsWithOctane(): void
    {
        $folder = $this->application->folder;
        \file_put_contents("$folder/config/sluice.php", '<?php return ["warm" => 0, "sandbox" => ["flush" => ["flushed"], "warm" => ["warm"]]];');
        \file_put_contents("$folder/routes/web.php", <<<'PHP'
            use Illuminate\Support\Facades\Event;
            use Sluice\Laravel\Events\{RequestHandled, RequestReceived, RequestTerminated, WorkerStarting};
            foreach ([WorkerStarting::class, RequestReceived::class, RequestHandled::class, RequestTerminated::class] as $class) {
                Event::listen($class, fn(object $event) => file_put_contents(storage_path('events'), class_basename($event) . ($event->app === app() ? ', ' : ' of another one, '), FILE_APPEND));
            }
            app()->terminating(fn() => file_put_contents(storage_path('events'), 'terminating, ', FILE_APPEND));
            app()->singleton('warm', function () {
                file_put_contents(storage_path('events'), 'warm, ', FILE_APPEND);
                return new ArrayObject();
            });
            // Nothing rolls an object of PHP's own back, so that one is made anew for each request.
            app()->singleton('flushed', fn() => new ArrayObject());
            app('flushed');
            Route::get('/flushed', function () {
                app('flushed')->append(1);
                return [count(app('flushed')), app('warm')::class];
            })->withoutMiddleware('web');
            PHP, \FILE_APPEND);
        $server = $this->application->serve(environment: ['APPLICATIONS' => '1']);
        $told = static fn(): string => (string) \file_get_contents("$folder/storage/events");
        self::assertSame('warm, WorkerStarting, ', $told());
        $of1 = 'RequestReceived, RequestHandled, terminating, RequestTerminated, ';
        foreach ([1, 2, 3] as $number) {
            self::assertSame('[1,"ArrayObject"]', $server->get('/flushed')->body, $server->log());
            $server->waitUntil(static fn() => $told() === 'warm, WorkerStarting, ' . \str_repeat($of1, $number), "the events of request $number have come: {$told()}");
        }
        $server->stop();
    }

    public function testObjectsInTheConfigurationAreEachApplicationsOwn(): void
    {
        \file_put_contents("{$this->application->folder}/config/mine.php", '<?php return ["object" => new ArrayObject()];');
        \file_put_contents("{$this->application->folder}/routes/web.php", <<<'PHP'
            Route::get('/object', function () {
                config('mine.object')->append(1);
                usleep(200_000);
                return [count(config('mine.object'))];
            })->withoutMiddleware('web');
            PHP, \FILE_APPEND);
        $server = $this->application->serve();
        self::assertSame(['[1]', '[1]', '[1]'], \array_map(static fn(Answer $answer) => $answer->body, $server->getAll(['/object', '/object', '/object'])), $server->log());
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testFormsUploadsAndValidation(string $mode): void
    {
        $server = $this->application->serve($mode);
        $file = new \CURLFile($this->application->folder . '/file.txt', 'text/plain', 'me.txt');
        self::assertSame(['title' => 'a title', 'name' => 'me.txt', 'bytes' => 300_000], $server->request('POST', '/upload', [], ['title' => 'a title', 'file' => $file])->json());
        self::assertFileEquals($this->application->folder . '/file.txt', $this->application->folder . '/storage/uploaded');
        self::assertSame(['name' => 'x', 'number' => '2'], $server->request('POST', '/valid', [], 'name=x&number=2')->json());
        $wrong = $server->request('POST', '/valid', ['Accept: application/json'], 'number=-2');
        self::assertSame([422, ['name', 'number']], [$wrong->status, \array_keys((array) ((array) $wrong->json())['errors'])], $wrong->body);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testFilesAndStreams(string $mode): void
    {
        $server = $this->application->serve($mode);
        $part = $server->get('/file', ['Range: bytes=10-14']);
        self::assertSame([206, '01234', 'bytes 10-14/300000'], [$part->status, $part->body, $part->header('content-range')]);
        $whole = $server->get('/download');
        self::assertSame([200, 300_000, 'attachment; filename=report.txt'], [$whole->status, \strlen($whole->body), $whole->header('content-disposition')]);
        self::assertSame("piece 0\npiece 1\npiece 2\npiece 3\npiece 4\n", $server->get('/stream')->body);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testSessionsAndLogins(string $mode): void
    {
        $server = $this->application->serve($mode);
        $first = $server->get('/visits');
        self::assertSame(1, ((array) $first->json())['visits'], $first->body . $server->log());
        self::assertSame(2, ((array) $server->get('/visits', self::cookies($first))->json())['visits']);
        self::assertSame(1, ((array) $server->get('/visits')->json())['visits']);

        $anna = self::cookies($server->get('/login/anna'));
        $ben = self::cookies($server->get('/login/ben'));
        foreach ([['anna', $anna], ['ben', $ben], ['guest', []], ['anna', $anna], ['guest', []]] as [$name, $cookies]) {
            self::assertSame($name, $server->get('/me', $cookies)->body);
        }
        self::assertSame(404, $server->get('/login/nobody')->status);
        $server->get('/logout', $anna);
        self::assertSame('guest', $server->get('/me', $anna)->body);
        self::assertSame("boot x en Hello ben\n", $server->get('/page/x', $ben)->body);
        $server->stop();
    }

    public function testEachRequestBeginsWithWhatTheBootHasLeft(): void
    {
        $server = $this->application->serve(environment: ['APPLICATIONS' => '1']);
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame([2, 'nobody+', 'nobody+'], $server->get('/counter')->json());
        }
        self::assertSame('left', $server->get('/left-open')->body);
        self::assertSame('0', $server->get('/count/left%20open')->body);
        $server->stop();
    }

    public function testSessionsInADatabaseShareTheConnectionOfTheRequest(): void
    {
        $folder = $this->application->folder;
        (new \PDO("sqlite:$folder/database/database.sqlite"))
            ->exec('CREATE TABLE sessions (id TEXT PRIMARY KEY, user_id INTEGER, ip_address TEXT, user_agent TEXT, payload TEXT, last_activity INTEGER)');
        \file_put_contents("$folder/routes/web.php", <<<'PHP'
            Route::get('/connections', function () {
                DB::select('select 1');
                $files = array_map(fn(string $file) => (string) @readlink("/proc/self/fd/$file"), scandir('/proc/self/fd'));
                return [session()->increment('visits'), count(array_filter($files, fn(string $file) => $file === database_path('database.sqlite')))];
            });
            // A connection that outlives its request must not go on with what is another's by now.
            Route::get('/kept', function () {
                static $kept;
                $kept ??= DB::connection();
                DB::beginTransaction();
                $kept->select('select 1');
                return [$kept->transactionLevel(), DB::transactionLevel()];
            })->withoutMiddleware('web');
            PHP, \FILE_APPEND);
        $server = $this->application->serve(environment: ['SESSION_DRIVER' => 'database']);
        $first = $server->get('/connections');
        self::assertSame([1, 1], $first->json(), $server->log());
        for ($visits = 2; $visits < 40; ++$visits) {
            self::assertSame([$visits, 1], $server->get('/connections', self::cookies($first))->json(), $server->log());
        }
        self::assertSame([1, 1], $server->get('/kept')->json(), $server->log());
        self::assertSame(200, $server->get('/kept')->status, $server->log());
        $server->stop();
    }

    public function testAReloadReadsTheEnvironmentFileAnew(): void
    {
        $folder = $this->application->folder;
        \file_put_contents("$folder/routes/web.php", "Route::get('/named', fn() => [env('NAMED'), getenv('NAMED'), env('GIVEN')])->withoutMiddleware('web');", \FILE_APPEND);
        \file_put_contents("$folder/.env", "NAMED=before\nGIVEN=file\n", \FILE_APPEND);
        $server = $this->application->serve(environment: ['GIVEN' => 'process']);
        self::assertSame(['before', 'before', 'process'], $server->get('/named')->json());
        \file_put_contents("$folder/.env", \str_replace('NAMED=before', 'NAMED=after', (string) \file_get_contents("$folder/.env")));
        $server->signal(\SIGHUP);
        $server->waitUntil(static fn() => $server->get('/named')->json() === ['after', 'after', 'process'], "the reload has read .env: {$server->log()}");
        $server->stop();
    }

    public function testObjectsOfPhpAndClosuresOfTheBootAreRolledBack(): void
    {
        \file_put_contents("{$this->application->folder}/routes/web.php", <<<'PHP'
            app()->instance('properties', (object) ['first' => 1]);
            app()->instance('array', new ArrayObject(['first']));
            app()->instance('iterator', new ArrayIterator(['first']));
            app()->instance('storage', $storage = new SplObjectStorage());
            app()->instance('queue', $queue = new SplQueue());
            app()->instance('fixed', SplFixedArray::fromArray([1]));
            app()->instance('map', $map = new WeakMap());
            app()->instance('heap', new SplMinHeap());
            $storage[app()] = 'first';
            $queue->push('first');
            $map[$storage] = 'first';
            $count = 0;
            $list = ['first'];
            app()->instance('closure', function () use (&$list) {
                $list[] = 'more';
                return count($list);
            });
            Route::get('/changed', function () use ($storage, $queue, $map, &$count) {
                app('properties')->second = ++app('properties')->first;
                app('array')[] = 'more';
                app('iterator')[] = 'more';
                $storage[$request = request()] = $storage[app()] .= '+';
                $queue->push('more');
                app('fixed')->setSize(2);
                app('fixed')[1] = app('fixed')[0];
                app('fixed')[0] = 2;
                $map[$request] = $map[$storage] .= '+';
                app()->instance('held', $request);
                return [(array) app('properties'), count(app('array')), count(app('iterator')), $storage[$request], count($storage), count($queue), app('fixed')->toArray(), $map[$request], count($map), ++$count, app('closure')()];
            })->withoutMiddleware('web');
            PHP, \FILE_APPEND);
        $server = $this->application->serve(environment: ['APPLICATIONS' => '1']);
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame([['first' => 2, 'second' => 2], 2, 2, 'first+', 2, 2, [2, 1], 'first+', 2, 1, 2], $server->get("/changed")->json(), $server->log());
        }
        self::assertStringContainsString('The boot has made an object of the class SplMinHeap', $server->log());
        self::assertSame(1, \substr_count($server->log(), 'The boot has made'));
        $server->stop();
    }

    /** Two requests at a time come first, for there a fault is easiest to see. */
    #[TestWith(['process', 2, 20])]
    #[TestWith(['process', 100, 400])]
    #[TestWith(['base', 100, 400])]
    public function testRequestsThatWaitTogetherDoNotSeeOneAnother(string $mode, int $together, int $requests): void
    {
        $server = $this->application->serve($mode);
        for ($done = 0; $done < $requests; $done += $together) {
            $paths = [];
            for ($i = $done; $i < $done + $together; ++$i) {
                $paths["r$i"] = ($i % 3 === 0 ? '/isolation-of-session' : '/isolation') . "/r$i" . ($i % 2 === 0 ? '?database=yes' : '');
            }
            foreach ($server->getAll($paths) as $me => $answer) {
                self::assertSame('[]', $answer->body, "$me {$server->log()}");
            }
        }
        $server->stop();
    }

    /** None of them ends before all of them have begun. */
    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAHundredRequestsWaitAtOnceInOneWorker(string $mode): void
    {
        $server = $this->application->serve($mode, ['APPLICATIONS' => '100']);
        $paths = [];
        for ($i = 0; $i < 100; ++$i) {
            $paths["r$i"] = "/crowd/r$i/100";
        }
        foreach ($server->getAll($paths) as $me => $answer) {
            self::assertSame([$me, true], $answer->json(), $answer->body . $server->log());
        }
        $server->stop();
    }

    public function testTransactionsAreEachRequestsOwn(): void
    {
        $server = $this->application->serve();
        $answers = $server->getAll(['transaction1' => '/transaction/transaction1', 'transaction2' => '/transaction/transaction2', 'transaction3' => '/transaction/transaction3']);
        foreach ($answers as $name => $answer) {
            self::assertSame([$name], $answer->json(), $server->log());
        }
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testTheCacheStoreIsSharedByAllWorkers(string $mode): void
    {
        $server = $this->application->serve($mode, ['WORKERS' => '2', 'SESSION_DRIVER' => 'sluice']);
        self::assertSame([
            'anna', 'default', true, false, 1, 5, 4, 'made', 'made', false, true, ['a' => 1, 'b' => [2], 'c' => null], true, false, true, 'held', true, 'long', true, 1, true, null, true, null, true, false,
        ], $server->get('/cache')->json(), $server->log());
        $counts = \array_map(static fn(Answer $answer) => (int) $answer->body, $server->getAll(\array_fill(0, 50, '/shared/n')));
        \sort($counts);
        self::assertSame(\range(1, 50), $counts);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testRateLimitsHoldForAllWorkers(string $mode): void
    {
        $server = $this->application->serve($mode, ['WORKERS' => '2']);
        // The callbacks wait, so that all of them would run if the limit was looked at before and counted afterwards.
        $answers = \array_count_values(\array_map(static fn(Answer $answer) => $answer->body, $server->getAll(\array_fill(0, 40, '/limited'))));
        \ksort($answers);
        self::assertSame(['in' => 3, 'out' => 37], $answers, $server->log());
        self::assertSame(['out', '0'], [$server->get('/limited')->body, $server->get('/remaining/limited')->body]);
        // Callbacks that throw do not count.
        foreach ([500, 500, 500, 500, 200, 200, 200] as $status) {
            self::assertSame($status, $server->get('/limited?key=another' . ($status === 500 ? '&throws=1' : ''))->status, $server->log());
        }
        self::assertSame('out', $server->get('/limited?key=another')->body);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testTheMiddlewareLetsNoMorePassThanMay(string $mode): void
    {
        $server = $this->application->serve($mode, ['WORKERS' => '2']);
        for ($round = 0; $round < 20; ++$round) {
            $statuses = \array_count_values(\array_map(static fn(Answer $answer) => $answer->status, $server->getAll(\array_fill(0, 20, "/throttled/$round"))));
            \ksort($statuses);
            self::assertSame([200 => 3, 429 => 17], $statuses, $server->log());
        }
        $refused = $server->get('/throttled/0');
        self::assertSame([429, '3', '0'], [$refused->status, $refused->header('x-ratelimit-limit'), $refused->header('x-ratelimit-remaining')]);
        self::assertGreaterThan(0, (int) $refused->header('retry-after'));
        $first = $server->get('/throttled/another');
        self::assertSame([200, '3', '2'], [$first->status, $first->header('x-ratelimit-limit'), $first->header('x-ratelimit-remaining')]);
        // Two limits, one of which counts by the response: 404 twice.
        self::assertSame([404, 404, 429, 429], \array_map(static fn() => $server->get('/throttled-after/missing')->status, \range(1, 4)));
        self::assertSame([200, 200, 200], \array_map(static fn() => $server->get('/throttled-after/there')->status, \range(1, 3)));
        $server->stop();
    }

    public function testSessionsInTheSharedTable(): void
    {
        $server = $this->application->serve(environment: ['WORKERS' => '2', 'SESSION_DRIVER' => 'sluice']);
        $first = $server->get('/visits');
        for ($visits = 2; $visits < 10; ++$visits) {
            self::assertSame($visits, ((array) $server->get('/visits', self::cookies($first))->json())['visits'], $server->log());
        }
        $server->stop();
    }

    public function testTasksHaveApplicationsOfTheirOwn(): void
    {
        // One application is for requests; those for tasks are beside it.
        $server = $this->application->serve(environment: ['APPLICATIONS' => '2']);
        self::assertSame([['Laravel', 1], ['Laravel', 0], true, ['first' => 1, 'second' => 2], 'mine', 1, true], $server->get('/concurrency')->json(), $server->log());
        self::assertSame(500, $server->get('/concurrency-throws')->status);
        $server->stop();
    }

    public function testPooledRequestsToTheServerItself(): void
    {
        $server = $this->application->serve();
        self::assertSame(['50', '60', 404, 'Hello me'], $server->get('/pool')->json(), $server->log());
        $server->stop();
    }
}
