<?php

/** @generate-class-entries */

namespace Sluice\Udp;

/** Handles UDP datagrams; an object in place of a callable. */
interface Handler
{
    /** A datagram has arrived, whole: 0 to 65,507 bytes. */
    public function datagram(Peer $from, string $datagram): void;
}

/**
 * The sender of a datagram. The object may be kept, and answered later and any number of times. UDP has no connections: nothing
 * tells whether the sender is there, and its address can be forged.
 *
 * @strict-properties
 * @not-serializable
 */
final class Peer
{
    private function __construct() {}

    /** The sender's address and port: `192.0.2.1:1234` or `[2001:db8::1]:1234`. */
    public function address(): string {}

    /**
     * Sends one datagram to this peer, from the address and port that the listener is bound to. A link-local address of IPv6
     * (fe80::/10) cannot be answered.
     *
     * @param string $datagram 0 to 65,507 bytes; more than about 1,400 are fragmented on most paths
     * @return \Sluice\Delivery `Sent` or `Queued`: on its way to the network, which may lose it; `Dropped`: more than
     *     `\Sluice\Limits::$queuedBytes` wait for the network
     * @throws \ValueError when it is longer
     * @throws \Sluice\ServerException outside of a worker
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function send(string $datagram): \Sluice\Delivery {}
}
