#include "server/reactor/proxy_headers.h"

#include <bit>
#include <cerrno>
#include <sys/socket.h>

#include "core/log.h"
#include "protocol/framing/proxy_header.h"
#include "server/config/limits.h"
#include "server/reactor/address_limits.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"

namespace sluice {

ProxyHeaders::Outcome ProxyHeaders::read(Connection& connection, std::span<char> scratch) {
    const int fd = connection.fd.get();
    const ssize_t got = recv(fd, scratch.data(), proxy::kMaxHeaderBytes, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        connection.readable = errno == EINTR;
        return Outcome::kNothing;
    }
    if (got <= 0) return Outcome::kRefused;
    proxy::Header header;
    switch (proxy::read_header({scratch.data(), static_cast<size_t>(got)}, header)) {
        case proxy::Verdict::kNeedMore:
            connection.readable = false;
            if (connection.peer_shut) return Outcome::kRefused;
            if (!connection.deadline_ms) host_.set_deadline(connection, commons_.limits.handshake_ms);
            return Outcome::kAwaiting;
        case proxy::Verdict::kNoHeader:
            if (connection.trusted)
                return refuse(connection, "it begins without a header of the PROXY protocol");
            connection.awaits_proxy = false;
            return Outcome::kDone;
        case proxy::Verdict::kMalformed:
            return refuse(connection, "its header of the PROXY protocol is malformed");
        case proxy::Verdict::kHeader: break;
    }
    if (!connection.trusted) return refuse(connection, "a proxy at this address is not trusted");
    if (recv(fd, scratch.data(), header.bytes, MSG_DONTWAIT) != static_cast<ssize_t>(header.bytes))
        return Outcome::kRefused;
    connection.awaits_proxy = false;
    if (!header.is_anonymous) {
        host_.name_client(connection, header.source);
        // The named source may itself be a trusted proxy, which names its client in header fields.
        connection.trusted = (*commons_.endpoints)[connection.endpoint].spec.proxies.trusts(header.source);
        uint64_t address_key = 0;
        if (!connection.trusted && !addresses_.admits(header.source, commons_.now_ms, address_key))
            return Outcome::kRefused;
        addresses_.count(connection, address_key, commons_.now_ms);
    }
    if (!connection.tls()) connection.session->connected(host_, connection);
    return Outcome::kDone;
}

ProxyHeaders::Outcome ProxyHeaders::refuse(const Connection& connection, const char* why) {
    if (std::has_single_bit(++refused_)) {
        SLUICE_WARNING("closed a connection from %s: %s (proxies); %llu such so far",
                       commons_.cells.peer(connection.id).to_peer_string().c_str(), why,
                       static_cast<unsigned long long>(refused_));
    }
    return Outcome::kRefused;
}

}  // namespace sluice
