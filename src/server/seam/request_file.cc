#include "server/seam/request_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "core/log.h"
#include "io/temporary_file.h"

namespace sluice {

namespace {
/// A file reserves this much of the account at once, so that not every piece updates it.
constexpr uint64_t kReservedAtOnce = 1u << 20;
constexpr http::Error kFull{503, "the temporary files for bodies of requests are full (temporaryFileBytes)",
                            "temporaryFileBytes"};
constexpr http::Error kBroken{503, "the body could not be written to a temporary file"};
}  // namespace

RequestFile::~RequestFile() {
    if (owner_) owner_->release(*this);
}

bool RequestFile::append(std::span<const char> bytes, http::Error& error) {
    if (bytes_ + bytes.size() > reserved_ && !owner_->reserve(*this, bytes_ + bytes.size() - reserved_)) {
        error = kFull;
        return false;
    }
    while (!bytes.empty()) {
        const ssize_t written = pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(bytes_));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            owner_->complain("written", written < 0 ? errno : ENOSPC);
            error = kBroken;
            return false;
        }
        bytes_ += static_cast<uint64_t>(written);
        bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return true;
}

TemporaryFiles::TemporaryFiles(const SharedLayout& layout, std::atomic<uint64_t>& own, std::string folder,
                               uint64_t most_bytes, uint64_t least_bytes)
    : layout_(&layout),
      own_(&own),
      folder_(folder.empty() ? "/tmp" : std::move(folder)),
      least_bytes_(std::min(least_bytes, most_bytes)),
      used_(most_bytes, least_bytes_, ShareRule::kHalf) {
    publish();
}

TemporaryFiles::~TemporaryFiles() {
    if (layout_) own_->store(0, std::memory_order_relaxed);
}

void TemporaryFiles::publish() {
    if (layout_) own_->store(used_bytes(), std::memory_order_relaxed);
}

bool TemporaryFiles::has_room(uint64_t client, uint64_t bytes) const {
    if (!layout_) return false;
    uint64_t used_elsewhere = 0;
    const auto add = [&](const std::atomic<uint64_t>& other) {
        if (&other != own_) used_elsewhere += other.load(std::memory_order_relaxed);
    };
    for (unsigned reactor = 0; reactor < layout_->shape().reactors; ++reactor)
        add(layout_->reactor(reactor).file_bytes);
    for (unsigned slot = 0; slot < layout_->shape().worker_slots; ++slot)
        add(layout_->worker(slot).file_bytes);
    return used_.may_have(client, bytes, {used_elsewhere, 0});
}

bool TemporaryFiles::reserve(RequestFile& file, uint64_t bytes) {
    if (!has_room(file.client_, bytes)) return false;
    if (has_room(file.client_, std::max(bytes, kReservedAtOnce))) bytes = std::max(bytes, kReservedAtOnce);
    file.reserved_ += bytes;
    used_.charge(file.client_, bytes);
    publish();
    return true;
}

void TemporaryFiles::release(const RequestFile& file) {
    used_.give_back(file.client_, file.reserved_);
    publish();
}

/// Logs the first, second, fourth, eighth … time.
void TemporaryFiles::complain(const char* what, int error_number) {
    if (!std::has_single_bit(++failures_)) return;
    SLUICE_WARNING("a temporary file in %s cannot be %s: %s; %llu times so far", folder_.c_str(), what,
                   strerror(error_number), static_cast<unsigned long long>(failures_));
}

Ref<RequestFile> TemporaryFiles::create(uint64_t client, uint64_t expected_bytes, http::Error& error,
                                        uint64_t begun_bytes) {
    const uint64_t least_bytes = std::max(least_bytes_, begun_bytes);
    if (expected_bytes != http::kNoLength && expected_bytes > used_.rule().open) {
        error = {413,
                 "the body is longer than the temporary files of one client may be (seven eighths of "
                 "temporaryFileBytes)",
                 "temporaryFileBytes"};
        return {};
    }
    // A declared length alone reserves nothing, or clients that send nothing could keep others out.
    if (!has_room(client, expected_bytes == http::kNoLength ? least_bytes : expected_bytes)) {
        error = kFull;
        return {};
    }
    UniqueFd fd = open_temporary_file(folder_);
    if (!fd) {
        complain("made", errno);
        error = kBroken;
        return {};
    }
    Ref<RequestFile> file =
        Ref<RequestFile>::adopt(new RequestFile(shared_from_this(), client, std::move(fd)));
    if (!reserve(*file, least_bytes)) {
        error = kFull;
        return {};
    }
    return file;
}

}  // namespace sluice
