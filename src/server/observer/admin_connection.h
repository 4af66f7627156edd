#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/unique_fd.h"
#include "protocol/http/http1_parser.h"
#include "server/observer/admin_gate.h"
#include "server/observer/admin_message.h"

namespace sluice {

class Observer;

/// One client of the admin listener: HTTP/1.1 and 1.0, one request after the other, none with a body.
class AdminConnection {
  public:
    static constexpr uint32_t kMostHeadBytes = 8192;
    static constexpr uint64_t kHeadMs = 10'000;  ///< from the end of the response before to the end of a head
    static constexpr uint64_t kSendMs = 30'000;  ///< for a whole response

    AdminConnection(UniqueFd fd, uint64_t now_ms);
    ~AdminConnection();

    int fd() const { return fd_.get(); }
    /// Reads, answers and writes as far as it can without waiting. False: close the connection.
    bool turn(Observer& observer, const AdminGate& gate, uint64_t now_ms);
    bool wants_to_write() const { return sent_ < output_.size(); }
    /// When turn() is to be called even if nothing has happened.
    uint64_t due_ms() const;
    /// Whether another client may have its place: it is neither answered nor about to be.
    bool is_idle() const { return !pending_ && !wants_to_write(); }
    uint64_t since_ms() const { return since_ms_; }

  private:
    bool read();
    bool write(uint64_t now_ms);
    bool answer_next(Observer& observer, const AdminGate& gate, uint64_t now_ms);
    void respond(const AdminResponse& response, uint64_t now_ms);

    UniqueFd fd_;
    http1::HeadParser parser_{{.max_head_bytes = kMostHeadBytes, .max_fields = 64}};
    std::string input_;
    std::string output_;
    size_t sent_ = 0;
    std::unique_ptr<PendingAnswer> pending_;
    uint64_t since_ms_;  ///< of what it does now
    bool is_head_ = false;
    bool keep_alive_ = true;
    bool peer_shut_ = false;
    uint8_t version_minor_ = 1;
};

}  // namespace sluice
