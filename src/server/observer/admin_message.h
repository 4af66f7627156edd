#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/http/http_head.h"

namespace sluice {

/// A request to the admin listener. Refers to its connection's buffer: what an answer needs later it copies.
struct AdminRequest {
    http::Method method = http::Method::kGet;  ///< kHead is answered as kGet is
    std::string_view path;                     ///< as it was sent
    std::string_view query;                    ///< without the '?'
    std::string_view host;
    std::span<const http::Field> fields;
    const char* base = nullptr;  ///< what the spans of the fields are relative to

    /// The value of the first field of this name, which is in lower case; empty: there is none.
    std::string_view field(std::string_view name) const;
    /// A parameter of the query, as it was sent; empty: there is none.
    std::string_view parameter(std::string_view name) const;
};

struct AdminResponse {
    uint16_t status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body;
    std::string fields;  ///< further "Name: value\r\n" lines

    static AdminResponse json(uint16_t status, std::string body) {
        return {status, "application/json", std::move(body), {}};
    }
    /// A JSON object with one sentence, for what is refused.
    static AdminResponse problem(uint16_t status, std::string_view sentence);
};

/// An answer that takes time, such as a profile. It is destroyed with the connection when the client leaves.
class PendingAnswer {
  public:
    virtual ~PendingAnswer() = default;
    /// When it is asked, by monotonic_ms().
    virtual uint64_t due_ms() const = 0;
    /// Nothing: not yet; then due_ms() lies in the future.
    virtual std::optional<AdminResponse> ask(uint64_t now_ms) = 0;
};

/// What a function of admin_endpoints.h returns: a response, or what will have one.
struct AdminAnswer {
    AdminAnswer(AdminResponse response) : now(std::move(response)) {}
    AdminAnswer(std::unique_ptr<PendingAnswer> pending) : later(std::move(pending)) {}

    AdminResponse now;
    std::unique_ptr<PendingAnswer> later;  ///< nullptr: `now` is the response
};

}  // namespace sluice
