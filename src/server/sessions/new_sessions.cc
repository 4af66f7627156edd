#include "server/sessions/new_sessions.h"

#include "server/reactor/connection.h"
#include "server/reactor/session_host.h"
#include "server/sessions/http1_writer.h"
#include "server/sessions/http2_session.h"
#include "server/sessions/http2_writer.h"
#include "server/sessions/http_session.h"
#include "server/sessions/tcp_session.h"

namespace sluice {

void NewSessions::begin(SessionHost& host, Connection& self) const {
    const Endpoints& endpoints = host.endpoints();
    if (endpoints[self.endpoint].spec.kind == EndpointKind::kTcp) {
        self.session.emplace<TcpSession>(endpoints.share(self.endpoint));
    } else {
        self.session.emplace<HttpSession>(Http1Writer::shared());
    }
}

void NewSessions::begin_http2(SessionHost& host, Connection& self, std::string kept) const {
    self.session.emplace<Http2Session>().begin(host, self, std::move(kept));
}

void NewSessions::begin_stream(SessionHost& host, Connection& self, const http::RequestHead& head,
                               std::span<const http::Field> fields, std::string_view text) const {
    self.session.emplace<HttpSession>(Http2Writer::shared()).begin_stream(host, self, {&head, fields, text});
}

const NewSessions& NewSessions::shared() {
    static const NewSessions sessions;
    return sessions;
}

}  // namespace sluice
