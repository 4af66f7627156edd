#pragma once

#include "server/reactor/session_factory.h"

namespace sluice {

/// Begins the sessions of src/server/sessions.
class NewSessions final : public SessionFactory {
  public:
    void begin(SessionHost& host, Connection& self) const override;
    void begin_http2(SessionHost& host, Connection& self, std::string kept) const override;
    void begin_stream(SessionHost& host, Connection& self, const http::RequestHead& head,
                      std::span<const http::Field> fields, std::string_view text) const override;

    /// One object for all reactors: it has no state.
    static const NewSessions& shared();
};

}  // namespace sluice
