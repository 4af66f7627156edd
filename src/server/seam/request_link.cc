#include "server/seam/request_link.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/log.h"
#include "io/fd_passing.h"
#include "server/seam/records.h"

namespace sluice {

namespace {

constexpr size_t kLeastRoom = 65536;
/// A packet, where the socket keeps them apart: it fits what receive() has room for.
constexpr size_t kMostSent = kLeastRoom;
/// So many files come at most before their records are complete.
constexpr size_t kMostFiles = 16;
constexpr size_t kWord = sizeof(uint64_t);

/// Of a record that says nothing: it shows which process sends.
constexpr uint16_t kSign = UINT16_MAX;
constexpr uint16_t kScript = UINT16_MAX - 1;
constexpr uint16_t kDone = UINT16_MAX - 2;

}  // namespace

bool RequestLink::create_pair(UniqueFd& of_worker, UniqueFd& of_process) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0) return false;
    of_worker = UniqueFd(fds[0]);
    of_process = UniqueFd(fds[1]);
    const int on = 1;
    return setsockopt(of_worker.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0;
}

bool RequestLink::create_lasting_pair(UniqueFd& of_workers, UniqueFd& of_process) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) return false;
    of_workers = UniqueFd(fds[0]);
    of_process = UniqueFd(fds[1]);
    return true;
}

char* RequestLink::add(size_t bytes) {
    const size_t at = out_.size();
    out_.resize(at + round_record(bytes) / kWord);
    return reinterpret_cast<char*>(out_.data() + at);
}

void RequestLink::put_script(std::string_view script) {
    const RecordHeader header{static_cast<uint32_t>(sizeof(RecordHeader) + script.size()), kScript, 0};
    out_.insert(out_.begin(), round_record(header.size) / kWord, 0);
    char* const to = reinterpret_cast<char*>(out_.data());
    memcpy(to, &header, sizeof header);
    memcpy(to + sizeof header, script.data(), script.size());
}

bool RequestLink::is_script(uint16_t kind) {
    return kind == kScript;
}

std::string_view RequestLink::script_in(std::span<const char> record) {
    return {record.data() + sizeof(RecordHeader), record.size() - sizeof(RecordHeader)};
}

void RequestLink::put(const Inbound& request) {
    write_inbound(add(inbound_record_bytes(request, false)), request, false, 0);
    if (const inbound::BodyFile* file = request.file(); file && file->fd >= 0)
        out_file_ = UniqueFd(fcntl(file->fd, F_DUPFD_CLOEXEC, 0));
}

bool RequestLink::put(const Command& command) {
    if (const command::FilePart* file = command.file()) {
        assert(out_.empty() && !out_file_);
        out_file_ = UniqueFd(fcntl(file->fd, F_DUPFD_CLOEXEC, 0));
        if (!out_file_) return false;
    }
    write_command(add(command_record_bytes(command, false)), command, false, 0);
    return true;
}

void RequestLink::put_sign() {
    const RecordHeader sign{sizeof sign, kSign, 0};
    memcpy(add(sizeof sign), &sign, sizeof sign);
}

void RequestLink::put_done() {
    const RecordHeader done{sizeof done, kDone, 0};
    memcpy(add(sizeof done), &done, sizeof done);
}

bool RequestLink::is_done(uint16_t kind) {
    return kind == kDone;
}

void RequestLink::kill_process() {
    if (process_ <= 0) return;
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, process_, 0)));
    if (!process && errno == ESRCH) return;
    // While it has its end of the link it has its number, and `process` is no other one.
    pollfd link{fd_.get(), 0, 0};
    if (poll(&link, 1, 0) != 0) return;
    // No descriptor may be left for it, and old kernels have none.
    const bool killed = process ? syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0
                                : kill(process_, SIGKILL) == 0;
    if (!killed && errno != ESRCH) {
        SLUICE_ERROR("the process of a request, pid %d, cannot be killed: %s", process_, strerror(errno));
    }
}

RequestLink::Progress RequestLink::send() {
    const size_t all = out_.size() * kWord;
    while (sent_ < all) {
        iovec part{reinterpret_cast<char*>(out_.data()) + sent_, std::min(all - sent_, kMostSent)};
        const int file = out_file_.get();
        const ssize_t sent =
            send_with_fds(fd_.get(), {&part, 1}, {&file, out_file_ ? 1u : 0u}, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) return errno == EAGAIN ? Progress::kBlocked : Progress::kClosed;
        out_file_.reset();
        sent_ += static_cast<size_t>(sent);
    }
    out_.clear();
    sent_ = 0;
    return Progress::kDone;
}

RequestLink::Progress RequestLink::receive() {
    return receive_by(MSG_DONTWAIT);
}

RequestLink::Progress RequestLink::await() {
    return receive_by(0);
}

void RequestLink::take_output(RequestLink& from) {
    std::swap(out_, from.out_);
    out_file_ = std::move(from.out_file_);
    sent_ = 0;
}

void RequestLink::drop() {
    out_.clear();
    sent_ = 0;
    out_file_.reset();
    do {
        in_begin_ = in_end_ = 0;
        files_.clear();
    } while (receive() == Progress::kDone);
    in_begin_ = in_end_ = 0;
}

RequestLink::Progress RequestLink::receive_by(int flags) {
    char* const data = reinterpret_cast<char*>(in_.data());
    if (in_begin_ < in_end_) memmove(data, data + in_begin_, in_end_ - in_begin_);
    in_end_ -= in_begin_;
    in_begin_ = 0;
    size_t wanted = in_end_ + kLeastRoom;
    if (in_end_ >= sizeof(RecordHeader)) {
        RecordHeader header;
        memcpy(&header, in_.data(), sizeof header);
        if (header.size < sizeof header) return Progress::kClosed;
        wanted = std::max(wanted, round_record(header.size));
    }
    if (in_.size() * kWord < wanted) in_.resize(wanted / kWord + 1);
    iovec part{reinterpret_cast<char*>(in_.data()) + in_end_, in_.size() * kWord - in_end_};
    PassedFds passed;
    const ssize_t got = receive_with_fds(fd_.get(), {&part, 1}, flags, passed);
    if (got < 0) return errno == EAGAIN ? Progress::kBlocked : Progress::kClosed;
    if (passed.flags & MSG_CTRUNC) {
        // Later files would be taken for those of other records.
        SLUICE_WARNING("no descriptor is left for the file of a request that has a process of its own");
        return Progress::kClosed;
    }
    // A sender passes one with each record; several have come when a record is incomplete.
    if (passed.fds.size() > 1 || files_.size() == kMostFiles) return Progress::kClosed;
    if (!passed.fds.empty()) files_.push_back(std::move(passed.fds.front()));
    if (process_ == 0) process_ = passed.sender;
    in_end_ += static_cast<size_t>(got);
    return got == 0 ? Progress::kClosed : Progress::kDone;
}

UniqueFd RequestLink::take_file() {
    if (files_.empty()) return {};
    UniqueFd file = std::move(files_.front());
    files_.pop_front();
    return file;
}

std::span<const char> RequestLink::next(uint16_t& kind) {
    for (;;) {
        const size_t bytes = in_end_ - in_begin_;
        if (bytes < sizeof(RecordHeader)) return {};
        const char* const begin = reinterpret_cast<const char*>(in_.data()) + in_begin_;
        RecordHeader header;
        memcpy(&header, begin, sizeof header);
        if (header.size < sizeof header || bytes < round_record(header.size)) return {};
        in_begin_ += round_record(header.size);
        if (header.kind == kSign) continue;
        kind = header.kind;
        return {begin, header.size};
    }
}

}  // namespace sluice
