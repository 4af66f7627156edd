<?php

/** @generate-class-entries */

namespace Sluice;

/**
 * Where a server listens, and how connections begin: TLS, trusted proxies, the permissions of a Unix socket. The constructor checks
 * all arguments.
 *
 * @strict-properties
 * @not-serializable
 */
final class Listener
{
    /** An IP address and port, or `unix:` and the path of a socket. */
    public readonly string $address;
    /** Certificates and versions of TLS; null: connections are not encrypted. */
    public readonly ?Tls $tls;
    /** The proxies that may name clients; null: none. */
    public readonly ?TrustedProxies $proxies;
    /** The permissions of a Unix socket's file, 0 to 0777; null: 0660. */
    public readonly ?int $socketMode;

    /**
     * @param string $address `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:0` (port 0: any free port) or `unix:/run/app.sock`.
     *     `[::]` listens on IPv6 only, so that `0.0.0.0` with this port may be a listener too. The file of a Unix socket is replaced
     *     when nobody listens on it, kept by a reload, and removed when the server stops
     * @param Tls|null $tls serves https:// and wss://. For TCP, the framing cuts the decrypted bytes. null: no TLS
     * @param TrustedProxies|null $proxies the proxies that may name clients; null: none. TCP has no header fields, so only
     *     `proxyProtocol` has an effect there
     * @param int|null $socketMode permissions of a Unix socket's file, 0 to 0777; null: 0660. For an IP address it must be null
     * @throws \ValueError when an argument is invalid
     */
    public function __construct(
        string $address,
        ?Tls $tls = null,
        ?TrustedProxies $proxies = null,
        ?int $socketMode = null,
    ) {}
}
