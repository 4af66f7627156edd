#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/seam/payload.h"

struct iovec;

namespace sluice {

class FilePayload;
class TlsStream;

/// What one client has still to be sent. Small pieces are gathered into blocks, payloads are held by
/// reference, and of a file only a place is held. An empty queue holds no memory. One system call writes all
/// that is in memory; a file is read as the socket takes it.
class OutQueue {
  public:
    OutQueue() = default;
    OutQueue(const OutQueue&) = delete;
    OutQueue& operator=(const OutQueue&) = delete;
    ~OutQueue() { clear(); }

    /// Copies the bytes.
    void append(std::string_view bytes);
    /// Keeps a reference to the payload, and sends all of it.
    void append(Ref<Payload> payload);
    /// Moves the first `bytes`, which have to be there, to the end of `other`: by reference, but for small
    /// pieces of blocks.
    void move_to(OutQueue& other, uint64_t bytes);
    /// Room for up to `bytes` at the end, to be written in place; advance() tells how much was used.
    char* reserve(size_t bytes);
    void advance(size_t bytes);

    /// Bytes in memory or in an extent: what a client that does not read costs.
    size_t bytes() const { return bytes_; }
    /// bytes(), and what was sent of a payload at the front, whose memory is kept until all of it is sent.
    size_t memory_bytes() const;
    /// Bytes of files that are still to be sent.
    uint64_t file_bytes() const { return file_bytes_; }
    bool empty() const { return bytes_ == 0 && file_bytes_ == 0; }
    void clear();

    /// Sending a file reads it, and reading may wait for a disk: no more than this at once.
    static constexpr size_t kFileBytesAtOnce = 256 * 1024;

    enum class Flushed {
        kAll,
        kBlocked,
        kYielded,  ///< `file_budget` is used up: others first, the socket may take more
        kBroken,
        kShrunk,  ///< a file has lost bytes that were announced
    };
    /// Writes as much as the socket takes; `sent` grows by it. Sends at most `file_budget` bytes of files,
    /// and subtracts those that were read.
    Flushed flush(int fd, uint64_t& sent, size_t& file_budget);
    Flushed flush(TlsStream& tls, uint64_t& sent, size_t& file_budget);
    /// flush() without a bound for files.
    template <typename Sink>
    Flushed flush(Sink&& sink, uint64_t& sent) {
        size_t file_budget = SIZE_MAX;
        return flush(sink, sent, file_budget);
    }

  private:
    struct Node;
    static Node* make_node(size_t capacity);
    static void free_node(Node* node);
    void link(Node* node);
    /// Gathers what is in memory up to the first file.
    int gather(iovec* parts, size_t& offered);
    void append_part(Ref<Payload> payload, size_t begin, size_t end);
    void drop_sent(size_t bytes);
    void drop_empty();
    /// The file at the front of the queue; nullptr: there is none.
    const FilePayload* front_file();
    template <typename Send>
    Flushed send_file(Send send, uint64_t& sent, size_t& file_budget);

    Node* head_ = nullptr;
    Node* tail_ = nullptr;
    size_t bytes_ = 0;
    uint64_t file_bytes_ = 0;
};

}  // namespace sluice
