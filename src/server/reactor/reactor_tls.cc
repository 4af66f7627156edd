// What a reactor does differently for a connection with TLS.

#include <cerrno>
#include <sys/uio.h>

#include "base/log.h"
#include "server/reactor/reactor.h"

namespace sluice {

namespace {
constexpr std::string_view kPlainHttpAnswer =
    "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
    "content-length: 56\r\n\r\nThis port speaks HTTPS: ask for https:// in its address\n";
}  // namespace

/// True when bytes may come and go. Otherwise it waits for the peer, or has failed and ends.
bool Reactor::shake_hands(Connection& connection) {
    TlsStream& tls = *connection.tls;
    switch (tls.handshake()) {
        case TlsStream::Outcome::kDone: break;
        case TlsStream::Outcome::kBlocked: return false;
        case TlsStream::Outcome::kEnd:
        case TlsStream::Outcome::kBroken:
            if (tls.met_plain_http() && endpoints()[connection.endpoint].spec.kind == EndpointKind::kHttp) {
                connection.out.append(kPlainHttpAnswer);
            }
            // OpenSSL has sent its alert already. What follows goes as it is, and lingers so that it arrives.
            connection.tls.reset();
            finish(connection);
            return false;
    }
    connection.session->connected(*this, connection);
    if (!shutting_down_) return true;
    stop_connection(connection);
    return connection.phase == Phase::kOpen;
}

/// As readv(2) on a non-blocking socket.
ssize_t Reactor::receive_tls(Connection& connection, const iovec* parts, int count) {
    TlsStream& tls = *connection.tls;
    size_t bytes = 0;
    switch (tls.read(parts, count, bytes)) {
        case TlsStream::Outcome::kDone:
            if (tls.is_drained()) connection.readable = false;
            return static_cast<ssize_t>(bytes);
        case TlsStream::Outcome::kEnd: return 0;
        case TlsStream::Outcome::kBlocked: errno = EAGAIN; return -1;
        case TlsStream::Outcome::kBroken: break;
    }
    errno = ECONNRESET;
    return -1;
}

}  // namespace sluice
