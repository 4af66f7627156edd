<?php

/** @generate-class-entries */

namespace Sluice;

/** The header fields in which trusted proxies name the client. */
enum ProxyFields: string
{
    /** No field names the client. */
    case None = 'none';
    /** `X-Forwarded-For`, `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Port`. */
    case XForwarded = 'x-forwarded';
    /** `Forwarded` (RFC 7239). */
    case Forwarded = 'forwarded';
}

/**
 * The proxies in front of a listener. What connections from their addresses, and no others, say about clients is believed, and shows
 * in `Http\Request::peer()`, `clientAddress()`, `scheme()`, `isSecure()` and `host()`.
 *
 * A list of addresses in a field is read from its end, where the nearest proxy has written. As long as an address is a trusted
 * proxy, the address before it is read too. Everything in front comes from the client and is ignored. Reading ends at a malformed
 * element, and at a name in place of an address.
 *
 * @strict-properties
 * @not-serializable
 */
final class TrustedProxies
{
    /**
     * @param list<string> $addresses IP addresses (`127.0.0.1`, `::1`), networks (`10.0.0.0/8`, `2001:db8::/32`), and
     *     `unix` for connections to a Unix socket
     * @param ProxyFields $fields the fields that these proxies set. Other fields are not read: a proxy passes on what a client has
     *     put there
     * @param bool $proxyProtocol whether each connection from these addresses begins with a header of the PROXY protocol, version 1
     *     or 2, in front of TLS. A connection without the header is closed. A connection from another address
     *     must not have the header
     * @throws \ValueError naming the address and what is allowed
     */
    public function __construct(
        array $addresses,
        ProxyFields $fields = ProxyFields::XForwarded,
        bool $proxyProtocol = false,
    ) {}
}
