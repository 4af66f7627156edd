<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests\App;

use Psr\Cache\CacheItemPoolInterface;
use Sluice\Http\Request;
use Sluice\Symfony\Publisher;
use Sluice\Symfony\WebSocket\{AsWebSocket, DecidesOnHandshakes};
use Sluice\WebSocket\{Connection, Handler, Handshake};

/** A chat room: all members get what one member says. */
#[AsWebSocket('/chat/{room}', origins: ['https://friend.example'], heartbeatSeconds: 0)]
final class Chat implements Handler, DecidesOnHandshakes
{
    public function __construct(
        private readonly Publisher $publisher,
        private readonly CurrentUser $user,
        private readonly CacheItemPoolInterface $cache,
    ) {}

    public function handshake(Handshake $handshake): void
    {
        $name = $handshake->request->query('name');
        if ($name === null) {
            $handshake->refuse(401);
        } else {
            $handshake->attach($name);
        }
    }

    public function open(Connection $who, Request $request): void
    {
        $who->subscribe('chat/' . $who->parameter('room'));
        $who->send("hello {$who->data()}");
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        if ($this->user->name !== null) {
            $who->send("The service knows {$this->user->name}, and was not reset");
            return;
        }
        $this->user->name = $who->data();
        \usleep(20_000);
        $this->publisher->publish('chat/' . $who->parameter('room'), ['from' => $this->user->name, 'text' => $data]);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        $this->cache->save($this->cache->getItem('left')->set($who->data()));
    }
}
