#pragma once

#include <cstdint>
#include <map>
#include <sys/types.h>
#include <utility>

#include "core/unique_fd.h"
#include "server/seam/payload.h"
#include "server/sharing/budget.h"

namespace sluice {

class OpenFiles;

/// A regular file that responses are sent from; several clients of one file share it.
class OpenFile final : public RefCounted {
  public:
    int fd() const { return fd_.get(); }

  private:
    friend class OpenFiles;
    using Identity = std::pair<dev_t, ino_t>;
    OpenFile(OpenFiles& owner, uint64_t client, Identity identity, UniqueFd fd)
        : owner_(owner), client_(client), identity_(identity), fd_(std::move(fd)) {}
    ~OpenFile() override;

    OpenFiles& owner_;
    uint64_t client_;  ///< who asked for it first: it counts for that client
    Identity identity_;
    UniqueFd fd_;
};

/// A piece of a file on its way to a client. Its bytes are read when they are sent.
class FilePayload final : public Payload {
  public:
    static Ref<FilePayload> create(Ref<OpenFile> file, uint64_t offset, uint64_t bytes) {
        return Ref<FilePayload>::adopt(new FilePayload(std::move(file), offset, bytes));
    }
    int fd() const { return file_->fd(); }
    uint64_t offset() const { return offset_; }

  private:
    FilePayload(Ref<OpenFile> file, uint64_t offset, uint64_t bytes)
        : Payload(nullptr, bytes), file_(std::move(file)), offset_(offset) {}

    Ref<OpenFile> file_;
    uint64_t offset_;
};

/// The files that one reactor sends from now, whose number is bounded: each is open once, however many
/// clients it goes to. Outlives all of the files.
class OpenFiles {
  public:
    explicit OpenFiles(size_t most) : open_(most) {}
    OpenFiles(const OpenFiles&) = delete;
    OpenFiles& operator=(const OpenFiles&) = delete;

    enum class Refusal : uint8_t {
        kNone,
        kNoFile,        ///< not a regular file that is open for reading
        kTooMany,       ///< Limits::open_files, or the client's share of them
        kNoDescriptor,  ///< this process has none left
    };
    /// Duplicates `fd`, which stays the caller's, unless the file is open already. `client`: see Budget.
    Ref<OpenFile> open(int fd, uint64_t client, Refusal& refusal);
    size_t count() const { return files_.size(); }
    size_t count_of(uint64_t client) const { return open_.used_by(client); }

  private:
    friend class OpenFile;
    Budget open_;
    std::map<OpenFile::Identity, OpenFile*> files_;
};

}  // namespace sluice
