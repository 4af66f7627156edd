<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, server};

// Each message tells what its handler finds of the engine's, and leaves all of it in use.

$server = server();
$site = $server->http(address(), fn (Request $request, Response $response) => $response->status(404)->end());
$site->webSocket('/traces', new class implements Handler {
    private int $deferred = 0;
    private int $handled = 0;
    private int $level;

    public function __construct()
    {
        $this->level = error_reporting();
    }

    public function open(Connection $who, Request $request): void
    {
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $found = [
            'error' => error_get_last()['message'] ?? null,
            'handler' => set_error_handler(fn () => true),
            'level' => error_reporting() === $this->level,
            'token' => strtok('/'),
            'buffers' => ob_get_level(),
            'deferred' => $this->deferred === $this->handled++,
        ];
        restore_error_handler();
        if ($data === 'wait') {
            usleep(1000);
        }
        Coroutine\defer(fn () => ++$this->deferred);
        @trigger_error($data);
        strtok("$data/left", '/');
        json_decode('{');
        error_reporting(0);
        set_error_handler(fn () => false);
        $who->send(json_encode($found));
        if ($data === 'throw') {
            throw new DomainException('as asked');
        }
        ob_start();
        echo "left in a buffer\n";
    }

    public function close(Connection $who, int $code, string $reason): void
    {
    }
});

$server->run();
