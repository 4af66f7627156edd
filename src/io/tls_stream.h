#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <sys/uio.h>

#include "io/tls_context.h"

namespace sluice {

/// The server's side of one TLS connection over a non-blocking socket, which stays its owner's. Never waits:
/// what cannot go on says which way the socket has to become ready first.
class TlsStream {
  public:
    /// nullptr when OpenSSL has no memory for it.
    static std::unique_ptr<TlsStream> create(std::shared_ptr<const TlsContext> context, int fd);
    ~TlsStream();
    TlsStream(const TlsStream&) = delete;
    TlsStream& operator=(const TlsStream&) = delete;

    enum class Outcome : uint8_t {
        kDone,
        kBlocked,  ///< nothing to read, or no room to write: wait for the socket
        kEnd,      ///< the peer has said that it sends no more
        kBroken,   ///< see error(); nothing more goes either way
    };

    /// To be called until it is kDone, before anything is read or written.
    Outcome handshake();
    bool is_ready() const { return ready_; }

    /// Fills the parts in their order. kDone: `bytes`, at least 1, have come. There may be more inside,
    /// which the socket does not tell of: read until it is kBlocked or is_drained().
    Outcome read(const iovec* parts, int count, size_t& bytes);
    /// The last read has taken all that the socket had: the socket tells when there is more.
    bool is_drained() const { return drained_; }
    /// Writes from the parts in their order; `bytes` have been taken, which may be fewer than there are.
    /// After kBlocked the next call must begin with the same bytes, wherever they stand by then.
    Outcome write(const iovec* parts, int count, size_t& bytes);
    /// Writes up to `most` bytes of a file from `offset` on; `bytes` have been taken. `shrunk`: the file ends
    /// there. After kBlocked the next call begins at the same place, with `most` not below kRecordBytes
    /// unless it was. The kernel does it where it does the connection's encryption.
    Outcome write_file(int file, uint64_t offset, size_t most, size_t& bytes, bool& shrunk);
    /// The most that one record holds; a write of less wastes a record's overhead and a system call.
    static constexpr size_t kRecordBytes = 16384;
    /// Tells the peer that we send no more. Once; whether it could be told does not matter any more.
    void close_notify();

    /// A read waits until the socket is writable, or a write until it is readable: TLS has messages of its
    /// own.
    bool waits_crosswise() const { return waits_crosswise_; }

    /// Why it is broken: "the client speaks plain HTTP"; empty when the connection has simply gone.
    const std::string& error() const { return error_; }
    /// OpenSSL has taken bytes of the client's.
    bool has_received() const;
    /// What ALPN has agreed on; empty: nothing.
    std::string_view protocol() const;
    /// `TLSv1.3`.
    const char* version() const;

  private:
    TlsStream(std::shared_ptr<const TlsContext> context, ssl_st* ssl)
        : context_(std::move(context)), ssl_(ssl) {}
    Outcome judge(int result, bool reading);

    std::shared_ptr<const TlsContext> context_;
    ssl_st* ssl_;
    std::string error_;
    bool ready_ = false;
    bool broken_ = false;
    bool drained_ = false;
    bool waits_crosswise_ = false;
};

}  // namespace sluice
