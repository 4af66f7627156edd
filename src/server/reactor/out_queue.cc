#include "server/reactor/out_queue.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "io/tls_stream.h"
#include "server/reactor/open_files.h"
#include "server/seam/out_memory.h"

namespace sluice {

namespace {
constexpr size_t kBlockBytes = 4096;
constexpr int kMaxParts = 64;
}  // namespace

struct OutQueue::Node {
    Node* next = nullptr;
    Ref<Payload> payload;  ///< empty: the bytes stand behind this struct
    size_t begin = 0;      ///< sent up to here
    size_t end = 0;
    size_t capacity = 0;  ///< bytes of the block; 0 for a payload

    bool in_file() const { return payload && payload->is_in_file(); }
    char* block() { return reinterpret_cast<char*>(this + 1); }
    /// Read anew for each write: the payload may have been moved (see ExtentPayload).
    const char* data() { return payload ? payload->data() : block(); }
};

namespace {
/// A few free blocks for each thread, since most answers need one block for a moment. Without a destructor,
/// for which each look at it would first ask whether it is registered.
struct BlockPool {
    static constexpr size_t kKept = 64;
    void* kept[kKept];
    size_t count;
    bool is_emptied_at_end;
};
constinit thread_local BlockPool pool = {};

struct EmptiesPool {
    ~EmptiesPool() {
        while (pool.count)
            ::free(pool.kept[--pool.count]);
    }
    void begin() { pool.is_emptied_at_end = true; }
};
thread_local EmptiesPool empties_pool;

/// Most answers are one part, and send() takes 0.13 us less than sendmsg().
ssize_t send_parts(int fd, iovec* parts, int count, int flags) {
    if (count == 1) return send(fd, parts->iov_base, parts->iov_len, flags);
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = static_cast<size_t>(count);
    return sendmsg(fd, &message, flags);
}
}  // namespace

OutQueue::Node* OutQueue::make_node(size_t capacity) {
    void* memory = nullptr;
    if (capacity == kBlockBytes) {
        // Each look at a thread's variable is a call.
        BlockPool& blocks = pool;
        if (blocks.count) memory = blocks.kept[--blocks.count];
    }
    if (!memory) memory = malloc(sizeof(Node) + capacity);
    if (!memory) abort();
    Node* node = new (memory) Node;
    node->capacity = capacity;
    OutMemory::add_block(sizeof(Node) + capacity);
    return node;
}

void OutQueue::free_node(Node* node) {
    OutMemory::drop_block(sizeof(Node) + node->capacity);
    const bool is_block = node->capacity == kBlockBytes;
    node->~Node();
    if (is_block) {
        BlockPool& blocks = pool;
        if (!blocks.is_emptied_at_end) empties_pool.begin();
        if (blocks.count < BlockPool::kKept) {
            blocks.kept[blocks.count++] = node;
            return;
        }
    }
    ::free(node);
}

void OutQueue::link(Node* node) {
    (tail_ ? tail_->next : head_) = node;
    tail_ = node;
}

char* OutQueue::reserve(size_t bytes) {
    if (!tail_ || tail_->capacity - tail_->end < bytes || tail_->payload) {
        link(make_node(std::max(bytes, kBlockBytes)));
    }
    return tail_->block() + tail_->end;
}

void OutQueue::advance(size_t bytes) {
    tail_->end += bytes;
    bytes_ += bytes;
}

void OutQueue::append(std::string_view bytes) {
    if (bytes.empty()) return;
    memcpy(reserve(bytes.size()), bytes.data(), bytes.size());
    advance(bytes.size());
}

void OutQueue::append(Ref<Payload> payload) {
    const size_t bytes = payload->size();
    append_part(std::move(payload), 0, bytes);
}

void OutQueue::append_part(Ref<Payload> payload, size_t begin, size_t end) {
    if (begin == end) return;
    Node* node = make_node(0);
    node->begin = begin;
    node->end = end;
    if (payload->is_in_file()) {
        file_bytes_ += end - begin;
    } else {
        bytes_ += end - begin;
    }
    node->payload = std::move(payload);
    link(node);
}

void OutQueue::move_to(OutQueue& other, uint64_t bytes) {
    while (bytes) {
        drop_empty();
        const size_t here = static_cast<size_t>(std::min<uint64_t>(bytes, head_->end - head_->begin));
        if (head_->payload) {
            other.append_part(head_->payload, head_->begin, head_->begin + here);
        } else {
            other.append({head_->block() + head_->begin, here});
        }
        drop_sent(here);
        bytes -= here;
    }
    if (empty()) clear();
}

size_t OutQueue::memory_bytes() const {
    return bytes_ + (head_ && !head_->in_file() ? head_->begin : 0);
}

void OutQueue::clear() {
    while (head_) {
        Node* node = head_;
        head_ = node->next;
        free_node(node);
    }
    tail_ = nullptr;
    bytes_ = 0;
    file_bytes_ = 0;
}

void OutQueue::drop_sent(size_t bytes) {
    while (bytes) {
        size_t here = std::min(bytes, head_->end - head_->begin);
        (head_->in_file() ? file_bytes_ : bytes_) -= here;
        head_->begin += here;
        bytes -= here;
        if (head_->begin < head_->end) return;
        Node* done = head_;
        head_ = done->next;
        if (!head_) tail_ = nullptr;
        free_node(done);
    }
}

int OutQueue::gather(iovec* parts, size_t& offered) {
    int count = 0;
    offered = 0;
    for (Node* node = head_; node && count < kMaxParts; node = node->next) {
        if (node->begin == node->end) continue;
        if (node->in_file()) break;
        parts[count++] = {const_cast<char*>(node->data() + node->begin), node->end - node->begin};
        offered += node->end - node->begin;
    }
    return count;
}

/// Drops an empty block at the front: nothing was written to it, or all was sent while it was the last.
void OutQueue::drop_empty() {
    while (head_ && head_->begin == head_->end) {
        Node* done = head_;
        head_ = done->next;
        if (!head_) tail_ = nullptr;
        free_node(done);
    }
}

const FilePayload* OutQueue::front_file() {
    drop_empty();
    return head_ && head_->in_file() ? static_cast<const FilePayload*>(head_->payload.get()) : nullptr;
}

/// `send(fd, offset, bytes)` returns a Flushed, and sets `bytes` to what was sent.
template <typename Send>
OutQueue::Flushed OutQueue::send_file(Send send, uint64_t& sent, size_t& file_budget) {
    const FilePayload* file = front_file();
    const size_t left = head_->end - head_->begin;
    size_t bytes = std::min({left, file_budget, kFileBytesAtOnce});
    // Do not begin less than a TLS record: a blocked write must be repeated with at least as many bytes.
    if (bytes < std::min(left, TlsStream::kRecordBytes)) return Flushed::kYielded;
    Flushed flushed = send(file->fd(), file->offset() + head_->begin, bytes);
    sent += bytes;
    file_budget -= bytes;
    drop_sent(bytes);
    return flushed;
}

OutQueue::Flushed OutQueue::flush(int fd, uint64_t& sent, size_t& file_budget) {
    while (!empty()) {
        if (front_file()) {
            Flushed flushed = send_file(
                [&](int file, uint64_t offset, size_t& bytes) {
                    off_t at = static_cast<off_t>(offset);
                    ssize_t written;
                    do {
                        written = sendfile(fd, file, &at, bytes);
                    } while (written < 0 && errno == EINTR);
                    bytes = written > 0 ? static_cast<size_t>(written) : 0;
                    if (written == 0) return Flushed::kShrunk;
                    if (written < 0) return errno == EAGAIN ? Flushed::kBlocked : Flushed::kBroken;
                    // A short write may come of a full socket or of the file's end: the next call tells.
                    return Flushed::kAll;
                },
                sent, file_budget);
            if (flushed != Flushed::kAll) return flushed;
            continue;
        }
        iovec parts[kMaxParts];
        size_t offered;
        const int count = gather(parts, offered);
        // Let the file behind share a packet.
        const int more = file_bytes_ && offered == bytes_ ? MSG_MORE : 0;
        ssize_t written = send_parts(fd, parts, count, MSG_NOSIGNAL | MSG_DONTWAIT | more);
        if (written < 0) {
            if (errno == EINTR) continue;
            return errno == EAGAIN ? Flushed::kBlocked : Flushed::kBroken;
        }
        sent += static_cast<uint64_t>(written);
        drop_sent(static_cast<size_t>(written));
        if (static_cast<size_t>(written) < offered) return Flushed::kBlocked;
    }
    clear();
    return Flushed::kAll;
}

OutQueue::Flushed OutQueue::flush(TlsStream& tls, uint64_t& sent, size_t& file_budget) {
    while (!empty()) {
        TlsStream::Outcome outcome;
        if (front_file()) {
            bool shrunk = false;
            Flushed flushed = send_file(
                [&](int file, uint64_t offset, size_t& bytes) {
                    size_t written = 0;
                    outcome = tls.write_file(file, offset, bytes, written, shrunk);
                    bytes = written;
                    if (shrunk) return Flushed::kShrunk;
                    if (outcome == TlsStream::Outcome::kBlocked) return Flushed::kBlocked;
                    return outcome == TlsStream::Outcome::kDone ? Flushed::kAll : Flushed::kBroken;
                },
                sent, file_budget);
            if (flushed != Flushed::kAll) return flushed;
            continue;
        }
        iovec parts[kMaxParts];
        size_t offered;
        int count = gather(parts, offered);
        size_t written = 0;
        outcome = tls.write(parts, count, written);
        sent += written;
        drop_sent(written);
        if (outcome == TlsStream::Outcome::kBlocked) return Flushed::kBlocked;
        if (outcome != TlsStream::Outcome::kDone) return Flushed::kBroken;
    }
    clear();
    return Flushed::kAll;
}

}  // namespace sluice
