#include "io/line_writer.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/clock.h"
#include "core/helper_thread.h"
#include "core/log.h"
#include "core/shared_log.h"
#include "core/unique_fd.h"
#include "io/stay_loaded.h"

namespace sluice {

namespace {

using namespace std::chrono_literals;

/// Lines are gathered for this time: a busy server wakes the thread a few times a second, not for each
/// line.
constexpr auto kGather = 20ms;
constexpr size_t kGatheredBytes = 65536;
/// A pipe takes up to this size as a whole or not at all (PIPE_BUF).
constexpr size_t kPieceBytes = 4096;
constexpr int kLookAgainMs = 100;
constexpr uint64_t kReportEveryMs = 1000;
constexpr auto kEnd = 1000ms;

/// Returns -1 with errno.
int open_target(const std::string& path) {
    if (path == "php://stderr") return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (path == "php://stdout") return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    struct stat status;
    // A FIFO that is also open for reading does not wait for a reader, and does not break when the reader
    // goes.
    if (stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode))
        return ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0644);
}

size_t lines_in(std::string_view text) {
    size_t lines = 0;
    for (const char c : text)
        lines += c == '\n';
    return lines;
}

}  // namespace

struct LineWriter::Shared {
    // Shared with the thread, under `lock`
    std::mutex lock;
    std::condition_variable more, ended;
    std::string waiting;
    size_t writing_bytes = 0;  ///< taken by the thread, not yet written
    size_t most_bytes = 0;
    uint64_t dropped = 0;
    bool reopen = false;
    size_t reopen_at = 0;  ///< the file is reopened after this many of the waiting bytes
    bool end = false;
    bool has_ended = false;
    bool has_thread = false;
    pid_t process = 0;  ///< a fork of this process does not have the thread

    // Used by the thread alone
    std::string path;
    UniqueFd fd;
    bool is_regular = false;
    uint64_t reported = 0;
    uint64_t report_at_ms = 0;

    bool open() {
        UniqueFd opened(open_target(path));
        if (!opened) return false;
        struct stat status;
        is_regular = fstat(opened.get(), &status) == 0 && S_ISREG(status.st_mode);
        fd = std::move(opened);
        return true;
    }

    void open_again() {
        if (!open()) SLUICE_ERROR("cannot open the access log %s: %s", path.c_str(), strerror(errno));
    }

    void run() {
        std::string batch;
        std::unique_lock<std::mutex> guard(lock);
        for (;;) {
            more.wait(guard, [&] { return !waiting.empty() || reopen || end; });
            more.wait_for(guard, kGather, [&] { return waiting.size() >= kGatheredBytes || reopen || end; });
            batch.clear();
            batch.swap(waiting);
            writing_bytes = batch.size();
            const bool opens_again = std::exchange(reopen, false);
            const size_t until = opens_again ? reopen_at : batch.size();
            const bool is_last = end;
            guard.unlock();
            size_t lost = write(std::string_view(batch).substr(0, until));
            if (opens_again) {
                open_again();
                lost += write(std::string_view(batch).substr(until));
            }
            guard.lock();
            writing_bytes = 0;
            drop(lost);
            report(guard);
            if (is_last && waiting.empty()) break;
        }
        has_ended = true;
        ended.notify_all();
    }

    void drop(size_t lines) {
        dropped += lines;
        if (lines) log::count_dropped(&log::SharedLog::access_not_taken, lines);
    }

    /// Returns the number of lines that could not be written.
    size_t write(std::string_view text) {
        while (!text.empty()) {
            if (!fd) return lines_in(text);
            std::string_view piece = text;
            if (!is_regular) {
                if (piece.size() > kPieceBytes)
                    piece = piece.substr(0, piece.rfind('\n', kPieceBytes - 1) + 1);
                if (piece.empty()) piece = text.substr(0, text.find('\n') + 1);
                if (!wait_until_writable()) return lines_in(text);
            }
            const ssize_t written = ::write(fd.get(), piece.data(), piece.size());
            if (written > 0) {
                text.remove_prefix(static_cast<size_t>(written));
            } else if (errno != EINTR && errno != EAGAIN) {
                return lines_in(text);
            }
        }
        return 0;
    }

    /// False when the writer is ending and nobody reads.
    bool wait_until_writable() {
        for (;;) {
            pollfd wanted = {fd.get(), POLLOUT, 0};
            if (poll(&wanted, 1, kLookAgainMs) > 0) return true;
            std::unique_lock<std::mutex> guard(lock);
            report(guard);
            if (end) return false;
        }
    }

    /// Reports losses at intervals, not each one, lest the server's log fall behind as well.
    void report(std::unique_lock<std::mutex>& guard) {
        if (dropped == reported || monotonic_ms() < report_at_ms) return;
        reported = dropped;
        report_at_ms = monotonic_ms() + kReportEveryMs;
        guard.unlock();
        SLUICE_WARNING(
            "the access log %s does not keep up: %llu lines were dropped so far (accessLogBytes: %zu)",
            path.c_str(), static_cast<unsigned long long>(reported), most_bytes);
        guard.lock();
    }
};

std::shared_ptr<LineWriter> LineWriter::open(const std::string& path, size_t most_bytes) {
    auto shared = std::make_shared<Shared>();
    shared->path = path;
    shared->most_bytes = most_bytes;
    shared->process = getpid();
    if (!shared->open()) return nullptr;
    std::shared_ptr<LineWriter> writer(new LineWriter);
    writer->shared_ = std::move(shared);
    return writer;
}

LineWriter::~LineWriter() {
    Shared& shared = *shared_;
    if (shared.process != getpid()) {
        // After a fork its mutex may be locked by a thread that this process does not have: leak it.
        new std::shared_ptr<Shared>(std::move(shared_));
        return;
    }
    std::unique_lock<std::mutex> guard(shared.lock);
    if (!shared.has_thread) return;
    shared.end = true;
    shared.more.notify_all();
    shared.ended.wait_for(guard, kEnd, [&] { return shared.has_ended; });
}

/// The thread is detached: nobody waits for a file that takes too long.
bool LineWriter::begin_thread() {
    stay_loaded();
    auto* kept = new std::shared_ptr<Shared>(shared_);
    pthread_t thread;
    auto run = [](void* argument) -> void* {
        std::unique_ptr<std::shared_ptr<Shared>> own(static_cast<std::shared_ptr<Shared>*>(argument));
        pthread_setname_np(pthread_self(), "sluice-log");
        (*own)->run();
        return nullptr;
    };
    if (begin_helper_thread(thread, 0, run, kept) != 0) {
        delete kept;
        return false;
    }
    pthread_detach(thread);
    return true;
}

bool LineWriter::append(std::string_view line) {
    Shared& shared = *shared_;
    std::unique_lock<std::mutex> guard(shared.lock);
    if (shared.waiting.size() + shared.writing_bytes + line.size() > shared.most_bytes) {
        shared.drop(1);
        return false;
    }
    const bool was_idle = shared.waiting.empty();
    const bool was_gathering = shared.waiting.size() < kGatheredBytes;
    shared.waiting += line;
    if (!shared.has_thread) {
        shared.has_thread = true;
        if (!begin_thread()) {
            shared.has_thread = false;
            shared.drop(lines_in(shared.waiting));
            shared.waiting.clear();
            return false;
        }
    } else if (was_idle || (was_gathering && shared.waiting.size() >= kGatheredBytes)) {
        guard.unlock();
        shared.more.notify_one();
    }
    return true;
}

void LineWriter::reopen() {
    Shared& shared = *shared_;
    std::unique_lock<std::mutex> guard(shared.lock);
    if (!shared.has_thread) {
        shared.open_again();
        return;
    }
    shared.reopen = true;
    shared.reopen_at = shared.waiting.size();
    shared.more.notify_one();
}

uint64_t LineWriter::dropped() const {
    std::lock_guard<std::mutex> guard(shared_->lock);
    return shared_->dropped;
}

}  // namespace sluice
