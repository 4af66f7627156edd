#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/ref.h"
#include "core/unique_fd.h"
#include "protocol/http/http_head.h"
#include "server/seam/shared_layout.h"
#include "server/sharing/budget.h"

namespace sluice {

class TemporaryFiles;

/// Where a request's body is read from when it is not in memory: an unlinked file, or the reading end of a
/// BodyPipe. Freed once the reactor and the worker have dropped it.
class RequestFile final : public RefCounted {
  public:
    static Ref<RequestFile> of_pipe(UniqueFd reader) {
        Ref<RequestFile> pipe = Ref<RequestFile>::adopt(new RequestFile(nullptr, 0, std::move(reader)));
        pipe->bytes_ = http::kNoLength;
        return pipe;
    }
    int fd() const { return fd_.get(); }
    /// http::kNoLength: it is a pipe.
    uint64_t bytes() const { return bytes_; }
    bool is_pipe() const { return bytes_ == http::kNoLength; }

    /// Appends to the file. False with `error` set: nothing more can be appended.
    bool append(std::span<const char> bytes, http::Error& error);

  private:
    friend class TemporaryFiles;
    RequestFile(std::shared_ptr<TemporaryFiles> owner, uint64_t client, UniqueFd fd)
        : owner_(std::move(owner)), client_(client), fd_(std::move(fd)) {}
    ~RequestFile() override;

    std::shared_ptr<TemporaryFiles> owner_;
    uint64_t client_;
    UniqueFd fd_;
    uint64_t bytes_ = 0;
    uint64_t reserved_ = 0;
};

/// Makes the temporary files of one reactor or worker, within the server's limit, which clients share
/// (Budget): each process's reservation stands in its cell, and each knows what its own clients have.
/// Files keep this object alive, and may outlive their maker; before the shared memory goes, call
/// forget_account().
class TemporaryFiles : public std::enable_shared_from_this<TemporaryFiles> {
  public:
    /// Each file reserves this from its beginning, which bounds the number of files.
    static constexpr uint64_t kLeastBytes = 64u << 10;

    /// `own`: the `file_bytes` of a ReactorCell or WorkerCell of the layout. `most_bytes`: of all files.
    TemporaryFiles(const SharedLayout& layout, std::atomic<uint64_t>& own, std::string folder,
                   uint64_t most_bytes, uint64_t least_bytes = kLeastBytes);
    ~TemporaryFiles();
    TemporaryFiles(const TemporaryFiles&) = delete;
    TemporaryFiles& operator=(const TemporaryFiles&) = delete;

    /// Makes a file for a client's body of `expected_bytes`, or http::kNoLength, of which `begun_bytes` have
    /// come. Empty, with `error` set, when there is no room for it, or the client has its share.
    Ref<RequestFile> create(uint64_t client, uint64_t expected_bytes, http::Error& error,
                            uint64_t begun_bytes = 0);
    /// The shared memory goes: files can still be read, but not appended to. Resetting the cell takes their
    /// reservation off the account.
    void forget_account() { layout_ = nullptr; }
    uint64_t used_bytes() const { return used_.used(); }

  private:
    friend class RequestFile;
    bool has_room(uint64_t client, uint64_t bytes) const;
    bool reserve(RequestFile& file, uint64_t bytes);
    void release(const RequestFile& file);
    void complain(const char* what, int error_number);

    void publish();

    const SharedLayout* layout_;  ///< nullptr: forgotten
    std::atomic<uint64_t>* own_;
    std::string folder_;
    uint64_t least_bytes_;
    Budget used_;
    uint64_t failures_ = 0;
};

}  // namespace sluice
