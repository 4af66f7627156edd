<?php

/** @generate-class-entries */

namespace Sluice\Udp;

interface Handler
{
    /** One datagram, as long as it was sent: 0 to 65,507 bytes. */
    public function datagram(Peer $from, string $datagram): void;
}

/**
 * Who has sent a datagram; a small value that may be kept and answered later, any number of times. It is no connection:
 * nothing tells whether anybody is there, and the address is what the sender says it is.
 *
 * @strict-properties
 * @not-serializable
 */
final class Peer
{
    private function __construct() {}

    /** `192.0.2.1:1234`, `[2001:db8::1]:1234` */
    public function address(): string {}

    /**
     * Sends one datagram, from the address and port that the listener is bound to.
     *
     * `Sent` and `Queued` say that it is on its way to the network, where it may get lost without anybody being told;
     * `Dropped`, that more than `\Sluice\Limits::$queuedBytes` wait for the network to take them. Link-local addresses of IPv6
     * (fe80::/10) cannot be answered.
     *
     * @param string $datagram 0 to 65,507 bytes; above about 1,400 it is fragmented on most ways
     * @throws \ValueError when it is longer
     */
    public function send(string $datagram): \Sluice\Delivery {}
}
