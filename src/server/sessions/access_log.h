#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/address.h"
#include "io/line_writer.h"
#include "protocol/http/access_line.h"
#include "protocol/http/http_head.h"
#include "protocol/http/trace_context.h"

namespace sluice {

class Endpoints;

class AccessLog;

/// What is kept of a request until its line is written.
struct AccessRecord {
    std::shared_ptr<const AccessLog> log;
    uint64_t begun_us = 0;  ///< by monotonic_us()
    uint64_t at_us = 0;     ///< since 1970
    std::string text;       ///< what the pieces below point into
    struct Piece {
        uint32_t offset = 0, length = 0;
    } method, target, host, referer, user_agent, request_id;
    std::optional<http::TraceParent> parent;  ///< that it brought
    uint32_t number = 0;                      ///< on its connection; 0: not known
    Address client;  ///< of whom a trusted proxy has named; family 0: the connection's
    const char* protocol = "";
    uint16_t status = 0;
    uint64_t body_bytes = 0;  ///< bytes of the body that were queued for the client
    int route = -1;           ///< the endpoint that it went to; -1: none
    bool ended = false;       ///< all of the response was queued
    bool client_left = false;
    std::unique_ptr<AccessRecord> next;
};

/// The access log of one site, in a process that has clients.
class AccessLog : public std::enable_shared_from_this<AccessLog> {
  public:
    AccessLog(std::shared_ptr<LineWriter> writer, http::AccessFormat format)
        : writer_(std::move(writer)), format_(format) {}

    /// Begins the record of a request that was read; `protocol` must be static.
    std::unique_ptr<AccessRecord> begin(const http::RequestHead& head, std::span<const http::Field> fields,
                                        std::string_view text, const char* protocol) const;
    /// Begins the record of a malformed request; `text` is its beginning.
    std::unique_ptr<AccessRecord> begin_unreadable(std::string_view text) const;

    /// Writes a record's line. `unsent_bytes` of its body were not sent; status 0: there was no answer, which
    /// is logged as 499, as the client has closed the connection. `route`: the pattern that it matched, or
    /// empty. `ids`: of its trace; nullptr: it has none.
    void write(const AccessRecord& record, std::string_view peer, std::string_view route, const TraceIds* ids,
               uint64_t unsent_bytes, bool complete) const;

  private:
    std::shared_ptr<LineWriter> writer_;
    http::AccessFormat format_;
};

/// The access logs of a process, by file: sites with one file share its writer.
class AccessLogs {
  public:
    /// `most_bytes`: how much may be pending for each file.
    explicit AccessLogs(uint64_t most_bytes = 0) : most_bytes_(most_bytes) {}

    /// Gives the logs to a table's sites, before a reactor has the table, and closes files that no site uses.
    /// When a file cannot be opened, that is logged, and its site has no access log.
    void give_to(Endpoints& endpoints);
    /// Opens all files anew, as they may have been renamed.
    void reopen();

  private:
    uint64_t most_bytes_;
    std::map<std::string, std::shared_ptr<LineWriter>> by_path_;
};

}  // namespace sluice
