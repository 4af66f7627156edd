<?php

/** @generate-class-entries */

namespace Sluice;

/**
 * Where a server listens, and what comes before the protocol: TLS, a proxy's header, the permissions of a Unix socket. Everything is
 * checked here.
 *
 * @strict-properties
 * @not-serializable
 */
final class Listener
{
    public readonly string $address;
    public readonly ?Tls $tls;
    public readonly ?TrustedProxies $proxies;
    public readonly ?int $socketMode;

    /**
     * @param string $address `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:0` (port 0: any free one), `unix:/run/app.sock`.
     *     `[::]` is all of IPv6 and nothing else: `0.0.0.0` with the same port may stand beside it. A Unix socket is made
     *     anew if nobody listens on the one that is there, kept by a reload, and removed when the server stops
     * @param Tls|null $tls serves HTTPS, and a site's WebSockets as wss://; what a TCP framing cuts is what TLS has carried; null: plain
     * @param TrustedProxies|null $proxies who is believed to speak for clients; null: nobody. For TCP, which has no header fields, of
     *     use with `proxyProtocol` only
     * @param int|null $socketMode permissions of a Unix socket's file, 0 to 0777; null: 0660. Null for IP addresses
     * @throws \ValueError
     */
    public function __construct(
        string $address,
        ?Tls $tls = null,
        ?TrustedProxies $proxies = null,
        ?int $socketMode = null,
    ) {}
}
