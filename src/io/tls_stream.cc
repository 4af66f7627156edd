#include "io/tls_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <unistd.h>

namespace sluice {

namespace {
static_assert(TlsStream::kRecordBytes == SSL3_RT_MAX_PLAIN_LENGTH);
/// Read of a file at once.
constexpr size_t kFileReadBytes = 4 * TlsStream::kRecordBytes;

/// What others have left in the thread's error queue is none of the next call's errors.
void prepare() {
    ERR_clear_error();
    errno = 0;
}
}  // namespace

std::unique_ptr<TlsStream> TlsStream::create(std::shared_ptr<const TlsContext> context, int fd) {
    SSL* ssl = context->new_connection();
    if (!ssl) {
        ERR_clear_error();
        return nullptr;
    }
    std::unique_ptr<TlsStream> self(new TlsStream(std::move(context), ssl));
    if (SSL_set_fd(ssl, fd) != 1) {
        ERR_clear_error();
        return nullptr;
    }
    SSL_set_accept_state(ssl);
    return self;
}

TlsStream::~TlsStream() {
    SSL_free(ssl_);
}

/// What became of a call that has not succeeded.
TlsStream::Outcome TlsStream::judge(int result, bool reading) {
    int system_error = errno;
    switch (SSL_get_error(ssl_, result)) {
        case SSL_ERROR_WANT_READ: waits_crosswise_ = !reading; return Outcome::kBlocked;
        case SSL_ERROR_WANT_WRITE: waits_crosswise_ = reading; return Outcome::kBlocked;
        case SSL_ERROR_ZERO_RETURN: return Outcome::kEnd;
        case SSL_ERROR_SYSCALL:
            broken_ = true;
            if (system_error && system_error != ECONNRESET && system_error != EPIPE)
                error_ = strerror(system_error);
            break;
        default: {
            broken_ = true;
            unsigned long code = ERR_peek_last_error();
            int reason = ERR_GET_REASON(code);
            if (reason == SSL_R_HTTP_REQUEST) {
                error_ = "the client speaks plain HTTP";
            } else if (reason != SSL_R_UNEXPECTED_EOF_WHILE_READING) {
                const char* text = ERR_reason_error_string(code);
                error_ = text ? text : "unknown TLS error";
            }
        }
    }
    ERR_clear_error();
    return Outcome::kBroken;
}

bool TlsStream::has_received() const {
    return BIO_number_read(SSL_get_rbio(ssl_)) > 0;
}

TlsStream::Outcome TlsStream::handshake() {
    if (broken_) return Outcome::kBroken;
    waits_crosswise_ = false;
    prepare();
    int result = SSL_do_handshake(ssl_);
    if (result == 1) {
        ready_ = true;
        // The kernel has its keys by now, or never gets any. When a client updates its keys, OpenSSL
        // since 3.2 tries the kernel anew as long as the option stands, and loses what it has read ahead when
        // that fails.
        SSL_clear_options(ssl_, SSL_OP_ENABLE_KTLS);
        return Outcome::kDone;
    }
    Outcome outcome = judge(result, true);
    if (outcome == Outcome::kEnd) {
        broken_ = true;
        return Outcome::kBroken;
    }
    return outcome;
}

TlsStream::Outcome TlsStream::read(const iovec* parts, int count, size_t& bytes) {
    bytes = 0;
    if (broken_) return Outcome::kBroken;
    waits_crosswise_ = drained_ = false;
    for (int i = 0; i < count; ++i) {
        char* place = static_cast<char*>(parts[i].iov_base);
        size_t room = parts[i].iov_len;
        while (room) {
            size_t got = 0;
            prepare();
            int result = SSL_read_ex(ssl_, place, room, &got);
            if (result != 1) {
                Outcome outcome = judge(result, true);
                drained_ = outcome == Outcome::kBlocked && !waits_crosswise_;
                // After some bytes have come, the next call tells of the end and of errors.
                return bytes ? Outcome::kDone : outcome;
            }
            place += got;
            room -= got;
            bytes += got;
        }
    }
    return Outcome::kDone;
}

TlsStream::Outcome TlsStream::write(const iovec* parts, int count, size_t& bytes) {
    bytes = 0;
    if (broken_) return Outcome::kBroken;
    static thread_local char gathered[kRecordBytes];
    size_t skip = 0;  // of the first part
    int first = 0;
    while (first < count) {
        const char* from = static_cast<const char*>(parts[first].iov_base) + skip;
        size_t size = parts[first].iov_len - skip;
        if (size < kRecordBytes && first + 1 < count) {
            // Small pieces share a record.
            size_t filled = 0;
            size_t offset = skip;
            for (int i = first; i < count && filled < kRecordBytes; ++i, offset = 0) {
                size_t piece = std::min(parts[i].iov_len - offset, kRecordBytes - filled);
                memcpy(gathered + filled, static_cast<const char*>(parts[i].iov_base) + offset, piece);
                filled += piece;
            }
            from = gathered;
            size = filled;
        }
        size_t written = 0;
        prepare();
        int result = SSL_write_ex(ssl_, from, size, &written);
        if (result != 1) return judge(result, false);
        waits_crosswise_ = false;
        bytes += written;
        for (size_t left = written + skip; first < count; ++first) {
            skip = left;
            if (left < parts[first].iov_len) break;
            left -= parts[first].iov_len;
            skip = 0;
        }
    }
    return Outcome::kDone;
}

TlsStream::Outcome TlsStream::write_file(int file, uint64_t offset, size_t most, size_t& bytes,
                                         bool& shrunk) {
    bytes = 0;
    shrunk = false;
    if (broken_) return Outcome::kBroken;
    if (BIO_get_ktls_send(SSL_get_wbio(ssl_))) {
        prepare();
        const ossl_ssize_t sent = SSL_sendfile(ssl_, file, static_cast<off_t>(offset), most, 0);
        if (sent < 0) return judge(-1, false);
        waits_crosswise_ = false;
        shrunk = sent == 0;
        bytes = static_cast<size_t>(sent);
        return Outcome::kDone;
    }
    static thread_local char read_ahead[kFileReadBytes];
    while (bytes < most) {
        const ssize_t got = pread(file, read_ahead, std::min(kFileReadBytes, most - bytes),
                                  static_cast<off_t>(offset + bytes));
        shrunk = got == 0;
        if (shrunk) return Outcome::kDone;
        if (got < 0) return Outcome::kBroken;
        iovec part{read_ahead, static_cast<size_t>(got)};
        size_t written = 0;
        const Outcome outcome = write(&part, 1, written);
        bytes += written;
        if (outcome != Outcome::kDone) return outcome;
    }
    return Outcome::kDone;
}

void TlsStream::close_notify() {
    if (!ready_ || broken_) return;
    prepare();
    SSL_shutdown(ssl_);
    ERR_clear_error();
}

std::string_view TlsStream::protocol() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_, &name, &size);
    return {reinterpret_cast<const char*>(name), size};
}

const char* TlsStream::version() const {
    return SSL_get_version(ssl_);
}

}  // namespace sluice
