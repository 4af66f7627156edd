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
/// reference, of files only a place is held; an empty queue holds no memory. What is in memory is written
/// with one system call for all of it, what is in a file goes from there to the socket.
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
    /// Puts the first `bytes` of this queue, which has them, behind another one: by reference but for small
    /// pieces of blocks.
    void move_to(OutQueue& other, uint64_t bytes);
    /// Room for up to `bytes` at the end, to be written in place; then `advance` by what was used.
    char* reserve(size_t bytes);
    void advance(size_t bytes);

    /// In memory, or in an extent: what a client that does not read costs.
    size_t bytes() const { return bytes_; }
    /// The same with what has been sent of a payload at the front, whose memory is kept until all of it is.
    size_t memory_bytes() const;
    /// Of files.
    uint64_t file_bytes() const { return file_bytes_; }
    bool empty() const { return bytes_ == 0 && file_bytes_ == 0; }
    void clear();

    /// A file is read while it is sent, and reading may wait for a disk: no more than this at once.
    static constexpr size_t kFileBytesAtOnce = 256 * 1024;

    enum class Flushed {
        kAll,
        kBlocked,
        kYielded,  ///< `file_budget` is used up: others first, the socket may take more
        kBroken,
        kShrunk,  ///< a file has lost bytes that were announced
    };
    /// Writes as much as the socket takes; `sent` grows by it. Of files at most `file_budget`, which shrinks
    /// by what was read.
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
    /// Up to the first file.
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
