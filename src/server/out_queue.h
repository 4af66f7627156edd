#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/payload.h"

struct iovec;

namespace sluice {

class TlsStream;

/// What one client has still to be sent. Small pieces are gathered into blocks, payloads are held by
/// reference; an empty queue holds no memory. Written with one system call for all of it.
class OutQueue {
  public:
    OutQueue() = default;
    OutQueue(const OutQueue&) = delete;
    OutQueue& operator=(const OutQueue&) = delete;
    ~OutQueue() { clear(); }

    /// Copies.
    void append(std::string_view bytes);
    /// Refers to the whole payload.
    void append(Ref<Payload> payload);
    /// Room for up to `bytes` at the end, to be written in place; then `advance` by what was used.
    char* reserve(size_t bytes);
    void advance(size_t bytes);

    size_t bytes() const { return bytes_; }
    bool empty() const { return bytes_ == 0; }
    void clear();

    enum class Flushed { kAll, kBlocked, kBroken };
    /// Writes as much as the socket takes; `sent` grows by it.
    Flushed flush(int fd, uint64_t& sent);
    Flushed flush(TlsStream& tls, uint64_t& sent);

  private:
    struct Node;
    static Node* make_node(size_t capacity);
    static void free_node(Node* node);
    void link(Node* node);
    int gather(iovec* parts, size_t& offered);
    void drop_sent(size_t bytes);

    Node* head_ = nullptr;
    Node* tail_ = nullptr;
    size_t bytes_ = 0;
};

}  // namespace sluice
