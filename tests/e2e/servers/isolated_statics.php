<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\Timer;
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, server};

final class CurrentUser
{
    public static string $name = 'nobody';
    /** @var list<string> */
    public static array $seen = [];
}

final class Container
{
    public static ?object $instance = null;
}

Coroutine\isolate(CurrentUser::class);
CurrentUser::$name = 'of the boot';

$server = server();
$server->onWorkerStart(function (): void {
    Coroutine\isolate(Container::class, 'instance');
    Container::$instance = (object) ['made' => 'at the start'];
});
$server->onRequest(function (Request $request): void {
    if ($request->query('observed') !== null) {
        CurrentUser::$name = (string) $request->query('observed');
    }
});

/** Waits at several places, and says what it sees at each. */
function visit(string $name): array
{
    $at_first = [CurrentUser::$name, count(CurrentUser::$seen), Container::$instance->made ?? null];
    CurrentUser::$name = $name;
    Container::$instance = (object) ['made' => $name];
    $wrong = 0;
    for ($i = 0; $i < 5; $i++) {
        CurrentUser::$seen[] = $name;
        usleep(random_int(0, 2000));
        $wrong += (int) (CurrentUser::$name !== $name || Container::$instance->made !== $name);
    }
    Coroutine\all(
        fn() => usleep(1000) ?? CurrentUser::$seen[] = CurrentUser::$name,
        fn() => CurrentUser::$seen[] = CurrentUser::$name,
    );
    return ['at_first' => $at_first, 'wrong' => $wrong, 'seen' => array_unique(CurrentUser::$seen), 'count' => count(CurrentUser::$seen)];
}

$site = $server->http(address(), function (Request $request, Response $response): void {
    $response->json(match ($request->path()) {
        '/visit' => visit((string) $request->query('name')),
        '/name' => CurrentUser::$name,
        '/late' => (function (): string {
            try {
                Coroutine\isolate(CurrentUser::class, 'name');
            } catch (Error $error) {
                return $error->getMessage();
            }
            return 'isolated';
        })(),
        '/timer' => (function () use ($request): array {
            $channel = new Coroutine\Channel(3);
            CurrentUser::$name = (string) $request->query('name');
            $timer = Timer::every(0.001, fn() => $channel->push(CurrentUser::$name));
            Timer::after(0, fn() => CurrentUser::$name .= ' later');
            $names = [$channel->pop(), $channel->pop(), $channel->pop()];
            $timer->cancel();
            return [end($names), CurrentUser::$name];
        })(),
        default => null,
    });
});
$site->websocket('/ws', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        CurrentUser::$name = 'set in onOpen';
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $before = CurrentUser::$name;
        CurrentUser::$name = $data;
        usleep(1000);
        $who->send("$before, " . CurrentUser::$name);
    }

    public function close(Connection $who, int $code, string $reason): void {}
});
$server->run();
