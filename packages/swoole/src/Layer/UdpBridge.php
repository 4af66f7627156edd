<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Udp\Handler;
use Sluice\Udp\Peer;
use Swoole\Server\Packet;

/** Datagrams as onPacket. */
final class UdpBridge implements Handler
{
    public function __construct(private readonly Running $running, private readonly Events $events, private readonly int $port) {}

    public function datagram(Peer $from, string $datagram): void
    {
        $this->running->connections->heard($from);
        [$host, $port] = Address::split($from->address());
        $server = $this->running->server;
        if (Options::bool($server->setting, 'event_object')) {
            $packet = new Packet();
            $packet->server_port = $this->port;
            $packet->dispatch_time = \microtime(true);
            $packet->address = $host;
            $packet->port = $port;
            $packet->data = $datagram;
            $this->events->start('packet', [$server, $packet]);
            return;
        }
        $client = ['server_socket' => 0, 'server_port' => $this->port, 'address' => $host, 'port' => $port, 'dispatch_time' => \microtime(true)];
        $this->events->start('packet', [$server, $datagram, $client]);
    }
}
