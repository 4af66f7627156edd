// What a reactor does with connections that come through proxies.

#include <bit>
#include <cerrno>
#include <sys/socket.h>

#include "base/log.h"
#include "protocol/framing/proxy_header.h"
#include "server/reactor/reactor.h"

namespace sluice {

/// True when the connection's own bytes may be read. The header is looked at where it waits in the socket, so
/// that no memory is taken for it and TLS finds its first byte first.
bool Reactor::read_proxy_header(Connection& connection) {
    const ssize_t got =
        recv(connection.fd.get(), scratch_.data(), proxy::kMaxHeaderBytes, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        connection.readable = errno == EINTR;
        if (connection.readable) schedule(connection);
        // One who comes on his own may wait for the server's first word.
        if (!connection.trusted && !connection.tls) consume(connection, {});
        return false;
    }
    if (got <= 0) {
        abort(connection);
        return false;
    }
    proxy::Header header;
    switch (proxy::read_header({scratch_.data(), static_cast<size_t>(got)}, header)) {
        case proxy::Verdict::kNeedMore:
            connection.readable = false;
            if (connection.peer_shut) {
                abort(connection);
            } else if (!connection.deadline_ms) {
                set_deadline(connection, limits_.handshake_ms);
            }
            return false;
        case proxy::Verdict::kNoHeader:
            if (connection.trusted) {
                refuse_proxy_header(connection, "it begins without a header of the PROXY protocol");
                return false;
            }
            connection.awaits_proxy = false;
            return true;
        case proxy::Verdict::kMalformed:
            refuse_proxy_header(connection, "its header of the PROXY protocol is malformed");
            return false;
        case proxy::Verdict::kHeader: break;
    }
    if (!connection.trusted) {
        refuse_proxy_header(connection, "a proxy at this address is not trusted");
        return false;
    }
    if (recv(connection.fd.get(), scratch_.data(), header.bytes, MSG_DONTWAIT) !=
        static_cast<ssize_t>(header.bytes)) {
        abort(connection);
        return false;
    }
    connection.awaits_proxy = false;
    if (!header.is_anonymous) {
        cells().name_client(connection.id, header.source);
        // A further proxy in front of that one speaks through its header fields.
        connection.trusted = endpoints()[connection.endpoint].spec.proxies.trusts(header.source);
        uint64_t address_key = 0;
        if (!connection.trusted && !admits(header.source, address_key)) {
            abort(connection);
            return false;
        }
        count_address(connection, address_key);
    }
    if (!connection.tls) connection.session->connected(*this, connection);
    return true;
}

void Reactor::refuse_proxy_header(Connection& connection, const char* why) {
    if (std::has_single_bit(++proxy_headers_refused_)) {
        const Address& peer = cells().peer(connection.id);
        SLUICE_WARNING("closed a connection from %s: %s (proxies); %llu such so far",
                       peer.to_peer_string().c_str(), why,
                       static_cast<unsigned long long>(proxy_headers_refused_));
    }
    abort(connection);
}

}  // namespace sluice
