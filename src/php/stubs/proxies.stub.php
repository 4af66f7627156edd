<?php

/** @generate-class-entries */

namespace Sluice;

/** In which header fields a trusted proxy names the client. */
enum ProxyFields: string
{
    /** In none: fields that tell of clients are fields like any other. */
    case None = 'none';
    /** `X-Forwarded-For`, `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Port`. */
    case XForwarded = 'x-forwarded';
    /** `Forwarded` (RFC 7239). */
    case Forwarded = 'forwarded';
}

/**
 * The proxies in front of a listener: from their addresses, and no others, what they say of clients is believed.
 * `Http\Request::peer()`, `clientAddress()`, `scheme()`, `isSecure()` and `host()` tell it then.
 *
 * Lists are read from their end, where the nearest proxy has written: as long as it names another trusted one, the element
 * before that counts as well. Everything in front comes from the client, and is passed over. A malformed element, or a name
 * in place of an address, ends the reading.
 *
 * @strict-properties
 * @not-serializable
 */
final class TrustedProxies
{
    /**
     * @param list<string> $addresses IP addresses (`127.0.0.1`, `::1`), networks (`10.0.0.0/8`, `2001:db8::/32`), or
     *     `unix` for whoever comes by a Unix socket
     * @param ProxyFields $fields the fields that the proxies set. Fields of the other kind come from clients, for proxies pass
     *     on what they do not know
     * @param bool $proxyProtocol each connection from these addresses begins with a header of the PROXY protocol, version 1 or
     *     2, before TLS too; one without is closed. Connections from other addresses may not have one
     * @throws \ValueError naming the address and what is allowed
     */
    public function __construct(
        array $addresses,
        ProxyFields $fields = ProxyFields::XForwarded,
        bool $proxyProtocol = false,
    ) {}
}
